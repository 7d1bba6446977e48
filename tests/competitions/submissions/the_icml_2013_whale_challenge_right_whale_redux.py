"""Submissions for the-icml-2013-whale-challenge-right-whale-redux, good, odd and bad."""

from __future__ import annotations

from pathlib import Path

from mlebench.rehearsal import rng
from tests.competitions.frames import with_first


def submissions(public: Path, private: Path, seed: int) -> dict[str, str]:
    import pandas as pd

    truth = pd.read_csv(private / "test.csv")[["clip", "probability"]]
    r = rng(seed, "submissions")

    def to(values):
        return truth.assign(probability=list(values))

    noisy = to(
        round(min(1, max(0, 0.5 + 0.2 * (2 * v - 1) + r.gauss(0, 0.25))), 4)
        for v in truth["probability"]
    )
    hard = to(v if r.random() < 0.75 else 1 - v for v in truth["probability"])
    steps = to(round(0.1 * round(3 * v + r.uniform(0, 6)), 2) for v in truth["probability"])
    out = {
        "perfect": truth,
        "noisy": noisy,
        "hard_labels": hard,
        "steps_with_ties": steps,
        "inverted": to(1 - v for v in truth["probability"]),
        "constant": to([0.3] * len(truth)),
        "noisy_shuffled": noisy.sample(frac=1, random_state=seed),
        "noisy_extra_column": noisy.assign(x="a"),
        "bad_missing_row": truth.iloc[1:],
        "bad_extra_row": pd.concat([truth, truth.iloc[:1].assign(clip="x.aif")]),
        "bad_wrong_id": with_first(truth, "clip", "x.aif"),
        "bad_duplicate_id": with_first(truth, "clip", truth["clip"][1]),
        "bad_missing_target": truth[["clip"]],
        "bad_missing_id": truth[["probability"]],
        "bad_nan": with_first(noisy, "probability", None),
        "bad_text": with_first(noisy, "probability", "whale"),
        "bad_above_one": with_first(noisy, "probability", 1.5),
        "bad_below_zero": with_first(noisy, "probability", -0.01),
    }
    return {name: f.to_csv(index=False) for name, f in out.items()} | {
        "bad_empty": "",
        "bad_header_only": "clip,probability\n",
    }
