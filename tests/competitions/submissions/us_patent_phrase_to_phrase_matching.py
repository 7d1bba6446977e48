"""Submissions for us-patent-phrase-to-phrase-matching, good, odd and bad."""

from __future__ import annotations

from pathlib import Path

from mlebench.rehearsal import csv_text, rng


def submissions(public: Path, private: Path, seed: int) -> dict[str, str]:
    import pandas as pd

    r = rng(seed, "submissions")
    truth = pd.read_csv(private / "test.csv")[["id", "score"]]
    ids, values = list(truth["id"]), list(truth["score"])

    def put(vs):
        return truth.assign(score=vs)

    noisy = put([v + r.gauss(0, 0.2) for v in values])
    rest = list(noisy["score"][1:])
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
        "odd_nan": put([None, *rest]),
        "odd_infinite": put([float("inf"), *rest]),
        "bad_missing_column": truth[["id"]],
        "bad_missing_row": noisy.iloc[1:],
        "bad_extra_row": pd.concat([noisy, noisy.iloc[:1]]),
        "bad_wrong_id": noisy.assign(id=["x", *ids[1:]]),
        "bad_duplicate_id": noisy.assign(id=[ids[1], *ids[1:]]),
        "bad_text_in_numbers": put(["abc"] + [repr(v) for v in rest]),
    }
    return {name: frame.to_csv(index=False) for name, frame in out.items()} | {
        "bad_empty": "",
        "bad_header_only": csv_text(["id", "score"], []),
    }
