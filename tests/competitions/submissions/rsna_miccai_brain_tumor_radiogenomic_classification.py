"""Submissions for rsna-miccai-brain-tumor-radiogenomic-classification, good, odd and bad."""

from __future__ import annotations

from pathlib import Path

from mlebench.rehearsal import rng


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
        "bad_out_of_range": put([1.5, *y[1:]]),
        "bad_negative": put([-0.1, *y[1:]]),
        "bad_nan": put([None, *y[1:]]),
        "bad_text_in_numbers": put(["high", *y[1:]]),
        "bad_missing_column": truth[["BraTS21ID"]],
        "bad_missing_id_column": truth[["MGMT_value"]],
        "bad_missing_row": truth.iloc[1:],
        "bad_extra_row": pd.concat([truth, truth.iloc[:1]]),
        "bad_duplicate_id": truth.assign(
            BraTS21ID=[truth["BraTS21ID"][1], *truth["BraTS21ID"][1:]]
        ),
        "bad_wrong_id": truth.assign(BraTS21ID=["99999", *truth["BraTS21ID"][1:]]),
    }
    return {k: v.to_csv(index=False) for k, v in out.items()} | {
        "bad_empty": "",
        "bad_header_only": "BraTS21ID,MGMT_value\n",
    }
