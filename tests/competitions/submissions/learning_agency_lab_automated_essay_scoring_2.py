"""Submissions for learning-agency-lab-automated-essay-scoring-2, good, odd and bad."""

from __future__ import annotations

from pathlib import Path

from mlebench.rehearsal import rng
from tests.competitions.frames import as_files, with_firsts, with_wrong_rows


def submissions(public: Path, private: Path, seed: int) -> dict[str, str]:
    import pandas as pd

    truth = pd.read_csv(private / "answers.csv")[["essay_id", "score"]]
    r = rng(seed, "submissions")
    guess = [min(6, max(1, y + r.choice([-2, -1, 0, 0, 1]))) for y in truth["score"]]
    noisy = truth.assign(score=guess)
    out = {
        "perfect": truth,
        "noisy": noisy,
        "noisy_two_levels": truth.assign(score=[2 if g < 4 else 5 for g in guess]),
        "noisy_new_levels": truth.assign(
            score=[0 if g == 1 else 60 if g >= 4 else g for g in guess]
        ),
        "noisy_constant": truth.assign(score=3),
        "noisy_shuffled": noisy.sample(frac=1, random_state=seed),
        "odd_extra_column_and_whole_floats": noisy.assign(score=[float(g) for g in guess], extra=1),
        "bad_fractions": noisy.assign(score=[g + 0.5 for g in guess]),
        **with_wrong_rows(noisy, "x"),
        **with_firsts(noisy, "score", bad_nan=None, bad_text_in_numbers="good"),
    }
    return as_files(out)
