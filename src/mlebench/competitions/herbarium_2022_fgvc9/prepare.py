"""Images split species by species; those of both parts get new names."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

from mlebench.archives.copying import copy_files
from mlebench.archives.raw import Raw
from mlebench.recipes.coco import (
    Pair,
    in_content_order,
    split_by_category,
    with_pairs,
    write_json,
    write_numbered_answers,
)


def prepare(raw: Raw, public: Path, private: Path, *, numbered_by_hash: bool = False) -> None:
    metadata = json.loads((raw / "train_metadata.json").read_bytes())
    train, test = split_by_category(metadata, test_size=0.2)
    if numbered_by_hash:
        test = in_content_order(test, raw / "train_images")
    renamed = rename_train(train)
    write_json(with_pairs(metadata, renamed), public / "train_metadata.json")
    copy_renamed(raw, train, renamed, public / "train_images")
    numbered = number_test(test)
    write_json([image for _, image in numbered], public / "test_metadata.json")
    copy_renamed(raw, test, numbered, public / "test_images")
    categories = [annotation["category_id"] for annotation, _ in test]
    write_numbered_answers(categories, public, private, sample_value=42)


def rename_train(pairs: list[Pair]) -> list[Pair]:
    """Pairs whose id consists of the category and a new number within it, from 1."""
    count: Counter[int] = Counter()
    renamed = []
    for annotation, image in pairs:
        category = annotation["category_id"]
        count[category] += 1
        new_id = f"{category:05d}__{count[category]:03d}"
        file_name = f"{category // 100:03d}/{category % 100:02d}/{new_id}.jpg"
        new_image = {**image, "image_id": new_id, "file_name": file_name}
        renamed.append(({**annotation, "image_id": new_id}, new_image))
    return renamed


def number_test(pairs: list[Pair]) -> list[Pair]:
    """Pairs whose image has its place in the list for a name."""
    return [
        (
            annotation,
            {
                **image,
                "image_id": str(number),
                "file_name": f"{number // 1000:03d}/test-{number:06d}.jpg",
            },
        )
        for number, (annotation, image) in enumerate(pairs)
    ]


def copy_renamed(raw: Raw, old: list[Pair], new: list[Pair], folder: Path) -> None:
    """Copy the images of the old pairs under the file names of the new ones."""
    sources = raw / "train_images"
    copy_files(
        {
            image["file_name"]: sources / original["file_name"]
            for (_, original), (_, image) in zip(old, new, strict=True)
        },
        folder,
    )
