"""COCO-style metadata of images (annotations and images as parallel lists), split by label.

The herbaria and iNaturalist share this: every species is split on its own, so that none of them is
unknown in training.
"""

from __future__ import annotations

import io
import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

from mlebench.archives.copying import copy_files
from mlebench.archives.raw import Raw
from mlebench.archives.writing import open_output
from mlebench.recipes.hashes import content_key
from mlebench.recipes.holdouts import in_hold_out
from mlebench.revision import Fix
from mlebench.tables import split_rows, write_table

Record = dict[str, Any]
Pair = tuple[Record, Record]
"""An annotation and its image."""

Decode = Callable[[bytes], str]

SMALLEST_SHUFFLED = 5
"""With fewer pairs than this, the last one is the test pair, unless it is the only one."""

NUMBERED_BY_HASH = Fix(
    "test images are numbered by one shuffle of category blocks with a public seed, and the"
    " lengths of the blocks follow from train",
    "test images are numbered in the order of the hashes of their bytes",
)


def split_by_category(metadata: Record, *, test_size: float) -> tuple[list[Pair], list[Pair]]:
    """Train pairs, category by category in order of appearance, and shuffled test pairs."""
    groups: dict[Any, list[Pair]] = {}
    for pair in zip(metadata["annotations"], metadata["images"], strict=True):
        groups.setdefault(pair[0]["category_id"], []).append(pair)
    train: list[Pair] = []
    test: list[Pair] = []
    for pairs in groups.values():
        for_train, for_test = _split_category(pairs, test_size)
        train += for_train
        test += for_test
    random.Random(0).shuffle(test)
    return train, test


def _split_category(pairs: list[Pair], test_size: float) -> tuple[list[Pair], list[Pair]]:
    if len(pairs) >= SMALLEST_SHUFFLED:
        for_train, for_test = split_rows(pairs, test_size=test_size)
        return for_train, for_test
    cut = max(1, len(pairs) - 1)
    return pairs[:cut], pairs[cut:]


def order_by_hash(name: str, raw: Raw, target: Path) -> None:
    """Write metadata with its pairs in the order of the hashes of file names, which then decide
    which pairs of a category are held out."""
    metadata = json.loads((raw / name).read_bytes())
    pairs = list(zip(metadata["annotations"], metadata["images"], strict=True))
    pairs.sort(key=lambda pair: in_hold_out(pair[1]["file_name"]))
    write_json(with_pairs(metadata, pairs), target / name)


def in_content_order(pairs: list[Pair], folder: Raw) -> list[Pair]:
    """The pairs in the order of the hashes of their images."""
    return sorted(pairs, key=lambda pair: content_key(folder / pair[1]["file_name"]))


def split_sheets(
    source: Raw, goal: Path, *, decode: Decode = bytes.decode, numbered_by_hash: bool = False
) -> list[int]:
    """Split a `train` folder of images with `metadata.json` into `train` and a numbered `test`.

    Returns the categories of the test images in the order of their numbers, which is that of the
    split or, from revision v1.1 on, that of the hashes of the images.
    """
    sheets = source / "train"
    metadata = json.loads(decode((sheets / "metadata.json").read_bytes()))
    train, test = split_by_category(metadata, test_size=0.2)
    if numbered_by_hash:
        test = in_content_order(test, sheets)
    write_json(with_pairs(metadata, train), goal / "train" / "metadata.json")
    copy_renamed(sheets, train, train, goal / "train")
    numbered = number_images(test, "id", "images/{:03d}/{}.jpg")
    shown = without_labels(metadata, [image for _, image in numbered])
    write_json(shown, goal / "test" / "metadata.json")
    copy_renamed(sheets, test, numbered, goal / "test")
    return [annotation["category_id"] for annotation, _ in test]


def number_images(pairs: list[Pair], key: str, name: str) -> list[Pair]:
    """The pairs with their places in the list as ids.

    Args:
        key: of the id in the record of an image.
        name: a format for its file name; takes the number divided by 1000 and the number.
    """
    return [
        (annotation, {**image, key: str(k), "file_name": name.format(k // 1000, k)})
        for k, (annotation, image) in enumerate(pairs)
    ]


def copy_renamed(source: Raw, old: list[Pair], new: list[Pair], goal: Path) -> None:
    """Copy the images of the old pairs under the file names of the new ones."""
    files = {
        image["file_name"]: source / original["file_name"]
        for (_, original), (_, image) in zip(old, new, strict=True)
    }
    copy_files(files, goal)


def decode_mixed(data: bytes) -> str:
    """UTF-8 text; bytes that are not part of any character are read as Latin-1."""
    parts: list[str] = []
    while True:
        try:
            return "".join(parts) + data.decode()
        except UnicodeDecodeError as error:
            parts += [data[: error.start].decode(), data[error.start : error.end].decode("latin-1")]
            data = data[error.end :]


def with_pairs(metadata: Record, pairs: list[Pair]) -> Record:
    """The metadata with these annotations and images only."""
    annotations, images = [a for a, _ in pairs], [i for _, i in pairs]
    return {**metadata, "annotations": annotations, "images": images}


def without_labels(metadata: Record, images: list[Record]) -> Record:
    """The metadata of a test part without labels."""
    return {"images": images, "info": metadata["info"], "licenses": metadata["licenses"]}


def write_json(content: Any, path: Path) -> None:
    """Indented JSON with sorted keys, without bytes beyond ASCII, piece by piece."""
    with open_output(path) as stream, io.TextIOWrapper(stream, encoding="ascii") as text:
        json.dump(content, text, indent=4, sort_keys=True)


def write_numbered_answers(
    categories: list[int], public: Path, private: Path, *, sample_value: int
) -> None:
    """Answers and sample submission of test images that are known by their numbers."""
    import pandas as pd

    answers = pd.DataFrame({"Id": range(len(categories)), "Predicted": categories})
    write_table(answers, private / "answers.csv")
    write_table(answers.assign(Predicted=sample_value), public / "sample_submission.csv")
