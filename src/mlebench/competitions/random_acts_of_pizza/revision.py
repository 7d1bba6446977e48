"""Revision v1.1: posts do not say who gave the pizza."""

from pathlib import Path

from mlebench.archives.raw import Raw
from mlebench.competitions.random_acts_of_pizza.competition import (
    ID,
    TARGET,
    Post,
    as_json,
    split,
)
from mlebench.revision import Changes, Fix
from mlebench.tables import Splitting, split_rows

GIVER = "giver_username_if_known"


def prepare(raw: Raw, public: Path, private: Path, *, splitting: Splitting = split_rows) -> None:
    train, test = split(raw, public, private, splitting).values()
    shown = [field for field in test[0] if field != GIVER]
    parts = {
        "train": [{field: post[field] for field in (*shown, TARGET)} for post in train],
        "test": [{field: post[field] for field in shown} for post in sorted(test, key=by_id)],
    }
    for name, posts in parts.items():
        (public / f"{name}.json").write_bytes(as_json(posts))


def by_id(post: Post) -> str:
    return str(post[ID])


changes = Changes(
    fixes=(
        Fix(
            "giver_username_if_known of a test post is known only if the request succeeded",
            "the field is left out, and train posts have no field that test posts lack, except"
            " the target",
            "#108",
            traces=("giver_username_if_known",),
        ),
        Fix("all posts are public twice, loose and in a zip", "the zip files are left out"),
    ),
    comparability="near",
    flags=("people on the board could use the field that v1.1 leaves out",),
    prepare=prepare,
    passages={
        "list of labelled posts, all fields |": "list of labelled posts |",
        "list of posts to predict, request-time fields only |": "list of posts to predict |",
        "list of labelled requests, all fields |": "list of labelled requests |",
        "list of requests to predict, reduced fields |": "list of requests to predict |",
        "| `train.zip`, `test.zip` | the same two files again, zipped | |": "",
        "| `train.zip`, `test.zip` | zipped copies of these two files | |": "",
        "| `giver_username_if_known` | who gave, `N/A` if not known |": "",
        "| `giver_username_if_known` | giver, `N/A` if not known |": "",
        "- Fields that were recorded long after the request exist for training posts only.": "",
        "Only in `train.json`, because they were recorded after the outcome or reveal it:": (
            "Only in `train.json`:"
        ),
        "| `request_text` | the text with later edits | … Do not build on the training-only"
        " fields: they are missing at test time.": "",
        "| `request_text` | text including later edits | … after the outcome |": "",
    },
)
