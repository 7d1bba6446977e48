"""Submissions for cdiscount-image-classification-challenge, good, odd and bad."""

from __future__ import annotations

from pathlib import Path

from mlebench.competitions.cdiscount_image_classification_challenge.rehearsal import CATEGORIES
from mlebench.rehearsal import rng
from tests.competitions.frames import as_files, with_firsts, with_wrong_rows


def submissions(public: Path, private: Path, seed: int) -> dict[str, str]:
    import pandas as pd

    truth = pd.read_csv(private / "answers.csv")[["_id", "category_id"]]
    r = rng(seed, "submissions")
    noisy = truth.assign(
        category_id=[v if r.random() < 0.75 else r.choice(CATEGORIES) for v in truth["category_id"]]
    )
    majority = truth.assign(category_id=truth["category_id"].mode()[0])
    unknown = truth.assign(
        category_id=[v if k % 3 else 999 for k, v in enumerate(truth["category_id"])]
    )
    out = {
        "perfect": truth,
        "noisy": noisy,
        "majority": majority,
        "unknown_class": unknown,
        "noisy_shuffled": noisy.sample(frac=1, random_state=seed),
        "noisy_columns_swapped": noisy[["category_id", "_id"]],
        "noisy_extra_column": noisy.assign(confidence=0.5),
        "noisy_float_labels": noisy.assign(category_id=noisy["category_id"].astype(float)),
        **with_wrong_rows(truth, 10**7),
        "bad_extra_row": pd.concat([truth, truth.iloc[:1].assign(_id=10**7)]),
        "bad_missing_target": truth[["_id"]],
        "bad_missing_id": truth[["category_id"]],
        **with_firsts(truth, "category_id", bad_nan=None, odd_text="shoes", bad_fraction=0.5),
    }
    return as_files(out)
