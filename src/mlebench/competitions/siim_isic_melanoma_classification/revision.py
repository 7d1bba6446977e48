"""Revision v1.1: patients are kept apart, and the TFRecord files of test images have no labels."""

from collections.abc import Collection
from pathlib import Path

from mlebench.archives.copying import copy_split
from mlebench.archives.raw import Raw
from mlebench.competitions.siim_isic_melanoma_classification.prepare import KNOWN, write_tables
from mlebench.recipes.hashes import split_by_hash
from mlebench.recipes.tfrecord import keep_features, read_feature, read_records, write_records
from mlebench.revision import Changes, Fix
from mlebench.tables import read_table

SHOWN = frozenset([*KNOWN, "image", "width", "height"])


def prepare(raw: Raw, public: Path, private: Path) -> None:
    images = read_table(raw / "train.csv")
    train, test = split_by_hash(images, "patient_id", test_size=0.125)
    write_tables(train, test, public, private)
    for pattern in ("train/{}.dcm", "jpeg/train/{}.jpg"):
        copy_split(raw, pattern, public, train=train["image_name"], test=test["image_name"])
    test_names = frozenset(test["image_name"])
    for number, shard in enumerate((raw / "tfrecords").files("train*.tfrec")):
        split_shard(shard, test_names, public / "tfrecords", number)


def split_shard(shard: Raw, test_names: Collection[str], folder: Path, number: int) -> None:
    """Write the records of both parts, in the order of their names; their count is in the name."""
    named = {read_feature(record, "image_name").decode(): record for record in read_records(shard)}
    train = [named[name] for name in sorted(named) if name not in test_names]
    test = [keep_features(named[name], SHOWN) for name in sorted(named) if name in test_names]
    for part, records in (("train", train), ("test", test)):
        if records:
            write_records(records, folder / f"{part}{number:02d}-{len(records)}.tfrec")


changes = Changes(
    fixes=(
        Fix(
            "the TFRecord files of the test images contain target and diagnosis",
            "their records are rewritten with the image, its name and the fields of test.csv only",
        ),
        Fix(
            "patients are in train and test",
            "an eighth of the patients is drawn by the hash of their id",
        ),
    ),
    comparability="new",
    note=(
        "Patients of the test images are not in train. The TFRecord files of test images have"
        " the fields of `test.csv` and the image."
    ),
    prepare=prepare,
)
