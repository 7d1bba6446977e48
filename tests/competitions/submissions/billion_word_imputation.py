"""Submissions for billion-word-imputation, good, odd and bad."""

from __future__ import annotations

import io
from pathlib import Path

from mlebench.competitions.billion_word_imputation.rehearsal import VOCAB
from mlebench.rehearsal import rng
from tests.competitions.frames import as_files


def submissions(public: Path, private: Path, seed: int) -> dict[str, str]:
    import pandas as pd

    truth = pd.read_csv(private / "test.csv")
    blank = pd.read_csv(io.BytesIO((private / "sample_submission.csv").read_bytes()))
    r = rng(seed, "submissions")

    def guess(text: str) -> str:
        words = text.split()
        words.insert(r.randrange(1, max(2, len(words))), r.choice(VOCAB))
        return " ".join(words)

    def both(flip: float):
        return [
            t if r.random() > flip else guess(b)
            for t, b in zip(truth["sentence"], blank["sentence"], strict=True)
        ]

    noisy = truth.assign(sentence=both(0.5))
    text = list(noisy["sentence"])
    out = {
        "perfect": truth,
        "noisy": noisy,
        "noisy_guess_all": truth.assign(sentence=both(1.0)),
        "noisy_upper": truth.assign(sentence=truth["sentence"].str.upper()),
        "noisy_ascii": truth.assign(
            sentence=[t.encode("ascii", "replace").decode() for t in truth["sentence"]]
        ),
        "noisy_shuffled": noisy.sample(frac=1, random_state=seed),
        "odd_extra_column": noisy.assign(extra=1.5),
        "bad_missing_column": noisy[["id"]],
        "bad_missing_row": noisy.iloc[1:],
        "bad_extra_row": pd.concat([noisy, noisy.iloc[:1]]),
        "bad_wrong_id": noisy.assign(id=noisy["id"] + 1),
        "bad_duplicate_id": noisy.assign(id=[1, *noisy["id"][1:]]),
        "bad_nan": noisy.assign(sentence=[None, *text[1:]]),
    }
    return as_files(out)
