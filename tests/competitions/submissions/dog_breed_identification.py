"""Submissions for dog-breed-identification, good, odd and bad."""

from __future__ import annotations

from pathlib import Path

from mlebench.competitions.dog_breed_identification.rehearsal import BREEDS
from mlebench.rehearsal import rng
from tests.competitions.frames import as_files, with_wrong_rows


def submissions(public: Path, private: Path, seed: int) -> dict[str, str]:
    import numpy as np
    import pandas as pd

    truth = pd.read_csv(private / "test.csv")
    r = rng(seed, "submissions")
    hot = truth[BREEDS].to_numpy(dtype=float)

    def put(p, columns=BREEDS):
        return pd.concat([truth[["id"]], pd.DataFrame(p, columns=columns)], axis=1)

    noise = np.array([[r.random() for _ in BREEDS] for _ in range(len(truth))])
    good = hot * 20 + noise
    good /= good.sum(axis=1, keepdims=True)
    weak = hot + noise
    weak /= weak.sum(axis=1, keepdims=True)
    sure = hot.copy()
    sure[0] = np.roll(sure[0], 1)  # one certain mistake: clipped at machine epsilon
    nan = good.copy()
    nan[0, 5] = np.nan
    nan[0, 6] += 1 - np.nansum(nan[0])
    minus = good.copy()
    minus[0, 3], minus[0, 4] = -0.1, minus[0, 3] + minus[0, 4] + 0.1
    ok_sum, bad_sum = good.copy(), good.copy()
    ok_sum[0] *= 1 + 9e-6
    bad_sum[0] *= 1 + 3e-5
    order = sorted(BREEDS, key=lambda b: b[::-1])
    frames = {
        "perfect": truth,
        "noisy_good": put(good),
        "noisy_weak": put(weak),
        "noisy_good_shuffled": put(good).sample(frac=1, random_state=1),
        "noisy_columns_reordered": put(weak)[[*order, "id"]],
        "odd_one_sure_mistake": put(sure),
        "odd_sum_off_by_9e-6": put(ok_sum),
        "odd_extra_column": put(good).assign(zebra=0.3),
        "bad_sum_off_by_3e-5": put(bad_sum),
        "bad_nan": put(nan),
        "bad_out_of_range": put(minus),
        "bad_not_normalised": put(hot * 0.5 + 0.1),
        **with_wrong_rows(put(good), "x"),
        "bad_missing_column": put(good).drop(columns="whippet"),
        "bad_text_in_numbers": put(good)
        .astype(object)
        .assign(pug=["yes", *good[1:, BREEDS.index("pug")]]),
    }
    return as_files(frames)
