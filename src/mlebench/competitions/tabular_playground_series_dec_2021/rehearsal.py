"""Rehearsal data. Forest cover: integer features, seven classes of very unequal size."""

from __future__ import annotations

from pathlib import Path

from mlebench.rehearsal import rng, write_csv

FEATURES = [
    "Elevation",
    "Aspect",
    "Slope",
    "Horizontal_Distance_To_Hydrology",
    "Vertical_Distance_To_Hydrology",
    "Horizontal_Distance_To_Roadways",
    "Hillshade_9am",
    "Hillshade_Noon",
    "Hillshade_3pm",
    "Horizontal_Distance_To_Fire_Points",
    *(f"Wilderness_Area{k}" for k in range(1, 5)),
    *(f"Soil_Type{k}" for k in range(1, 41)),
]


def make_raw(raw: Path, seed: int, scale: int = 1) -> None:
    r = rng(seed, "rows")

    def features():
        return [
            r.randrange(1800, 3800),
            r.randrange(-33, 407),
            r.randrange(-3, 60),
            r.randrange(-92, 1600),
            r.randrange(-317, 800),
            r.randrange(-287, 7600),
            r.randrange(-4, 301),
            r.randrange(49, 279),
            r.randrange(-53, 272),
            r.randrange(-277, 8000),
        ] + [int(r.random() < 0.1) for _ in range(44)]

    n = 600 * scale
    cover = lambda k: (
        5 if k == 77 else r.choices([1, 2, 3, 4, 6, 7], [368, 565, 49, 1, 3, 15])[0]
    )  # class 5 occurs once, as in the real file
    write_csv(
        raw / "train.csv",
        ["Id", *FEATURES, "Cover_Type"],
        ([k, *features(), cover(k)] for k in range(n)),
    )
    write_csv(
        raw / "test.csv", ["Id", *FEATURES], ([4_000_000 + k, *features()] for k in range(20))
    )
    write_csv(
        raw / "sample_submission.csv", ["Id", "Cover_Type"], ([4_000_000 + k, 2] for k in range(20))
    )
