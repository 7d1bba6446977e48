"""Submissions for histopathologic-cancer-detection, good, odd and bad."""

from __future__ import annotations

from pathlib import Path

from mlebench.rehearsal import rng
from tests.competitions.frames import with_first


def submissions(public: Path, private: Path, seed: int) -> dict[str, str]:
    import pandas as pd

    truth = pd.read_csv(private / "answers.csv")[["id", "label"]]
    r = rng(seed, "submissions")

    def to(values):
        return truth.assign(label=list(values))

    noisy = to(
        round(min(1, max(0, 0.5 + 0.25 * (2 * v - 1) + r.gauss(0, 0.25))), 4)
        for v in truth["label"]
    )
    ties = to(v if r.random() < 0.7 else 1 - v for v in truth["label"])
    steps = to(round(0.1 * round(3 * v + r.uniform(0, 6)), 2) for v in truth["label"])
    out = {
        "perfect": truth,
        "noisy": noisy,
        "hard_labels": ties,
        "steps_with_ties": steps,
        "inverted": to(1 - v for v in truth["label"]),
        "constant": to([0.5] * len(truth)),
        "noisy_shuffled": noisy.sample(frac=1, random_state=seed),
        "noisy_extra_column": noisy.assign(x="a"),
        "bad_missing_row": truth.iloc[1:],
        "bad_extra_row": pd.concat([truth, truth.iloc[:1].assign(id="f" * 40)]),
        "bad_wrong_id": with_first(truth, "id", "f" * 40),
        "bad_duplicate_id": with_first(truth, "id", truth["id"][1]),
        "bad_missing_target": truth[["id"]],
        "bad_missing_id": truth[["label"]],
        "bad_nan": with_first(noisy, "label", None),
        "bad_text": with_first(noisy, "label", "tumor"),
        "bad_above_one": with_first(noisy, "label", 1.5),
        "bad_below_zero": with_first(noisy, "label", -0.01),
    }
    return {name: f.to_csv(index=False) for name, f in out.items()} | {
        "bad_empty": "",
        "bad_header_only": "id,label\n",
    }
