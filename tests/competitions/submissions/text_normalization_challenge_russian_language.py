"""Submissions for text-normalization-challenge-russian-language, good, odd and bad."""

from __future__ import annotations

import csv
from pathlib import Path

from mlebench.competitions.text_normalization_challenge_russian_language.rehearsal import PLAIN
from mlebench.rehearsal import rng


def submissions(public: Path, private: Path, seed: int) -> dict[str, str]:
    import pandas as pd

    truth = pd.read_csv(private / "answers.csv", dtype=str, keep_default_na=False)
    r = rng(seed, "submissions")
    y = list(truth["after"])

    def text(frame, quoting=csv.QUOTE_ALL):
        return frame.to_csv(index=False, quoting=quoting)

    noisy = truth.assign(after=[v if r.random() < 0.8 else r.choice(PLAIN) for v in y])
    echo = pd.read_csv(private / "sample_submission.csv", dtype=str, keep_default_na=False)
    blank_na = truth.assign(after=["" if v in ("NA", "null", "None", "nan") else v for v in y])
    padded = truth.assign(after=[v + " " if i % 5 == 0 else v for i, v in enumerate(y)])
    return {
        "perfect": text(truth),
        "noisy": text(noisy),
        "noisy_plain_quoting": text(noisy, csv.QUOTE_MINIMAL),
        "echo_before": text(echo),
        "odd_missing_words_blank": text(blank_na),
        "noisy_padded": text(padded),
        "noisy_lower": text(truth.assign(after=[v.lower() for v in y])),
        "odd_all_blank": text(truth.assign(after="")),
        "odd_all_numbers": text(truth.assign(after="1")),
        "noisy_shuffled": text(noisy.sample(frac=1, random_state=seed)),
        "odd_extra_column": text(noisy.assign(extra=1)),
        "bad_missing_column": text(truth[["id"]]),
        "bad_missing_row": text(truth.iloc[1:]),
        "bad_extra_row": text(pd.concat([truth, truth.iloc[:1]])),
        "bad_wrong_id": text(truth.assign(id=["x", *truth["id"][1:]])),
        "bad_duplicate_id": text(pd.concat([truth.iloc[:-1], truth.iloc[:1]])),
        "bad_empty": "",
        "bad_header_only": "id,after\n",
    }
