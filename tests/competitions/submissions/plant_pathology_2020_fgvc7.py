"""Submissions for plant-pathology-2020-fgvc7, good, odd and bad."""

from __future__ import annotations

from pathlib import Path

from mlebench.competitions.plant_pathology_2020_fgvc7.rehearsal import CLASSES
from mlebench.rehearsal import rng
from tests.competitions.frames import as_files, with_firsts, with_wrong_rows


def submissions(public: Path, private: Path, seed: int) -> dict[str, str]:
    import pandas as pd

    truth = pd.read_csv(private / "test.csv")[["image_id", *CLASSES]]
    r = rng(seed, "submissions")

    def to(f):
        return truth.assign(**{c: [f(v) for v in truth[c]] for c in CLASSES})

    noisy = to(lambda v: round(0.5 + 0.2 * (2 * v - 1) + r.gauss(0, 0.25), 4))
    steps = to(lambda v: round(2 * v + r.uniform(0, 4)) / 6)
    out = {
        "perfect": truth,
        "noisy": noisy,
        "steps_with_ties": steps,
        "one_bad_class": truth.assign(rust=1 - truth["rust"]),
        "constant": to(lambda v: 0.25),
        "noisy_shuffled": noisy.sample(frac=1, random_state=seed),
        "noisy_columns_reordered": noisy[[*CLASSES[::-1], "image_id"]],
        "noisy_any_scale": noisy.assign(**{c: noisy[c] * 1000 - 7 for c in CLASSES}),
        "bad_extra_column": noisy.assign(x=1),
        **with_wrong_rows(noisy, "Test_999"),
        "bad_missing_column": noisy.drop(columns="scab"),
        "bad_missing_id": noisy.drop(columns="image_id"),
        "bad_extra_row": pd.concat([noisy, noisy.iloc[:1].assign(image_id="Test_999")]),
        **with_firsts(noisy, "rust", bad_nan=None, bad_text="high"),
    }
    return as_files(out)
