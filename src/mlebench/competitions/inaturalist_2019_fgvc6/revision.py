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
    tar_files,
    write_answers,
)
from mlebench.recipes.coco import (
    in_content_order,
    split_by_category,
    with_pairs,
    without_labels,
    write_json,
)
from mlebench.revision import Changes, Fix


def prepare(raw: Raw, public: Path, private: Path) -> None:
    metadata = json.loads((raw / "train2019.json").read_bytes())
    validation = json.loads((raw / "val2019.json").read_bytes())
    train, test = split_by_category(metadata, test_size=0.12)
    write_json(with_pairs(metadata, train), public / "train2019.json")
    copy_file(raw / "val2019.json", public / "val2019.json")
    with images(raw) as content:
        pairs = in_content_order(test, content)
        numbered = [(note, {**image, "id": k}) for k, (note, image) in enumerate(pairs)]
        write_answers(numbered, public, private)
        shown = [
            {**image, "file_name": f"{TEST}/{base_name(image['file_name'])}"}
            for _, image in numbered
        ]
        write_json(without_labels(metadata, shown), public / "test2019.json")
        names = [image["file_name"] for _, image in train]
        names += [image["file_name"] for image in validation["images"]]
        tar_files({name: content / name for name in names}, public / f"{TRAIN}.tar")
        names = [image["file_name"] for _, image in pairs]
        files = {f"{TEST}/{base_name(name)}": content / name for name in names}
        tar_files(files, public / f"{TEST}.tar")


changes = Changes(
    fixes=(
        Fix(
            "the test list is one shuffle of category blocks with a public seed, and the lengths"
            " of the blocks follow from train",
            "test images are numbered in the order of the hashes of their bytes",
        ),
        Fix("validation images are described but not delivered", "they are in train_val2019.tar"),
        Fix(
            "files called .tar.gz are plain tar, and their members lack the folder that the JSON"
            " files name",
            "the archives are called .tar, and their members have the names of the JSON files",
        ),
    ),
    comparability="near",
    note=(
        "Images are in `train_val2019.tar` (train and validation) and `test2019.tar`, under the"
        " names that the JSON files have."
    ),
    prepare=prepare,
)
