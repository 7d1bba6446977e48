"""Submissions for rsna-2022-cervical-spine-fracture-detection, good, odd and bad."""

from __future__ import annotations

from pathlib import Path

from mlebench.rehearsal import rng
from tests.competitions.frames import as_files, with_first, with_firsts, with_wrong_rows


def submissions(public: Path, private: Path, seed: int) -> dict[str, str]:
    import pandas as pd

    truth = pd.read_csv(private / "answers.csv")[["row_id", "fractured"]]
    r = rng(seed, "submissions")
    soft = [min(1.0, max(0.0, 0.25 + 0.5 * y + r.gauss(0, 0.15))) for y in truth["fractured"]]
    noisy = truth.assign(fractured=soft)
    ids = list(truth["row_id"])
    out = {
        "perfect": truth,
        "noisy": noisy,
        "noisy_only_overall": truth.assign(
            fractured=[s if i.endswith("overall") else 0.1 for s, i in zip(soft, ids, strict=True)]
        ),
        "noisy_hard_labels": truth.assign(
            fractured=[y if r.random() < 0.95 else 1 - y for y in truth["fractured"]]
        ),
        "noisy_shuffled": noisy.sample(frac=1, random_state=seed),
        "odd_extra_column": noisy.assign(StudyInstanceUID="x"),
        **with_wrong_rows(noisy, "x_C1"),
        **with_firsts(noisy, "fractured", bad_nan=None, bad_text_in_numbers="yes"),
        "bad_out_of_range": with_first(noisy, "fractured", 1.5),
    }
    return as_files(out)
