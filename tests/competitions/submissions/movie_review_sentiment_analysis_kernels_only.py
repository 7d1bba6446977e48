"""Submissions for movie-review-sentiment-analysis-kernels-only, good, odd and bad."""

from __future__ import annotations

from pathlib import Path

from mlebench.rehearsal import csv_text, rng


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
        "odd_out_of_range": noisy.assign(Sentiment=[9, *noisy["Sentiment"][1:]]),
        "odd_float_ids": noisy.assign(PhraseId=noisy["PhraseId"].astype(float)),
        "bad_fractions": noisy.assign(Sentiment=noisy["Sentiment"] + 0.25),
        "bad_missing_column": truth[["PhraseId"]],
        "bad_missing_row": truth.iloc[1:],
        "bad_extra_row": pd.concat([truth, truth.iloc[:1]]),
        "bad_wrong_id": truth.assign(PhraseId=[10**7, *truth["PhraseId"][1:]]),
        "bad_duplicate_id": pd.concat([truth.iloc[:-1], truth.iloc[:1]]),
        "bad_nan": noisy.assign(Sentiment=[None, *noisy["Sentiment"][1:]]),
        "odd_text_in_numbers": noisy.assign(Sentiment=["neutral", *noisy["Sentiment"][1:]]),
    }
    return {name: f.to_csv(index=False) for name, f in out.items()} | {
        "bad_empty": "",
        "bad_header_only": csv_text(["PhraseId", "Sentiment"], []),
    }
