"""Submissions for denoising-dirty-documents, good, odd and bad."""

from __future__ import annotations

from pathlib import Path

from mlebench.rehearsal import rng
from tests.competitions.frames import as_files, with_first, with_firsts, with_wrong_rows


def submissions(public: Path, private: Path, seed: int) -> dict[str, str]:
    import pandas as pd

    truth = pd.read_csv(private / "answers.csv", float_precision="round_trip")
    r = rng(seed, "submissions")
    v = list(truth["value"])

    def put(values):
        return truth.assign(value=values)

    noisy = put([x + r.uniform(-0.2, 0.2) for x in v])
    out = {
        "perfect": truth,
        "noisy": noisy,
        "noisy_rounded": put([round(x * 4) / 4 for x in v]),
        "noisy_inverted": put([1 - x for x in v]),
        "noisy_shuffled": noisy.sample(frac=1, random_state=5),
        "constant_half": put(0.5),
        "odd_out_of_range": put([x * 300 - 20 for x in v]),
        "odd_extra_column": noisy.assign(aaa="x"),
        "odd_whole_numbers": put([int(x > 0.5) for x in v]),
        **with_firsts(truth, "value", bad_nan=None, bad_infinite=float("inf")),
        "bad_text_in_numbers": with_first(truth, "value", "white"),
        **with_wrong_rows(truth, "0_0_0"),
        "bad_duplicate_id": pd.concat([truth.iloc[1:2], truth.iloc[1:]]),
        "bad_missing_id_column": truth[["value"]],
    }
    return as_files(out)
