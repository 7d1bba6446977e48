"""Submissions for tabular-playground-series-may-2022, good, odd and bad."""

from __future__ import annotations

from pathlib import Path

from mlebench.rehearsal import csv_text, rng


def submissions(public: Path, private: Path, seed: int) -> dict[str, str]:
    import pandas as pd

    r = rng(seed, "submissions")
    truth = pd.read_csv(private / "gold_submission.csv")
    ids, labels = list(truth["id"]), list(truth["target"])

    def put(vs):
        return truth.assign(target=vs)

    noisy = put([round(min(1, max(0, 0.35 + 0.3 * v + r.gauss(0, 0.25))), 4) for v in labels])
    rest = list(noisy["target"][1:])
    out = {
        "perfect": truth,
        "noisy": noisy,
        "noisy_ties": put([round(0.3 * v + 0.7 * r.random(), 1) for v in labels]),
        "noisy_hard_labels": put([v if r.random() < 0.8 else 1 - v for v in labels]),
        "noisy_shuffled": noisy.sample(frac=1, random_state=seed),
        "odd_extra_column": noisy.assign(extra=1),
        "bad_missing_column": truth[["id"]],
        "bad_missing_row": noisy.iloc[1:],
        "bad_extra_row": pd.concat([noisy, noisy.iloc[:1]]),
        "bad_wrong_id": noisy.assign(id=[7, *ids[1:]]),
        "bad_duplicate_id": noisy.assign(id=[ids[1], *ids[1:]]),
        "bad_nan": put([None, *rest]),
        "bad_text_in_numbers": put(["abc", *rest]),
        "bad_out_of_range": put([1.5, *rest]),
    }
    return {name: frame.to_csv(index=False) for name, frame in out.items()} | {
        "bad_empty": "",
        "bad_header_only": csv_text(["id", "target"], []),
    }
