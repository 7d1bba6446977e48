"""Submissions for tabular-playground-series-may-2022, good, odd and bad."""

from __future__ import annotations

from pathlib import Path

from mlebench.rehearsal import rng
from tests.competitions.frames import as_files, with_first, with_firsts, with_wrong_rows


def submissions(public: Path, private: Path, seed: int) -> dict[str, str]:
    import pandas as pd

    r = rng(seed, "submissions")
    truth = pd.read_csv(private / "gold_submission.csv")
    labels = list(truth["target"])

    def put(vs):
        return truth.assign(target=vs)

    noisy = put([round(min(1, max(0, 0.35 + 0.3 * v + r.gauss(0, 0.25))), 4) for v in labels])
    out = {
        "perfect": truth,
        "noisy": noisy,
        "noisy_ties": put([round(0.3 * v + 0.7 * r.random(), 1) for v in labels]),
        "noisy_hard_labels": put([v if r.random() < 0.8 else 1 - v for v in labels]),
        "noisy_shuffled": noisy.sample(frac=1, random_state=seed),
        "odd_extra_column": noisy.assign(extra=1),
        **with_wrong_rows(noisy, 7),
        **with_firsts(noisy, "target", bad_nan=None, bad_text_in_numbers="abc"),
        "bad_out_of_range": with_first(noisy, "target", 1.5),
    }
    return as_files(out)
