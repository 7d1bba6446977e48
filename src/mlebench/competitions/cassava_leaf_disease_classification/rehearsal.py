"""Rehearsal data: cassava leaves as loose JPEGs and as TFRecord files, which decide the split."""

from mlebench.rehearsal import Making, Parts, csv_file, jpeg, json_file, raw_data
from mlebench.rehearsal.tfrecords import tfrecords

NAMES = [
    *("Cassava Bacterial Blight (CBB)", "Cassava Brown Streak Disease (CBSD)"),
    *("Cassava Green Mottle (CGM)", "Cassava Mosaic Disease (CMD)", "Healthy"),
]
TEST = "2216849948.jpg"


@raw_data("train")
def make_raw(making: Making) -> Parts:
    r, labels = making.r, {}
    for number in range(16):
        examples = []
        for _ in range(r.randrange(6, 12) * making.scale):
            name = f"{r.randrange(10**6, 4 * 10**9)}.jpg"
            labels[name] = r.choices(range(5), [5, 10, 11, 62, 12])[0]
            image = jpeg(r)
            yield f"train_images/{name}", image
            examples.append({"image": image, "image_name": name.encode(), "target": labels[name]})
        file = f"train_tfrecords/ld_train{number:02d}-{len(examples)}.tfrec"
        yield file, tfrecords(examples)
    yield csv_file("train.csv", "image_id,label", sorted(labels.items()))
    yield json_file("label_num_to_disease_map.json", dict(enumerate(NAMES)))
    image = jpeg(r)
    yield f"test_images/{TEST}", image
    test = tfrecords([{"image": image, "image_name": TEST.encode()}])
    yield "test_tfrecords/ld_test00-1.tfrec", test
    yield csv_file("sample_submission.csv", "image_id,label", [(TEST, 4)])
