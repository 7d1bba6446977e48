"""Submissions for rsna-breast-cancer-detection, good, odd and bad."""

from __future__ import annotations

from pathlib import Path

from mlebench.rehearsal import rng
from tests.competitions.frames import as_files, with_firsts


def submissions(public: Path, private: Path, seed: int) -> dict[str, str]:
    import pandas as pd

    truth = pd.read_csv(private / "answers.csv")
    r = rng(seed, "submissions")
    soft = [min(1.0, max(0.0, 0.2 + 0.5 * y + r.gauss(0, 0.2))) for y in truth["cancer"]]
    noisy = truth.assign(cancer=soft)
    ids = list(truth["prediction_id"])
    out = {
        "perfect": truth,
        "noisy": noisy,
        "noisy_hard_labels": truth.assign(cancer=[int(v > 0.22) for v in soft]),
        "noisy_all_ones": truth.assign(cancer=1),
        "noisy_clipped_range": truth.assign(cancer=[3 * v - 0.6 for v in soft]),
        "noisy_shuffled": noisy.sample(frac=1, random_state=seed),
        "odd_extra_column": noisy.assign(extra="x"),
        "odd_all_zeros_score_zero": truth.assign(cancer=0.0),
        **with_firsts(noisy, "cancer", odd_nan_scores_zero=None, bad_text_in_numbers="no"),
        "bad_all_negative": truth.assign(cancer=-0.5),
        "bad_missing_column": noisy[["prediction_id"]],
        "bad_missing_row": noisy.iloc[1:],
        "bad_duplicate_id": noisy.assign(prediction_id=[ids[1], *ids[1:]]),
    }
    return as_files(out)
