"""Submissions for ventilator-pressure-prediction, good, odd and bad."""

from __future__ import annotations

from pathlib import Path

from mlebench.rehearsal import rng
from tests.competitions.frames import as_files


def submissions(public: Path, private: Path, seed: int) -> dict[str, str]:
    import pandas as pd

    answers = pd.read_csv(private / "test.csv")
    truth = answers[["id", "pressure"]]
    r = rng(seed, "submissions")
    guess = [p + r.gauss(0, 2) for p in truth["pressure"]]
    noisy = truth.assign(pressure=guess)
    closed = list(answers["u_out"])
    ids = list(truth["id"])
    scored, unscored = closed.index(0), closed.index(1)

    def with_cell(position: int, value):
        column = list(guess)
        column[position] = value
        return noisy.assign(pressure=column)

    out = {
        "perfect": truth,
        "noisy": noisy,
        "noisy_only_expiration_wrong": truth.assign(
            pressure=[p if u == 0 else -999 for p, u in zip(truth["pressure"], closed, strict=True)]
        ),
        "noisy_constant": truth.assign(pressure=10),
        "noisy_shuffled": noisy.sample(frac=1, random_state=seed),
        "odd_extra_column": noisy.assign(extra="x"),
        "odd_gap_in_unscored_row": with_cell(unscored, None),
        "odd_text_in_unscored_row": with_cell(unscored, "low"),
        "bad_nan": with_cell(scored, None),
        "bad_text_in_numbers": with_cell(scored, "low"),
        "bad_missing_column": noisy[["id"]],
        "bad_missing_row": noisy.iloc[1:],
        "bad_wrong_id": noisy.assign(id=noisy["id"] + 1),
        "bad_duplicate_id": noisy.assign(id=[ids[1], *ids[1:]]),
    }
    return as_files(out)
