"""Submissions for spaceship-titanic, good, odd and bad."""

from __future__ import annotations

from pathlib import Path

from mlebench.rehearsal import rng


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
        "bad_missing_row": truth.iloc[1:],
        "bad_no_target": truth[["PassengerId"]],
        "bad_wrong_id": truth.assign(PassengerId=["x", *truth["PassengerId"][1:]]),
        "bad_extra_row": pd.concat([truth, truth.iloc[:1]]),
        "odd_extra_column": noisy.assign(extra=1),
        "odd_nan": noisy.assign(Transported=[None, *noisy["Transported"][1:]]),
    }
    return {name: frame.to_csv(index=False) for name, frame in out.items()} | {
        "bad_empty": "",
        "bad_header_only": "PassengerId,Transported\n",
    }
