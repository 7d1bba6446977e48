"""Submissions for the-icml-2013-whale-challenge-right-whale-redux, good, odd and bad."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from tests.competitions.submissions.histopathologic_cancer_detection import guesses


def submissions(public: Path, private: Path, seed: int) -> dict[str, str]:
    truth = pd.read_csv(private / "test.csv")[["clip", "probability"]]
    return guesses(truth, seed, skill=0.2, right=0.75, constant=0.3, wrong_id="x.aif", word="whale")
