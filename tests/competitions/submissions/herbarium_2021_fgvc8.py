"""Submissions for herbarium-2021-fgvc8, good, odd and bad."""

from __future__ import annotations

from pathlib import Path

from mlebench.rehearsal import rng
from tests.competitions.frames import as_files, with_first, with_firsts, with_wrong_rows


def submissions(public: Path, private: Path, seed: int) -> dict[str, str]:
    import pandas as pd

    truth = pd.read_csv(private / "answers.csv")
    r = rng(seed, "submissions")
    y = list(truth["Predicted"])

    def put(values):
        return truth.assign(Predicted=values)

    noisy = put([v if r.random() < 0.8 else r.choice(y) for v in y])
    # Classes that never occur lower the mean.
    weak = put([v if r.random() < 0.5 else r.randrange(65_000) for v in y])
    out = {
        "perfect": truth,
        "noisy": noisy,
        "noisy_new_classes": weak,
        "noisy_shuffled": weak.sample(frac=1, random_state=7),
        "noisy_most_common": put(max(sorted(set(y)), key=y.count)),
        "odd_fractions": put([v + 0.9 for v in noisy["Predicted"]]),
        **with_firsts(truth, "Predicted", odd_negative=-1, bad_nan=None),
        "bad_text_in_numbers": with_first(truth, "Predicted", "orchid"),
        "odd_extra_column": noisy.assign(extra=1),
        **with_wrong_rows(truth, 10**6),
        "bad_duplicate_id": pd.concat([truth.iloc[1:2], truth.iloc[1:]]),
    }
    return as_files(out)
