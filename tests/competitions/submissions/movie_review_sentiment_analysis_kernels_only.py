"""Submissions for movie-review-sentiment-analysis-kernels-only, good, odd and bad."""

from __future__ import annotations

from pathlib import Path

from mlebench.rehearsal import rng
from tests.competitions.frames import as_files, with_first, with_firsts, with_wrong_rows


def submissions(public: Path, private: Path, seed: int) -> dict[str, str]:
    import pandas as pd

    truth = pd.read_csv(private / "answers.csv")[["PhraseId", "Sentiment"]]
    r = rng(seed, "submissions")
    y = list(truth["Sentiment"])
    noisy = truth.assign(Sentiment=[v if r.random() < 0.7 else r.randrange(5) for v in y])
    near = truth.assign(Sentiment=[min(4, v + 1) if r.random() < 0.4 else v for v in y])
    out = {
        "perfect": truth,
        "noisy": noisy,
        "noisy_near": near,
        "all_positive": truth.assign(Sentiment=4),
        "noisy_shuffled": noisy.sample(frac=1, random_state=seed),
        "odd_extra_column": noisy.assign(extra=1),
        "odd_floats": noisy.assign(Sentiment=noisy["Sentiment"].astype(float)),
        **with_firsts(noisy, "Sentiment", odd_out_of_range=9, bad_nan=None),
        "odd_text_in_numbers": with_first(noisy, "Sentiment", "neutral"),
        "odd_float_ids": noisy.assign(PhraseId=noisy["PhraseId"].astype(float)),
        "bad_fractions": noisy.assign(Sentiment=noisy["Sentiment"] + 0.25),
        **with_wrong_rows(truth, 10**7),
        "bad_duplicate_id": pd.concat([truth.iloc[:-1], truth.iloc[:1]]),
    }
    return as_files(out)
