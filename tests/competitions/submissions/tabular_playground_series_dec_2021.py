"""Submissions for tabular-playground-series-dec-2021, good, odd and bad."""

from __future__ import annotations

from pathlib import Path

from mlebench.rehearsal import rng
from tests.competitions.frames import as_files, with_first, with_firsts, with_wrong_rows


def submissions(public: Path, private: Path, seed: int) -> dict[str, str]:
    import pandas as pd

    truth = pd.read_csv(private / "test.csv")[["Id", "Cover_Type"]]
    r = rng(seed, "submissions")

    def to(values):
        return truth.assign(Cover_Type=list(values))

    noisy = to(v if r.random() < 0.8 else r.randrange(1, 8) for v in truth["Cover_Type"])
    out = {
        "perfect": truth,
        "noisy": noisy,
        "all_ones": to([1] * len(truth)),
        "unknown_class": to(v if k % 3 else 9 for k, v in enumerate(truth["Cover_Type"])),
        "noisy_shuffled": noisy.sample(frac=1, random_state=seed),
        "noisy_extra_column": noisy.assign(x="a"),
        "noisy_float_labels": noisy.assign(Cover_Type=noisy["Cover_Type"].astype(float)),
        "odd_text": with_first(noisy, "Cover_Type", "spruce"),
        **with_wrong_rows(truth, 10**8),
        "bad_extra_row": pd.concat([truth, truth.iloc[:1].assign(Id=10**8)]),
        "bad_missing_target": truth[["Id"]],
        "bad_missing_id": truth[["Cover_Type"]],
        **with_firsts(truth, "Cover_Type", bad_nan=None, bad_fraction=1.5),
    }
    return as_files(out)
