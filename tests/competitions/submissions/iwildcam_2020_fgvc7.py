"""Submissions for iwildcam-2020-fgvc7, good, odd and bad."""

from __future__ import annotations

from pathlib import Path

from mlebench.competitions.iwildcam_2020_fgvc7.rehearsal import CATEGORIES
from mlebench.rehearsal import rng
from tests.competitions.frames import as_files, with_first, with_firsts, with_wrong_rows


def submissions(public: Path, private: Path, seed: int) -> dict[str, str]:
    import pandas as pd

    truth = pd.read_csv(private / "answers.csv")[["Id", "Category"]]
    r = rng(seed, "submissions")

    def to(values):
        return truth.assign(Category=list(values))

    noisy = to(v if r.random() < 0.7 else r.choice(list(CATEGORIES)) for v in truth["Category"])
    unseen = to(v if k % 3 else 500 + k for k, v in enumerate(truth["Category"]))
    out = {
        "perfect": truth,
        "noisy": noisy,
        "unseen_classes": unseen,
        "majority": to([truth["Category"].mode()[0]] * len(truth)),
        "noisy_shuffled": noisy.sample(frac=1, random_state=seed),
        "noisy_extra_column": noisy.assign(x="a"),
        "noisy_float_labels": noisy.assign(Category=noisy["Category"].astype(float)),
        "odd_text": with_first(noisy, "Category", "lion"),
        **with_wrong_rows(truth, "x"),
        "bad_extra_row": pd.concat([truth, truth.iloc[:1].assign(Id="x")]),
        "bad_missing_target": truth[["Id"]],
        "bad_missing_id": truth[["Category"]],
        "bad_column_named_Predicted": truth.rename(columns={"Category": "Predicted"}),
        **with_firsts(truth, "Category", bad_nan=None, bad_fraction=2.5),
    }
    return as_files(out)
