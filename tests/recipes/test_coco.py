"""Splitting every category of COCO-style metadata by itself."""

import json

from mlebench.recipes.coco import split_by_category, write_json


def metadata_of(*categories):
    annotations = [{"id": k, "image_id": k, "category_id": c} for k, c in enumerate(categories)]
    return {"annotations": annotations, "images": [{"id": k} for k in range(len(categories))]}


def test_small_categories_give_their_last_pair_to_test():
    train, test = split_by_category(metadata_of(7, 3, 9, 3, 9, 9, 9), test_size=0.2)
    assert [a["id"] for a, _ in train] == [0, 1, 2, 4, 5]
    assert sorted(a["id"] for a, _ in test) == [3, 6]


def test_larger_categories_are_shuffled_and_nothing_is_lost():
    train, test = split_by_category(metadata_of(*[1] * 10, *[2] * 5), test_size=0.2)
    assert [a["category_id"] for a, _ in train] == [1] * 8 + [2] * 4
    assert sorted(a["category_id"] for a, _ in test) == [1, 1, 2]
    assert sorted(a["id"] for a, _ in train + test) == list(range(15))
    assert all(a["image_id"] == i["id"] for a, i in train + test)


def test_json_has_sorted_keys_and_ascii_only(tmp_path):
    write_json({"b": "é", "a": [1.0, 5.9e-05]}, tmp_path / "new" / "m.json")
    text = (tmp_path / "new" / "m.json").read_text("ascii")
    assert text == '{\n    "a": [\n        1.0,\n        5.9e-05\n    ],\n    "b": "\\u00e9"\n}'
    assert json.loads(text) == {"a": [1.0, 5.9e-05], "b": "é"}
