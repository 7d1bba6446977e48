"""Submissions for chaii-hindi-and-tamil-question-answering, good, odd and bad."""

from __future__ import annotations

from pathlib import Path

from mlebench.rehearsal import rng
from tests.competitions.frames import as_files, with_firsts, with_wrong_rows


def submissions(public: Path, private: Path, seed: int) -> dict[str, str]:
    import pandas as pd

    truth = pd.read_csv(private / "test.csv", dtype=str, keep_default_na=False)
    r = rng(seed, "submissions")
    y = list(truth["PredictionString"])

    def worse(text: str) -> str:
        words = text.split()
        k = r.randrange(5)
        return {
            0: text,
            1: text + " extra Word",
            2: " ".join(words[1:]),
            3: " ".join(words[::-1] + words),
            4: "गलत",
        }[k]

    noisy = truth.assign(PredictionString=[worse(v) for v in y])
    light = truth.assign(PredictionString=[v if r.random() < 0.7 else v + ", और" for v in y])
    out = {
        "perfect": truth,
        "noisy_light": light,
        "noisy": noisy,
        "noisy_shuffled": noisy.sample(frac=1, random_state=2),
        "noisy_case": truth.assign(PredictionString=[v.upper() + " DELHI Delhi" for v in y]),
        "odd_extra_column": noisy.assign(extra=1),
        **with_firsts(noisy, "PredictionString", odd_nan=None, odd_one_numeric_text="1912"),
        "bad_all_numbers": truth.assign(PredictionString=1912),
        **with_wrong_rows(truth, "zzz"),
        "bad_duplicate_id": pd.concat([truth.iloc[1:2], truth.iloc[1:]]),
        "bad_missing_id_column": truth[["PredictionString"]],
    }
    return as_files(out)
