"""Revision v1.1: the TFRecord files of the test part contain no labels."""

from pathlib import Path

from mlebench.archives.raw import Raw
from mlebench.competitions.cassava_leaf_disease_classification import competition as v1
from mlebench.recipes.tfrecord import keep_features, read_records, write_records
from mlebench.revision import NEAR_DUPLICATES, Changes, Fix

SHOWN = ("image", "image_name")


def write_shown(shard: Raw, target: Path) -> None:
    """The records of a shard without their labels."""
    write_records((keep_features(record, SHOWN) for record in read_records(shard)), target)


def prepare(raw: Raw, public: Path, private: Path) -> None:
    v1.prepare(raw, public, private, write_test=write_shown, numbered_by_hash=True)


changes = Changes(
    fixes=(
        Fix(
            "the TFRecord files of the test images are copies of training files, which have a"
            " feature with the label",
            "their records are rewritten with the image and its name only",
            traces=("tfrec test target",),
        ),
        Fix(
            "the TFRecord files are numbered in the order of the split",
            "those of the test are numbered in the order of the hashes of the images' names",
        ),
    ),
    comparability="near",
    prepare=prepare,
    flags=(NEAR_DUPLICATES,),
)
