"""Rehearsal data. Breaths of 80 time steps on a ventilator; predict the airway pressure."""

from __future__ import annotations

from pathlib import Path

from mlebench.rehearsal import rng, write_csv

COLUMNS = ["id", "breath_id", "R", "C", "time_step", "u_in", "u_out", "pressure"]


def make_raw(raw: Path, seed: int, scale: int = 1) -> None:
    r = rng(seed, "breaths")

    def table(first: int, breaths: int, labelled: bool):
        numbers = r.sample(
            range(first, first + 3 * breaths), breaths
        )  # not sorted, so grouping order shows
        row = 0
        for breath in numbers:
            lung = r.choice([5, 20, 50]), r.choice([10, 20, 50])
            t, peak = 0.0, r.uniform(5, 35)
            for step in range(80):
                u_in = (
                    0.0
                    if r.random() < 0.1
                    else 100.0
                    if r.random() < 0.02
                    else abs(20 / (1 + step / 5) + r.uniform(-2, 2))
                )
                pressure = 5.0 + peak * step / 32 if step < 32 else 6.0 + r.uniform(-0.5, 0.5)
                row += 1
                cells = [
                    row,
                    breath,
                    *lung,
                    repr(t),
                    repr(u_in),
                    int(step >= 30 + breath % 3),
                    repr(pressure + r.uniform(-0.1, 0.1)),
                ]
                yield cells if labelled else cells[:-1]
                t += 0.033 + r.uniform(0, 0.001)

    write_csv(raw / "train.csv", COLUMNS, table(1, 35 * scale, True))
    write_csv(raw / "test.csv", COLUMNS[:-1], table(1000, 2, False))
    write_csv(raw / "sample_submission.csv", ["id", "pressure"], ((i, 0) for i in range(1, 161)))
