"""Submissions for learning-agency-lab-automated-essay-scoring-2, good, odd and bad."""

from __future__ import annotations

from pathlib import Path

from mlebench.rehearsal import rng


def submissions(public: Path, private: Path, seed: int) -> dict[str, str]:
    import pandas as pd

    truth = pd.read_csv(private / "answers.csv")[["essay_id", "score"]]
    r = rng(seed, "submissions")
    guess = [min(6, max(1, y + r.choice([-2, -1, 0, 0, 1]))) for y in truth["score"]]
    noisy = truth.assign(score=guess)
    ids = list(truth["essay_id"])
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
        "bad_missing_column": noisy[["essay_id"]],
        "bad_missing_row": noisy.iloc[1:],
        "bad_wrong_id": noisy.assign(essay_id=["x", *ids[1:]]),
        "bad_duplicate_id": noisy.assign(essay_id=[ids[1], *ids[1:]]),
        "bad_nan": noisy.assign(score=[None, *guess[1:]]),
        "bad_text_in_numbers": noisy.assign(score=["good", *guess[1:]]),
    }
    return {name: frame.to_csv(index=False) for name, frame in out.items()}
