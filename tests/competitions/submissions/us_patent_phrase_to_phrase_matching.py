"""Submissions for us-patent-phrase-to-phrase-matching, good, odd and bad."""

from __future__ import annotations

from pathlib import Path

from mlebench.rehearsal import rng
from tests.competitions.frames import as_files, with_first, with_firsts, with_wrong_rows


def submissions(public: Path, private: Path, seed: int) -> dict[str, str]:
    import pandas as pd

    r = rng(seed, "submissions")
    truth = pd.read_csv(private / "test.csv")[["id", "score"]]
    values = list(truth["score"])

    def put(vs):
        return truth.assign(score=vs)

    noisy = put([v + r.gauss(0, 0.2) for v in values])
    out = {
        "perfect": truth,
        "noisy": noisy,
        "noisy_quarters": put([round(4 * v) / 4 for v in noisy["score"]]),
        "noisy_scaled": put([100 - 30 * v for v in noisy["score"]]),
        "noisy_random": put([r.random() for _ in values]),
        "noisy_shuffled": noisy.sample(frac=1, random_state=seed),
        "odd_inverted": put([1 - v for v in values]),
        "odd_extra_column": noisy.assign(extra=1),
        "odd_constant": put(0.5),
        "odd_integers": put([round(v) for v in values]),
        **with_firsts(noisy, "score", odd_nan=None, odd_infinite=float("inf")),
        "bad_text_in_numbers": with_first(noisy, "score", "abc"),
        **with_wrong_rows(noisy, "x"),
    }
    return as_files(out)
