"""Submissions for alaska2-image-steganalysis, good, odd and bad."""

from __future__ import annotations

from pathlib import Path

from mlebench.rehearsal import rng
from tests.competitions.frames import as_files, with_first, with_firsts, with_wrong_rows


def submissions(public: Path, private: Path, seed: int) -> dict[str, str]:
    import pandas as pd

    truth = pd.read_csv(private / "test.csv")
    r = rng(seed, "submissions")
    # Any real number is allowed.
    logit = truth.assign(Label=[round(r.gauss(1.2 * v, 1), 6) for v in truth["Label"]])
    weak = truth.assign(Label=[round(r.gauss(0.3 * v, 1), 2) for v in truth["Label"]])
    # Many ties.
    steps = truth.assign(
        Label=[min(4, max(0, round(2 + r.gauss(1.0 * (v - 0.5), 1)))) / 4 for v in truth["Label"]]
    )
    hard = truth.assign(Label=[v if r.random() < 0.8 else 1 - v for v in truth["Label"]])
    upside = truth.assign(Label=1 - truth["Label"])
    low_fpr = truth.assign(
        Label=[
            1.0 if v and r.random() < 0.35 else round(r.random() * 0.5, 3) for v in truth["Label"]
        ]
    )
    n = len(truth)
    out = {
        "perfect": truth,
        "noisy_logits": logit,
        "noisy_weak": weak,
        "noisy_ties": steps,
        "noisy_hard_labels": hard,
        "upside_down": upside,
        "noisy_low_false_alarms": low_fpr,
        "noisy_shuffled": logit.sample(frac=1, random_state=seed),
        "odd_extra_column": logit.assign(extra=1),
        "odd_out_of_range": logit.assign(Label=logit["Label"] * 1e6 - 5),
        **with_wrong_rows(truth, "00001.jpg"),
        "bad_duplicate_id": pd.concat([truth.iloc[:-1], truth.iloc[:1]]),
        **with_firsts(logit, "Label", bad_nan=None, bad_text_in_numbers="stego"),
        "bad_infinite": with_first(logit, "Label", "inf"),
    }
    assert n == 5000
    return as_files(out)
