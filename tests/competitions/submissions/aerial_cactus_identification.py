"""Submissions for aerial-cactus-identification, good, odd and bad."""

from __future__ import annotations

from pathlib import Path

from mlebench.rehearsal import rng


def submissions(public: Path, private: Path, seed: int) -> dict[str, str]:
    import pandas as pd

    truth = pd.read_csv(private / "test.csv")
    r = rng(seed, "submissions")
    soft = [min(1.0, max(0.0, 0.3 + 0.3 * y + r.gauss(0, 0.3))) for y in truth["has_cactus"]]
    noisy = truth.assign(has_cactus=soft)
    ties = truth.assign(has_cactus=[round(v * 3) / 3 for v in soft])
    out = {
        "perfect": truth,
        "noisy": noisy,
        "noisy_ties": ties,
        "noisy_inverted": truth.assign(has_cactus=[1 - v for v in soft]),
        "noisy_shuffled": noisy.sample(frac=1, random_state=seed),
        "odd_extra_column": noisy.assign(extra="x"),
        "bad_missing_column": noisy[["id"]],
        "bad_missing_row": noisy.iloc[1:],
        "bad_wrong_id": noisy.assign(id=["0.jpg", *noisy["id"][1:]]),
        "bad_duplicate_id": noisy.assign(id=[noisy["id"].iloc[1], *noisy["id"][1:]]),
        "bad_nan": noisy.assign(has_cactus=[None, *soft[1:]]),
        "bad_text_in_numbers": noisy.assign(has_cactus=["yes", *soft[1:]]),
        "bad_out_of_range": noisy.assign(has_cactus=[1.5, *soft[1:]]),
    }
    return {name: frame.to_csv(index=False) for name, frame in out.items()} | {"bad_empty": ""}
