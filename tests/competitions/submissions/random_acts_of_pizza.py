"""Submissions for random-acts-of-pizza, good, odd and bad."""

from __future__ import annotations

from pathlib import Path

from mlebench.rehearsal import rng
from tests.competitions.frames import as_files, with_first, with_firsts, with_wrong_rows


def submissions(public: Path, private: Path, seed: int) -> dict[str, str]:
    import pandas as pd

    r = rng(seed, "submissions")
    target = "requester_received_pizza"
    truth = pd.read_csv(private / "test.csv")
    labels = list(truth[target])

    def put(vs):
        return truth.assign(**{target: vs})

    noisy = put([min(1, max(0, 0.3 + 0.25 * v + r.gauss(0, 0.25))) for v in labels])
    out = {
        "perfect": truth,
        "noisy": noisy,
        "noisy_ties": put([round(0.4 * v + 0.6 * r.random(), 1) for v in labels]),
        "noisy_hard_labels": put([v if r.random() < 0.75 else 1 - v for v in labels]),
        "noisy_shuffled": noisy.sample(frac=1, random_state=seed),
        "odd_inverted": put([1 - v for v in labels]),
        "odd_booleans": put([bool(v) for v in labels]),
        "odd_extra_column": noisy.assign(extra=1),
        **with_wrong_rows(noisy, "t3_x"),
        "bad_missing_id": truth[[target]],
        **with_firsts(noisy, target, bad_nan=None, bad_text_in_numbers="yes", bad_out_of_range=1.5),
        "bad_negative": with_first(noisy, target, -0.001),
    }
    return as_files(out)
