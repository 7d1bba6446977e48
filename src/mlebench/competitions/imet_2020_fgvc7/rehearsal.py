"""Rehearsal data. Museum photographs with sets of numeric attributes in one text cell."""

from __future__ import annotations

from pathlib import Path

from mlebench.rehearsal import hex_id, png, rng, write_bytes, write_csv

GROUPS = ["country", "culture", "dimension", "medium", "tags"]


def make_raw(raw: Path, seed: int, scale: int = 1) -> None:
    r = rng(seed, "art")
    n_attr = 40
    names = [
        f"{GROUPS[i * len(GROUPS) // n_attr]}::{w}"
        for i, w in enumerate(
            r.sample(
                [
                    "france",
                    "japan",
                    "“attic” ware",
                    "large, round",
                    "silk",
                    "wood",
                    "men",
                    "birds",
                    "flowers",
                    "prints",
                ]
                * 4,
                n_attr,
            )
        )
    ]
    write_csv(raw / "labels.csv", ["attribute_id", "attribute_name"], enumerate(names))
    rows = []
    for _ in range(120 * scale):
        k = r.choice([1, 2, 2, 3, 3, 4, 7])
        rows.append((hex_id(r, 32), " ".join(map(str, sorted(r.sample(range(n_attr), k))))))
    rows.sort()
    write_csv(raw / "train.csv", ["id", "attribute_ids"], rows)
    for i, _ in rows:
        write_bytes(raw / "train" / f"{i}.png", png(2, 2, r, "RGB"))
    test = [hex_id(r, 32) for _ in range(5)]
    for i in test:
        write_bytes(raw / "test" / f"{i}.png", png(2, 2, r, "RGB"))
    write_csv(raw / "sample_submission.csv", ["id", "attribute_ids"], ((i, "0 1 2") for i in test))
