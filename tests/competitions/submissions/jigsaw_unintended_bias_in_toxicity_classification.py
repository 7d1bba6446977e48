"""Submissions for jigsaw-unintended-bias-in-toxicity-classification, good, odd and bad."""

from __future__ import annotations

from pathlib import Path

from mlebench.rehearsal import rng
from tests.competitions.frames import as_files


def submissions(public: Path, private: Path, seed: int) -> dict[str, str]:
    import pandas as pd

    answers = pd.read_csv(private / "test.csv")
    r = rng(seed, "submissions")
    truth = answers[["id"]].assign(prediction=answers["toxicity"])
    soft = [min(1.0, max(0.0, t + r.gauss(0, 0.3))) for t in truth["prediction"]]
    noisy = truth.assign(prediction=soft)
    ids = list(truth["id"])
    out = {
        "perfect": truth,
        "noisy": noisy,
        "noisy_same_after_cut": truth.assign(prediction=[1.0 if v >= 0.5 else 0.0 for v in soft]),
        "noisy_soft_ranking_lost": truth.assign(prediction=[v / 3 for v in soft]),
        "noisy_at_threshold": truth.assign(prediction=[0.5 if v > 0.4 else 0.49999 for v in soft]),
        "noisy_shuffled": noisy.sample(frac=1, random_state=seed),
        "odd_toxicity_column": noisy.rename(columns={"prediction": "toxicity"}).assign(extra="x"),
        "odd_nan_is_clean": noisy.assign(
            prediction=[None if i % 3 == 0 else v for i, v in enumerate(soft)]
        ),
        "odd_out_of_range": noisy.assign(prediction=[v * 7 - 3 for v in soft]),
        "bad_both_columns": noisy.assign(toxicity=soft),
        "bad_missing_column": noisy[["id"]],
        "bad_missing_row": noisy.iloc[1:],
        "bad_duplicate_id": noisy.assign(id=[ids[1], *ids[1:]]),
        "bad_text_in_numbers": noisy.assign(prediction=["high", *soft[1:]]),
    }
    return as_files(out)
