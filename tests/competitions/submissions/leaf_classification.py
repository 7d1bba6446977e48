"""Submissions for leaf-classification, good, odd and bad."""

from __future__ import annotations

from pathlib import Path

from mlebench.competitions.leaf_classification.rehearsal import SPECIES
from mlebench.rehearsal import rng
from tests.competitions.frames import as_files, with_first, with_wrong_rows


def submissions(public: Path, private: Path, seed: int) -> dict[str, str]:
    import numpy as np
    import pandas as pd

    truth = pd.read_csv(private / "test.csv")
    r = rng(seed, "submissions")
    y = truth[SPECIES].to_numpy(float)

    def frame(p) -> pd.DataFrame:
        return pd.DataFrame(np.asarray(p), columns=SPECIES).assign(id=truth["id"])[["id", *SPECIES]]

    weights = y * 20 + np.array([[r.random() for _ in SPECIES] for _ in y])
    noisy = frame(weights / weights.sum(axis=1, keepdims=True))
    wrong = y.copy()
    for k in range(0, len(wrong), 4):  # sure and wrong: probability 0 is clipped
        wrong[k] = np.roll(wrong[k], 1)
    soft = frame(0.9 * wrong + 0.1 / 99)
    p0 = float(noisy[SPECIES[0]][0])
    out = {
        "perfect": frame(y),
        "noisy": noisy,
        "hard_and_wrong": frame(wrong),
        "soft_and_wrong": soft,
        "noisy_shuffled": noisy.sample(frac=1, random_state=seed),
        "noisy_columns_reordered": noisy[["id", *SPECIES[::-1]]],
        "noisy_sum_1_00001": with_first(noisy, SPECIES[0], p0 + 1e-5),
        "bad_sum_1_00002": with_first(noisy, SPECIES[0], p0 + 2e-5),
        "bad_not_normalised": frame(y * 0.5),
        "bad_extra_column": noisy.assign(x=1),
        **with_wrong_rows(noisy, 99999),
        "bad_missing_column": noisy.drop(columns=SPECIES[3]),
        "bad_missing_id": noisy.drop(columns="id"),
        "bad_extra_row": pd.concat([noisy, noisy.iloc[:1].assign(id=99999)]),
        "bad_nan": with_first(noisy, SPECIES[5], None),
        "bad_out_of_range": with_first(
            with_first(noisy.assign(**{s: [0.0, *noisy[s][1:]] for s in SPECIES}), SPECIES[0], 1.5),
            SPECIES[1],
            -0.5,
        ),
        "bad_text": with_first(noisy, SPECIES[2], "high"),
    }
    nan = noisy.assign(**{s: [1 / 98, *noisy[s][1:]] for s in SPECIES})
    out["bad_nan_row_still_sums_to_1"] = with_first(nan, SPECIES[5], None)
    return as_files(out)
