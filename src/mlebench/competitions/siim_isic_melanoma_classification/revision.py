"""Revision v1.1: patients are kept apart, and the TFRecord files of test images have no labels."""

from collections.abc import Collection
from pathlib import Path

from mlebench.archives.copying import copy_split
from mlebench.archives.raw import Raw
from mlebench.archives.tfrecords import frame_record
from mlebench.archives.writing import open_output
from mlebench.competitions.siim_isic_melanoma_classification.prepare import KNOWN, write_tables
from mlebench.formats.clusters import Clusters
from mlebench.recipes.hashes import split_by_hash
from mlebench.recipes.tfrecord import data_of, keep_features, read_feature, read_frames
from mlebench.revision import Changes, Fix
from mlebench.tables import read_table, write_table

SHOWN = frozenset([*KNOWN, "image", "width", "height"])


def prepare(raw: Raw, public: Path, private: Path) -> None:
    images = read_table(raw / "train.csv")
    train, test = split_by_hash(images, "patient_id", test_size=0.125)
    write_tables(train, test, public, private)
    # The standard error of a score counts patients.
    write_table(test[["image_name", "target", "patient_id"]], private / "test.csv")
    for pattern in ("train/{}.dcm", "jpeg/train/{}.jpg"):
        copy_split(raw, pattern, public, train=train["image_name"], test=test["image_name"])
    test_names = frozenset(test["image_name"])
    for number, shard in enumerate((raw / "tfrecords").files("train*.tfrec")):
        split_shard(shard, test_names, public / "tfrecords", number)


def split_shard(shard: Raw, test_names: Collection[str], folder: Path, number: int) -> None:
    """Write the records of both parts, in the order of their names; their count is in the name."""
    named = {read_feature(data_of(f), "image_name").decode(): f for f in read_frames(shard)}
    names = sorted(named)
    train = [named[name] for name in names if name not in test_names]
    shown = (keep_features(data_of(named[name]), SHOWN) for name in names if name in test_names)
    for part, frames in (("train", train), ("test", [frame_record(data) for data in shown])):
        if frames:
            with open_output(folder / f"{part}{number:02d}-{len(frames)}.tfrec") as stream:
                stream.writelines(frames)


changes = Changes(
    fixes=(
        Fix(
            "the TFRecord files of the test images contain target and diagnosis",
            "their records are rewritten with the image, its name and the fields of test.csv only",
            traces=(
                "tfrec test target",
                "tfrec test diagnosis",
            ),
        ),
        Fix(
            "patients are in train and test",
            "an eighth of the patients is drawn by the hash of their id",
        ),
    ),
    comparability="new",
    prepare=prepare,
    clusters=Clusters("patient", "patient_id"),
    passages={
        "`patient_id` links them, also between training and test images.": (
            "`patient_id` links them."
        ),
        "patients occur in training and test.": "a patient is either in training or in test.",
        "28,984": "about 29,000",
        "4,142": "about 4,100",
        "| `tfrecords/train00-2071.tfrec` … | 14 files |": (
            "| `tfrecords/train<NN>-<count>.tfrec` | training images resized to 1024 x 1024,"
            " as TFRecord; `<count>` is the number of records | up to 16 files |"
        ),
        "| `tfrecords/test00-2071.tfrec`, … | 2 files |": (
            "| `tfrecords/test<NN>-<count>.tfrec` | test images, likewise | up to 16 files |"
        ),
        "## Notes …": (
            "## Notes\n"
            "\n"
            "- An eighth of the patients, with all their images, is the test part.\n"
            "- Records of test images have the image and the fields of `test.csv`."
        ),
        "The test record files are meant as a source of pictures only.": (
            "Records of test images have the image and the fields of `test.csv`. An eighth of"
            " the patients, with all their images, is the test part."
        ),
    },
)
