"""Submissions for invasive-species-monitoring, good, odd and bad."""

from __future__ import annotations

from pathlib import Path

from mlebench.rehearsal import csv_text, rng


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
        "bad_missing_column": truth[["name"]],
        "bad_missing_row": truth.iloc[1:],
        "bad_extra_row": pd.concat([truth, truth.iloc[:1]]),
        "bad_wrong_id": truth.assign(name=[10**6, *truth["name"][1:]]),
        "bad_duplicate_id": pd.concat([truth.iloc[:-1], truth.iloc[:1]]),
        "bad_nan": noisy.assign(invasive=[None, *noisy["invasive"][1:]]),
        "bad_text_in_numbers": noisy.assign(invasive=["yes", *noisy["invasive"][1:]]),
        "bad_out_of_range": noisy.assign(invasive=[1.5, *noisy["invasive"][1:]]),
        "bad_negative": noisy.assign(invasive=[-0.1, *noisy["invasive"][1:]]),
    }
    return {name: f.to_csv(index=False) for name, f in out.items()} | {
        "bad_empty": "",
        "bad_header_only": csv_text(["name", "invasive"], []),
    }
