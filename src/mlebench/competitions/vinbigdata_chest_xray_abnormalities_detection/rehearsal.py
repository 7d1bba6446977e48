"""Rehearsal data: chest X-rays boxed by several radiologists.

The published preparation requires 15,000 images, so there are that many tiny files.
"""

from mlebench.rehearsal import Making, Parts, Random, Table, csv_file, hex_id, raw_data

CLASSES = (
    "Aortic enlargement,Atelectasis,Calcification,Cardiomegaly,Consolidation,ILD,Infiltration,"
    "Lung Opacity,Nodule/Mass,Other lesion,Pleural effusion,Pleural thickening,Pneumothorax,"
    "Pulmonary fibrosis,No finding"
).split(",")
WEIGHTS = [30, 2, 5, 22, 3, 4, 5, 10, 11, 9, 10, 20, 1, 19]
COLUMNS = "image_id,class_name,class_id,rad_id,x_min,y_min,x_max,y_max"


def boxes(r: Random, image: str, scale: int) -> list[list[object]]:
    readers = [f"R{number}" for number in r.sample(range(1, 18), r.choice([1, 1, 1, 3]))]
    if r.random() < 0.85:
        return [[image, CLASSES[14], 14, reader, "", "", "", ""] for reader in readers]
    rows: list[list[object]] = []
    # The number of images is fixed; scale adds boxes.
    for _ in range(r.randrange(1, 5) * scale):
        kind = r.choices(range(14), WEIGHTS)[0]
        x, y = r.randrange(100, 2000), r.randrange(100, 2000)
        width, height = r.randrange(40, 900), r.randrange(40, 900)
        for reader in readers:
            a, b = x + r.randrange(-30, 30), y + r.randrange(-30, 30)
            corners = [f"{a}.0", f"{b}.0", f"{a + width}.0", f"{b + height}.0"]
            rows.append([image, CLASSES[kind], kind, reader, *corners])
    return rows


@raw_data("rows")
def make_raw(making: Making) -> Parts:
    r = making.r
    train = [hex_id(r, 32) for _ in range(15_000)]
    rows = [row for image in train for row in boxes(r, image, making.scale)]
    r.shuffle(rows)  # an image's rows are not adjacent in the archive either
    yield csv_file("train.csv", COLUMNS, rows)
    test = [hex_id(r, 32) for _ in range(5)]
    for part, images in (("train", train), ("test", test)):
        for image in images:
            yield f"{part}/{image}.dicom", b"DICM" + bytes.fromhex(image[:8])
    yield Table("sample_submission.csv", {"image_id": test, "PredictionString": "14 1 0 0 1 1"})
