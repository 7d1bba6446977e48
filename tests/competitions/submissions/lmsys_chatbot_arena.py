"""Submissions for lmsys-chatbot-arena, good, odd and bad."""

from __future__ import annotations

from pathlib import Path

from mlebench.competitions.lmsys_chatbot_arena.rehearsal import CLASSES
from mlebench.rehearsal import rng
from tests.competitions.frames import as_files, with_wrong_rows


def submissions(public: Path, private: Path, seed: int) -> dict[str, str]:
    import numpy as np
    import pandas as pd

    truth = pd.read_csv(private / "answers.csv")[["id", *CLASSES]]
    r = rng(seed, "submissions")
    hot = truth[CLASSES].to_numpy(dtype=float)

    def put(p):
        return pd.concat([truth[["id"]], pd.DataFrame(p, columns=CLASSES)], axis=1)

    noise = np.array([[r.random() for _ in CLASSES] for _ in hot])
    good, weak = hot * 2 + noise, hot * 0.3 + noise
    good /= good.sum(axis=1, keepdims=True)
    weak /= weak.sum(axis=1, keepdims=True)
    sure = hot.copy()
    sure[0] = np.roll(sure[0], 1)
    close, off = good.copy(), good.copy()
    close[0, 0] -= 3e-7
    off[0, 0] -= 2e-6
    nan, minus = good.copy(), good.copy()
    nan[0, 0] = np.nan
    minus[0] = [-0.1, 0.6, 0.5]
    out = {
        "perfect": truth,
        "noisy_good": put(good),
        "noisy_weak": put(weak),
        "noisy_weak_shuffled": put(weak).sample(frac=1, random_state=8),
        "noisy_rounded": put(
            np.column_stack([weak.round(3)[:, :2], (1 - weak.round(3)[:, :2].sum(axis=1)).round(3)])
        ),
        "odd_columns_reordered": put(good)[
            ["winner_tie", "id", "winner_model_b", "winner_model_a"]
        ],
        "odd_one_sure_mistake": put(sure),
        "odd_sum_off_by_3e-7": put(close),
        "odd_extra_column": put(good).assign(winner="x"),
        "bad_sum_off_by_2e-6": put(off),
        "bad_out_of_range": put(minus),
        "bad_nan": put(nan),
        "bad_thirds_two_digits": put(np.full(hot.shape, 0.33)),
        "bad_text_in_numbers": put(good).assign(winner_tie=["tie", *good[1:, 2]]),
        **with_wrong_rows(put(good), 7),
        "bad_missing_column": put(good).drop(columns="winner_tie"),
    }
    return as_files(out)
