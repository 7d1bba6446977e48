"""Submissions for iwildcam-2019-fgvc6, good, odd and bad."""

from __future__ import annotations

from pathlib import Path

from mlebench.rehearsal import rng
from tests.competitions.frames import as_files, with_firsts, with_wrong_rows


def submissions(public: Path, private: Path, seed: int) -> dict[str, str]:
    import pandas as pd

    truth = pd.read_csv(private / "answers.csv")
    r = rng(seed, "submissions")
    guess = [y if r.random() < 0.6 else r.choice([0, 1, 3, 11, 22]) for y in truth["Category"]]
    noisy = truth.assign(Category=guess)
    out = {
        "perfect": truth,
        "noisy": noisy,
        "noisy_known_classes": truth.assign(
            Category=[y if r.random() < 0.8 else 0 for y in truth["Category"]]
        ),
        "noisy_shuffled": noisy.sample(frac=1, random_state=seed),
        "odd_extra_column": noisy.assign(extra="x"),
        "odd_fractions_cut": noisy.assign(Category=[g + 0.9 for g in guess]),
        **with_wrong_rows(noisy, "x"),
        "bad_missing_column": noisy.rename(columns={"Category": "Predicted"}),
        **with_firsts(noisy, "Category", bad_nan=None, bad_text_in_numbers="deer"),
    }
    return as_files(out)
