"""Rehearsal data: skin lesions as DICOM, JPEG and TFRecord, two of whose files are the test set."""

import itertools
from typing import Any

from mlebench.rehearsal import Choice, Gap, Making, Parts, Random, Several, Table, Whole, raw_data
from mlebench.rehearsal.content import Blob, csv_file, jpeg, records
from mlebench.rehearsal.tfrecords import tfrecords

SITE = Choice(
    *("head/neck", "upper extremity", "lower extremity", "torso", "palms/soles", "oral/genital")
)
AGE = Choice(*(f"{age}.0" for age in range(15, 90, 5)))
PATIENT = Whole(1, 40, "IP_{:07d}")
PERSON = Several(PATIENT, *(Gap(value, 0.1) for value in (Choice("male", "female"), AGE, SITE)))
COLUMNS = "image_name,patient_id,sex,age_approx,anatom_site_general_challenge"
DICOM = Blob(20, b"\0" * 128 + b"DICM")
COUNTS = [11 if number in (0, 6) else 3 for number in range(16)]


def lesion(r: Random, name: str) -> list[Any]:
    bad = r.random() < 0.35
    person = PERSON(r)
    kind = "melanoma" if bad else r.choice(["unknown", "nevus", "lichenoid keratosis"])
    return [name, *person, kind, "malignant" if bad else "benign", int(bad)]


def dicom_and_jpeg(r: Random, part: str, names: list[str]) -> Parts:
    for name in names:
        yield f"{part}/{name}.dcm", DICOM(r)
        yield f"jpeg/{part}/{name}.jpg", jpeg(r)


@raw_data("lesions")
def make_raw(making: Making) -> Parts:
    r, scale = making.r, making.scale
    pool = [f"ISIC_{number:07d}" for number in range(15719, 9999999, 1777)]
    names = r.sample(pool, sum(COUNTS) * scale)
    rows = {name: lesion(r, name) for name in names}
    header = f"{COLUMNS},diagnosis,benign_malignant,target"
    yield csv_file("train.csv", header, (rows[name] for name in sorted(names)))
    todo = iter(names)
    for number, count in enumerate(COUNTS):
        chosen = itertools.islice(todo, count * scale)
        cells = ((jpeg(r), i.encode(), r.randrange(2056), rows[i][7]) for i in chosen)
        examples = records("image,image_name,patient_id,target", cells)
        # The number in the real file name is its record count; here the names are fixed.
        size = 2071 if number < 15 else 2061
        yield f"tfrecords/train{number:02d}-{size}.tfrec", tfrecords(examples)
    yield from dicom_and_jpeg(r, "train", names)
    test = [f"ISIC_{number:07d}" for number in (52060, 52349, 58510)]
    yield from dicom_and_jpeg(r, "test", test)
    examples = records("image,image_name", ((jpeg(r), name.encode()) for name in test))
    yield "tfrecords/test00-687.tfrec", tfrecords(examples)
    yield csv_file("test.csv", COLUMNS, ((n, "IP_3579794", "male", "70.0", "") for n in test))
    yield Table("sample_submission.csv", {"image_name": test, "target": 0})
