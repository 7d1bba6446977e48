"""Rehearsal data: CT studies of the neck, with boxes and segmentations for some of them."""

from mlebench.rehearsal import Blob, Making, Parts, Random, csv_file, raw_data

LEVELS = [f"C{number}" for number in range(1, 8)]
DICOM = Blob(40, b"\0" * 8 + b"DICM")
NIFTI = Blob(40, b"\x5c\x01\x00\x00")
TEST = ["1.2.826.0.1.3680043.22327", "1.2.826.0.1.3680043.25399"]


def box(r: Random) -> list[object]:
    """Up to 17 digits in the middle columns, where quick float parsers differ from exact ones."""
    x = r.choice([f"{r.uniform(20, 400):.5f}", f"{r.randrange(20, 400)}.00000"])
    middle = [f"{r.uniform(100, 400):.14f}", f"{r.uniform(10, 90):.15f}"]
    return [x, *middle, f"{r.uniform(5, 90):.5f}", r.randrange(20, 400)]


@raw_data("studies")
def make_raw(making: Making) -> Parts:
    r, scale, rows, boxes = making.r, making.scale, [], []
    studies = [f"1.2.826.0.1.3680043.{n}" for n in r.sample(range(1, 32_000), 85 * scale)]
    for study in studies:
        broken = [0] * 7 if r.random() >= 0.5 else [int(r.random() < 0.25) for _ in LEVELS]
        rows.append((study, int(any(broken)), *broken))
    yield csv_file("train.csv", ["StudyInstanceUID", "patient_overall", *LEVELS], rows)
    # 25 studies with boxes, 15 with segmentations, 12 of them with both (times scale): a tenth of
    # each has to be rounded.
    chosen = r.sample(studies, 28 * scale)
    for study in chosen[: 25 * scale]:
        boxes += [(study, *box(r)) for _ in range(r.randrange(3, 7))]
    r.shuffle(boxes)
    header = "StudyInstanceUID,x,y,width,height,slice_number"
    yield csv_file("train_bounding_boxes.csv", header, boxes)
    files = making.stream("files")
    for study in chosen[13 * scale :]:
        yield f"segmentations/{study}.nii", NIFTI(files)
    for number, study in enumerate(studies):
        for k in (1, 2) if number % 3 == 0 else (1,):
            yield f"train_images/{study}/{k}.dcm", DICOM(files)
    rows = [(f"{study}_C1", study, "C1") for study in TEST]
    yield csv_file("test.csv", "row_id,StudyInstanceUID,prediction_type", rows)
    yield csv_file("sample_submission.csv", "row_id,fractured", ((row[0], 0.5) for row in rows))
    for study in TEST:
        yield f"test_images/{study}/1.dcm", DICOM(files)
