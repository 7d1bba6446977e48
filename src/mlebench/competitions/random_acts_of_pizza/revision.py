"""Revision v1.1: posts do not say who gave the pizza."""

import json
from pathlib import Path

from mlebench.archives.raw import Raw
from mlebench.competitions.random_acts_of_pizza import competition as v1
from mlebench.revision import Changes, Fix

GIVER = "giver_username_if_known"


def prepare(raw: Raw, public: Path, private: Path) -> None:
    v1.prepare(raw, public, private)
    train, test = (json.loads((public / f"{name}.json").read_bytes()) for name in ("train", "test"))
    shown = [field for field in test[0] if field != GIVER]
    v1.write(
        [{field: post[field] for field in (*shown, v1.TARGET)} for post in train],
        [{field: post[field] for field in shown} for post in sorted(test, key=by_id)],
        public,
    )


def by_id(post: v1.Post) -> str:
    return str(post[v1.ID])


changes = Changes(
    fixes=(
        Fix(
            "giver_username_if_known of a test post is known only if the request succeeded",
            "the field is left out, and train posts have no field that test posts lack, except"
            " the target",
            "#108",
        ),
    ),
    comparability="near",
    flags=("people on the board could use the field that v1.1 leaves out",),
    note=(
        "`giver_username_if_known` is left out, and train posts have the fields of test posts and"
        " the target only."
    ),
    prepare=prepare,
)
