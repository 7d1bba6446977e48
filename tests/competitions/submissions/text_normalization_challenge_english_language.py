"""Submissions for text-normalization-challenge-english-language, good, odd and bad."""

from __future__ import annotations

from pathlib import Path

from mlebench.rehearsal import rng
from tests.competitions.frames import as_files, with_wrong_rows


def submissions(public: Path, private: Path, seed: int) -> dict[str, str]:
    import pandas as pd

    def read(name):
        return pd.read_csv(private / name, dtype=str, keep_default_na=False)

    truth, before = read("answers.csv"), read("sample_submission.csv")
    r = rng(seed, "submissions")

    def to(values):
        return truth.assign(after=list(values))

    answers = list(truth["after"])
    noisy = to(v if r.random() < 0.8 else b for v, b in zip(answers, before["after"], strict=True))
    out = {
        "perfect": truth,
        "before_unchanged": before,
        "noisy": noisy,
        "upper_case": to(v.upper() for v in answers),
        "trailing_space": to(v + " " * (k % 2) for k, v in enumerate(answers)),
        "gaps_as_NA": to("NA" if v == "" else v for v in answers),
        "gaps_as_null": to("null" if v == "" else v for v in answers),
        "odd_gaps_as_text_nan": to("nan" if v == "" else v for v in answers),
        "odd_all_empty": to([""] * len(truth)),
        "odd_all_numbers": to([12] * len(truth)),
        "noisy_shuffled": noisy.sample(frac=1, random_state=seed),
        "noisy_extra_column": noisy.assign(x=1),
        **with_wrong_rows(truth, "99999_0"),
        "bad_extra_row": pd.concat([truth, truth.iloc[:1].assign(id="99999_0")]),
        "bad_missing_target": truth[["id"]],
        "bad_missing_id": truth[["after"]],
    }
    return as_files(out)
