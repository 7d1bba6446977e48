"""Submissions for playground-series-s3e18, good, odd and bad."""

from __future__ import annotations

from pathlib import Path

from mlebench.rehearsal import rng
from tests.competitions.frames import as_files, with_first, with_firsts, with_wrong_rows


def submissions(public: Path, private: Path, seed: int) -> dict[str, str]:
    import pandas as pd

    truth = pd.read_csv(private / "test.csv")[["id", "EC1", "EC2"]]
    r = rng(seed, "submissions")

    def shake(amount):
        return truth.assign(
            EC1=[v + r.uniform(-amount, amount) for v in truth["EC1"]],
            EC2=[v + r.uniform(-amount, amount) for v in truth["EC2"]],
        )

    noisy, weak = shake(0.8), shake(2.5)
    ties = noisy.round({"EC1": 0, "EC2": 0})
    out = {
        "perfect": truth,
        "noisy": noisy,
        "noisy_weak": weak,
        "noisy_ties": ties,
        "noisy_shuffled": weak.sample(frac=1, random_state=2),
        "worst_reversed": truth.assign(EC1=1 - truth["EC1"], EC2=1 - truth["EC2"]),
        "odd_one_column_constant": noisy.assign(EC2=0.4),
        "odd_out_of_range": noisy.assign(EC1=noisy["EC1"] * 50 - 9),
        "odd_extra_column": noisy.assign(EC3=0.1),
        "odd_columns_reordered": noisy[["EC2", "EC1", "id"]],
        **with_firsts(noisy, "EC1", bad_nan=None, bad_infinite=float("inf")),
        "bad_text_in_numbers": with_first(noisy, "EC1", "yes"),
        **with_wrong_rows(noisy, -5),
        "bad_missing_column": noisy.drop(columns="EC2"),
        "bad_missing_id_column": noisy.drop(columns="id"),
    }
    return as_files(out)
