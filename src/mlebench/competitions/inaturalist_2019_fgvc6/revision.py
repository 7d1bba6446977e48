"""Revision v1.1: new numbers for the test images, and archives that match the JSON files."""

import json
from pathlib import Path

from mlebench.archives.copying import copy_file
from mlebench.archives.raw import Raw
from mlebench.competitions.inaturalist_2019_fgvc6.prepare import (
    TEST,
    TRAIN,
    base_name,
    images,
    members,
    tar_files,
    write_answers,
)
from mlebench.recipes.coco import (
    Record,
    in_content_order,
    split_by_category,
    with_pairs,
    without_labels,
    write_json,
)
from mlebench.revision import Changes, Fix

VALIDATION = "val2019.tar"


def prepare(raw: Raw, public: Path, private: Path) -> None:
    metadata = json.loads((raw / "train2019.json").read_bytes())
    validation = json.loads((raw / "val2019.json").read_bytes())
    train, test = split_by_category(metadata, test_size=0.12)
    shown = [(note, as_member(image)) for note, image in train]
    write_json(with_pairs(metadata, shown), public / "train2019.json")
    shown_images = [as_member(image) for image in validation["images"]]
    write_json({**validation, "images": shown_images}, public / "val2019.json")
    with images(raw) as content:
        pairs = in_content_order(test, content)
        numbered = [(note, {**image, "id": k}) for k, (note, image) in enumerate(pairs)]
        write_answers(numbered, public, private)
        files = {f"{TEST}/{base_name(image['file_name'])}": image for _, image in numbered}
        shown_images = [{**image, "file_name": name} for name, image in files.items()]
        write_json(without_labels(metadata, shown_images), public / "test2019.json")
        # The same bytes as in v1, so that both revisions share the archive.
        names = [image["file_name"] for _, image in train]
        tar_files(members(names, content), public / f"{TRAIN}.tar")
        tests = {name: content / image["file_name"] for name, image in files.items()}
        tar_files(tests, public / f"{TEST}.tar")
        if (raw / VALIDATION).is_file():
            # The raw data of a hold-out is the public folder.
            copy_file(raw / VALIDATION, public / VALIDATION)
        else:
            names = [image["file_name"] for image in validation["images"]]
            tar_files(members(names, content), public / VALIDATION)


def as_member(image: Record) -> Record:
    """The image under its name in the archive."""
    return {**image, "file_name": image["file_name"].removeprefix(f"{TRAIN}/")}


changes = Changes(
    fixes=(
        Fix(
            "the test list is one shuffle of category blocks with a public seed, and the lengths"
            " of the blocks follow from train",
            "test images are numbered in the order of the hashes of their bytes",
        ),
        Fix("validation images are described but not delivered", "they are in val2019.tar"),
        Fix(
            "files called .tar.gz are plain tar, and their members lack the folder that the JSON"
            " files name",
            "the archives are called .tar, and the JSON files have the names of their members",
        ),
    ),
    comparability="near",
    prepare=prepare,
    passages={
        "`train_val2019.tar.gz`": "`train_val2019.tar`",
        "`test2019.tar.gz`": "`test2019.tar`",
        "| `val2019.json` | labels of 3,030 validation pictures, which are **not** included |": (
            "| `val2019.json`, `val2019.tar` | labels of 3,030 validation pictures, and these"
            " pictures |"
        ),
        "| `val2019.json` | labels of 3,030 more pictures that are **not** delivered |": (
            "| `val2019.json`, `val2019.tar` | labels of 3,030 more pictures, and these pictures |"
        ),
        **dict.fromkeys(
            (
                "The two archives are plain tar files in spite of their names: … So unpack"
                " them into folders called `train_val2019` and `test2019`.",
                "Both archives are uncompressed tar files although their names end in `.gz`;"
                " … and the paths fit.",
            ),
            "`file_name` in the JSON files is the name of the picture in its archive:"
            " `Plants/400/<hash>.jpg` for train and validation, `test2019/<hash>.jpg` for the"
            " test.",
        ),
    },
)
