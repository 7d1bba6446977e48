"""Images split species by species; those of both parts get new names."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

from mlebench.archives.raw import Raw
from mlebench.recipes.coco import (
    Pair,
    copy_renamed,
    in_content_order,
    number_images,
    split_by_category,
    with_pairs,
    write_json,
    write_numbered_answers,
)


def prepare(raw: Raw, public: Path, private: Path, *, numbered_by_hash: bool = False) -> None:
    sheets = raw / "train_images"
    metadata = json.loads((raw / "train_metadata.json").read_bytes())
    train, test = split_by_category(metadata, test_size=0.2)
    if numbered_by_hash:
        test = in_content_order(test, sheets)
    renamed = rename_train(train)
    write_json(with_pairs(metadata, renamed), public / "train_metadata.json")
    copy_renamed(sheets, train, renamed, public / "train_images")
    numbered = number_images(test, "image_id", "{:03d}/test-{:06d}.jpg")
    write_json([image for _, image in numbered], public / "test_metadata.json")
    copy_renamed(sheets, test, numbered, public / "test_images")
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
