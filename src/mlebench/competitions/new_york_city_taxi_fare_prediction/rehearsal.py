"""Rehearsal data. Taxi rides with fares; the split takes exactly 9,914 rides for the test."""

from __future__ import annotations

from pathlib import Path

from mlebench.rehearsal import rng, write_csv, write_text

TEST_SIZE = 9_914  # hard-coded in the official split


COLUMNS = [
    "key",
    "fare_amount",
    "pickup_datetime",
    "pickup_longitude",
    "pickup_latitude",
    "dropoff_longitude",
    "dropoff_latitude",
    "passenger_count",
]


def make_raw(raw: Path, seed: int, scale: int = 1) -> None:
    r = rng(seed, "rides")

    def ride(k: int) -> list:
        when = f"20{r.randrange(9, 16):02d}-{r.randrange(1, 13):02d}-{r.randrange(1, 29):02d} {r.randrange(24):02d}:{r.randrange(60):02d}:{r.randrange(60):02d}"
        place = lambda c: (
            f"{c + r.uniform(-0.1, 0.1):.{r.choice([4, 6, 6, 14])}f}" if r.random() > 0.02 else "0"
        )
        drop = [place(-73.98), place(40.75)] if r.random() > 0.003 else ["", ""]
        fare = r.choice([2.5, 4.5, 5.3, 7.7, 12.1, 16.9, 45, 57.33]) if r.random() > 0.01 else -3
        return [
            f"{when}.{k:07d}",
            fare,
            when + " UTC",
            place(-73.98),
            place(40.75),
            *drop,
            r.choice([1, 1, 1, 2, 5, 6]),
        ]

    rows = [ride(k) for k in range(1, TEST_SIZE + 120 * scale + 1)]
    write_csv(raw / "train.csv", COLUMNS, rows)
    test = [ride(k) for k in range(5)]
    write_csv(raw / "test.csv", [COLUMNS[0], *COLUMNS[2:]], ([t[0], *t[2:]] for t in test))
    write_csv(raw / "sample_submission.csv", ["key", "fare_amount"], ((t[0], 11.35) for t in test))
    write_text(raw / "GCP-Coupons-Instructions.rtf", "{\\rtf1\\ansi coupons " + str(seed) + "}")
