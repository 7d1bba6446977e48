"""Submissions for invasive-species-monitoring, good, odd and bad."""

from __future__ import annotations

from pathlib import Path

from mlebench.rehearsal import rng
from tests.competitions.frames import as_files, with_firsts, with_wrong_rows


def submissions(public: Path, private: Path, seed: int) -> dict[str, str]:
    import pandas as pd

    truth = pd.read_csv(private / "answers.csv")
    r = rng(seed, "submissions")
    y = list(truth["invasive"])
    noisy = truth.assign(
        invasive=[round(min(1, max(0, r.gauss(0.35 + 0.3 * v, 0.25))), 4) for v in y]
    )
    ties = truth.assign(
        invasive=[round(min(1, max(0, r.gauss(0.3 + 0.4 * v, 0.4))) * 3) / 3 for v in y]
    )
    hard = truth.assign(invasive=[v if r.random() < 0.75 else 1 - v for v in y])
    out = {
        "perfect": truth,
        "noisy": noisy,
        "noisy_ties": ties,
        "noisy_hard_labels": hard,
        "upside_down": noisy.assign(invasive=1 - noisy["invasive"]),
        "noisy_shuffled": noisy.sample(frac=1, random_state=seed),
        "odd_extra_column": noisy.assign(extra=1),
        "odd_float_ids": noisy.assign(name=noisy["name"].astype(float)),
        **with_wrong_rows(truth, 10**6),
        "bad_duplicate_id": pd.concat([truth.iloc[:-1], truth.iloc[:1]]),
        **with_firsts(noisy, "invasive", bad_nan=None, bad_text_in_numbers="yes"),
        **with_firsts(noisy, "invasive", bad_out_of_range=1.5, bad_negative=-0.1),
    }
    return as_files(out)
