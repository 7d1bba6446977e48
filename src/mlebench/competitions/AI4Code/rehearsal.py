"""Rehearsal data. Notebooks whose markdown cells must be put back in order; the split takes exactly 20,000 of them for the test."""

from __future__ import annotations

import json
from pathlib import Path

from mlebench.rehearsal import hex_id, rng, write_bytes, write_csv

TEST_SIZE = 20_000  # hard-coded in the official split: fewer notebooks than that cannot be prepared


CODE = [
    "import pandas as pd",
    "df.head()",
    "x = 1\ny = 2",
    "print('a, \"b\"')",
    "plt.plot(x)",
    "é = 'ü'",
]


TEXT = ["# Title", "## EDA", "Let's look, again", "* one\n* two", "数据 – π", "$\\alpha$"]


def make_raw(raw: Path, seed: int, scale: int = 1) -> None:
    r = rng(seed, "notebooks")
    total = TEST_SIZE + 150 * scale
    ids = sorted({hex_id(r, 14) for _ in range(total)})
    while len(ids) < total:
        ids = sorted({*ids, hex_id(r, 14)})
    # fork families of 1 to 40 notebooks
    ancestor = {}
    pool = list(ids)
    r.shuffle(pool)
    while pool:
        size = r.choice([1, 1, 1, 1, 1, 1, 2, 3, 4, r.choice([1, 10, 25, 40])])
        family, name = [pool.pop() for _ in range(min(size, len(pool)))], hex_id(r, 8)
        for k, i in enumerate(family):
            parent = (
                ""
                if k == 0 and r.random() < 0.8
                else (hex_id(r, 14) if r.random() < 0.5 else family[0])
            )
            ancestor[i] = (name, parent)
    orders = []
    for i in ids:
        cells = [hex_id(r, 8) for _ in range(r.choice([2, 2, 2, 3, 3, 4]))]
        n_code = r.randrange(1, len(cells))
        code = set(r.sample(cells, n_code))
        markdown = [c for c in cells if c not in code]
        r.shuffle(markdown)
        listed = [c for c in cells if c in code] + markdown
        body = {
            "cell_type": {c: "code" if c in code else "markdown" for c in listed},
            "source": {c: r.choice(CODE if c in code else TEXT) for c in listed},
        }
        write_bytes(raw / "train" / f"{i}.json", json.dumps(body).encode())
        orders.append((i, " ".join(cells)))
    write_csv(raw / "train_orders.csv", ["id", "cell_order"], orders)
    write_csv(
        raw / "train_ancestors.csv",
        ["id", "ancestor_id", "parent_id"],
        ((i, *ancestor[i]) for i in ids),
    )
    extra = [hex_id(r, 14) for _ in range(4)]
    for i in extra:
        write_bytes(
            raw / "test" / f"{i}.json",
            json.dumps({"cell_type": {"0a": "code"}, "source": {"0a": "1"}}).encode(),
        )
    write_csv(raw / "sample_submission.csv", ["id", "cell_order"], ((i, "0a") for i in extra))
