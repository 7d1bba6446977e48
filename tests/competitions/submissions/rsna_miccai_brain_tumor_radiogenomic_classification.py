"""Submissions for rsna-miccai-brain-tumor-radiogenomic-classification, good, odd and bad."""

from __future__ import annotations

from pathlib import Path

from mlebench.rehearsal import rng
from tests.competitions.frames import as_files, with_first, with_firsts, with_wrong_rows


def submissions(public: Path, private: Path, seed: int) -> dict[str, str]:
    import pandas as pd

    truth = pd.read_csv(private / "test.csv", dtype={"BraTS21ID": str})
    r = rng(seed, "submissions")
    y = list(truth["MGMT_value"])

    def put(values):
        return truth.assign(MGMT_value=values)

    def bound(v):
        return min(1.0, max(0.0, v))

    noisy = put([bound(v * 0.3 + r.uniform(0, 0.8)) for v in y])
    ties = put([r.choice([0.2, 0.5, 0.5, 0.8]) for _ in y])
    wrong = put([v if k else 1 - v for k, v in enumerate(y)])
    out = {
        "perfect": truth,
        "noisy": noisy,
        "noisy_ties": ties,
        "noisy_one_wrong": wrong,
        "noisy_shuffled": noisy.sample(frac=1, random_state=3),
        "worst_reversed": put([1 - v for v in y]),
        "odd_ids_without_zeros": noisy.assign(BraTS21ID=noisy["BraTS21ID"].astype(int)),
        "odd_extra_column": noisy.assign(extra="x"),
        **with_firsts(truth, "MGMT_value", bad_out_of_range=1.5, bad_negative=-0.1, bad_nan=None),
        "bad_text_in_numbers": with_first(truth, "MGMT_value", "high"),
        **with_wrong_rows(truth, "99999"),
        "bad_missing_id_column": truth[["MGMT_value"]],
    }
    return as_files(out)
