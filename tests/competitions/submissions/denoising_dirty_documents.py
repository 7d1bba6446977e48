"""Submissions for denoising-dirty-documents, good, odd and bad."""

from __future__ import annotations

from pathlib import Path

from mlebench.rehearsal import rng


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
        "bad_nan": put([None, *v[1:]]),
        "bad_infinite": put([float("inf"), *v[1:]]),
        "bad_text_in_numbers": put(["white", *v[1:]]),
        "bad_missing_row": truth.iloc[1:],
        "bad_extra_row": pd.concat([truth, truth.iloc[:1]]),
        "bad_duplicate_id": pd.concat([truth.iloc[1:2], truth.iloc[1:]]),
        "bad_wrong_id": truth.assign(id=["0_0_0", *truth["id"][1:]]),
        "bad_missing_column": truth[["id"]],
        "bad_missing_id_column": truth[["value"]],
    }
    return {k: f.to_csv(index=False) for k, f in out.items()} | {
        "bad_empty": "",
        "bad_header_only": "id,value\n",
    }
