"""Submissions for rsna-2022-cervical-spine-fracture-detection, good, odd and bad."""

from __future__ import annotations

from pathlib import Path

from mlebench.rehearsal import rng


def submissions(public: Path, private: Path, seed: int) -> dict[str, str]:
    import pandas as pd

    truth = pd.read_csv(private / "answers.csv")[["row_id", "fractured"]]
    r = rng(seed, "submissions")
    soft = [min(1.0, max(0.0, 0.25 + 0.5 * y + r.gauss(0, 0.15))) for y in truth["fractured"]]
    noisy = truth.assign(fractured=soft)
    ids = list(truth["row_id"])
    out = {
        "perfect": truth,
        "noisy": noisy,
        "noisy_only_overall": truth.assign(
            fractured=[s if i.endswith("overall") else 0.1 for s, i in zip(soft, ids, strict=True)]
        ),
        "noisy_hard_labels": truth.assign(
            fractured=[y if r.random() < 0.95 else 1 - y for y in truth["fractured"]]
        ),
        "noisy_shuffled": noisy.sample(frac=1, random_state=seed),
        "odd_extra_column": noisy.assign(StudyInstanceUID="x"),
        "bad_missing_column": noisy[["row_id"]],
        "bad_missing_row": noisy.iloc[1:],
        "bad_extra_row": pd.concat([noisy, noisy.iloc[:1]]),
        "bad_wrong_id": noisy.assign(row_id=["x_C1", *ids[1:]]),
        "bad_duplicate_id": noisy.assign(row_id=[ids[1], *ids[1:]]),
        "bad_nan": noisy.assign(fractured=[None, *soft[1:]]),
        "bad_text_in_numbers": noisy.assign(fractured=["yes", *soft[1:]]),
        "bad_out_of_range": noisy.assign(fractured=[1.5, *soft[1:]]),
    }
    return {name: frame.to_csv(index=False) for name, frame in out.items()}
