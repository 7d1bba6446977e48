"""Submissions for spaceship-titanic, good, odd and bad."""

from __future__ import annotations

from pathlib import Path

from mlebench.rehearsal import rng
from tests.competitions.frames import as_files, with_wrong_rows


def submissions(public: Path, private: Path, seed: int) -> dict[str, str]:
    import pandas as pd

    truth = pd.read_csv(private / "test.csv")[["PassengerId", "Transported"]]
    r = rng(seed, "submissions")
    noisy = truth.copy()
    noisy["Transported"] = [v if r.random() < 0.8 else not v for v in noisy["Transported"]]
    out = {
        "perfect": truth,
        "noisy": noisy,
        "noisy_shuffled": noisy.iloc[::-1],
        **with_wrong_rows(truth, "x"),
        "bad_no_target": truth[["PassengerId"]],
        "odd_extra_column": noisy.assign(extra=1),
        "odd_nan": noisy.assign(Transported=[None, *noisy["Transported"][1:]]),
    }
    return as_files(out)
