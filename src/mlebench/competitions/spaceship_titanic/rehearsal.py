"""Rehearsal data. Passengers of a ship: mixed columns with gaps, boolean target."""

from __future__ import annotations

from pathlib import Path

from mlebench.rehearsal import rng, write_csv

COLUMNS = [
    "PassengerId",
    "HomePlanet",
    "CryoSleep",
    "Cabin",
    "Destination",
    "Age",
    "VIP",
    "RoomService",
    "FoodCourt",
    "ShoppingMall",
    "Spa",
    "VRDeck",
    "Name",
    "Transported",
]


def make_raw(raw: Path, seed: int, scale: int = 1) -> None:
    r = rng(seed, "rows")

    def row(i: int, labelled: bool):
        gap = lambda v: "" if r.random() < 0.05 else v
        cells = [
            f"{i:04d}_01",
            gap(r.choice(["Earth", "Mars", "Europa"])),
            gap(r.choice(["True", "False"])),
            gap(f"{r.choice('ABCDEFG')}/{i}/{r.choice('PS')}"),
            gap(r.choice(["TRAPPIST-1e", "55 Cancri e"])),
            gap(f"{r.randrange(80)}.0"),
            gap("False"),
            *(gap(f"{r.randrange(900)}.0") for _ in range(5)),
            gap(f"Ann {i}"),
        ]
        return cells + ([r.choice(["True", "False"])] if labelled else [])

    write_csv(raw / "train.csv", COLUMNS, (row(i, True) for i in range(1, 200 * scale)))
    write_csv(raw / "test.csv", COLUMNS[:-1], (row(i, False) for i in range(10_000, 10_050)))
    write_csv(
        raw / "sample_submission.csv",
        ["PassengerId", "Transported"],
        ((f"{i}_01", "False") for i in range(10_000, 10_050)),
    )
