"""Records of images and labels, split by the place of the camera until the shares fit."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

from mlebench.archives.copying import copy_file, copy_files
from mlebench.archives.raw import Raw
from mlebench.tables import split_rows, write_table

TRAIN, TEST = "iwildcam2020_train_annotations.json", "iwildcam2020_test_information.json"
DETECTIONS = "iwildcam2020_megadetector_results.json"
TEST_SHARE = 0.22
CLASSES = 676
NAN = float("nan")
"""One object for all missing values, so that they are equal when locations are counted."""

Record = dict[str, Any]


def prepare(raw: Raw, public: Path, private: Path, *, is_sorted: bool = False) -> None:
    """Write all files.

    Args:
        is_sorted: whether the records of the test images are in the order of their ids.
    """
    import numpy as np
    import pandas as pd

    labelled = json.loads((raw / TRAIN).read_bytes())
    unlabelled = json.loads((raw / TEST).read_bytes())
    images, annotations = filled(labelled["images"]), filled(labelled["annotations"])
    test_places = choose_places([image["location"] for image in images])
    test_ids = {image["id"] for image in images if image["location"] in test_places}
    train_images, test_images = parted(images, "id", test_ids)
    train_annotations, test_annotations = parted(annotations, "image_id", test_ids)
    train = {"annotations": train_annotations, "images": train_images}
    if is_sorted:
        test_images.sort(key=lambda image: str(image["id"]))
    test = {"images": test_images, "categories": filled(unlabelled["categories"])}
    info, categories = labelled["info"], filled(labelled["categories"])
    dump({**train, "categories": categories, "info": info}, public / TRAIN)
    dump({**test, "info": unlabelled["info"]}, public / TEST)
    copy_file(raw / DETECTIONS, public / DETECTIONS)
    for name, part in (("train", train_images), ("test", test_images)):
        files = [f"{image['id']}.jpg" for image in part]
        copy_files({file: raw / "train" / file for file in files}, public / name)
    answers = pd.DataFrame(
        {
            "Id": [note["image_id"] for note in test_annotations],
            "Category": [note["category_id"] for note in test_annotations],
        }
    )
    write_table(answers, private / "answers.csv")
    guesses = np.random.RandomState(0).randint(0, CLASSES, size=len(answers))
    write_table(answers.assign(Category=guesses), public / "sample_submission.csv")


def choose_places(place_of_image: list[Any]) -> set[Any]:
    """Places of the test part: a random split, then last ones moved until the share just fits."""
    images_at = Counter(place_of_image)
    train, test = split_rows(list(images_at), test_size=TEST_SHARE)
    total, chosen = len(place_of_image), sum(images_at[place] for place in test)
    while chosen / (total + chosen) < TEST_SHARE:
        test.append(train.pop())
        chosen += images_at[test[-1]]
    while chosen / (total + chosen) > TEST_SHARE:
        train.append(test.pop())
        chosen -= images_at[train[-1]]
    return set(test)


def parted(
    records: list[Record], key: str, test_ids: set[Any]
) -> tuple[list[Record], list[Record]]:
    """The records of the train and of the test part, in their order."""
    train = [record for record in records if record[key] not in test_ids]
    return train, [record for record in records if record[key] in test_ids]


def filled(records: list[Record]) -> list[Record]:
    """The records as they would come from a table: all keys everywhere, missing values as NaN.

    As in a column of a table, integers become floats if one of them is missing or a float.
    """
    keys = list(dict.fromkeys(key for record in records for key in record))
    columns = [as_column([record.get(key, NAN) for record in records]) for key in keys]
    return [dict(zip(keys, row, strict=True)) for row in zip(*columns, strict=True)]


def as_column(values: list[Any]) -> list[Any]:
    """Numbers of mixed types, or with missing values, as floats; everything else unchanged."""
    kinds = set(map(type, values))
    if len(kinds) > 1 and kinds <= {int, float, type(None)}:
        return [NAN if value is None or value is NAN else float(value) for value in values]
    return values


def dump(content: Record, path: Path) -> None:
    """JSON in one line, without bytes beyond ASCII."""
    path.write_text(json.dumps(content), encoding="ascii")
