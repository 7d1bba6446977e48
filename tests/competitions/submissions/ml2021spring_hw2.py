"""Submissions for ml2021spring-hw2, good, odd and bad."""

from __future__ import annotations

from pathlib import Path

from mlebench.rehearsal import rng
from tests.competitions.frames import as_files, with_firsts


def submissions(public: Path, private: Path, seed: int) -> dict[str, str]:
    import pandas as pd

    truth = pd.read_csv(private / "answers.csv")
    r = rng(seed, "submissions")
    guess = [y if r.random() < 0.6 else r.randrange(39) for y in truth["ClassId"]]
    noisy = truth.assign(ClassId=guess)
    ids = list(truth["Id"])
    out = {
        "perfect": truth,
        "noisy": noisy,
        "noisy_constant": truth.assign(ClassId=36),
        "noisy_unknown_classes": truth.assign(ClassId=[g if g < 20 else 100 + g for g in guess]),
        "noisy_shuffled": noisy.sample(frac=1, random_state=seed),
        "odd_extra_column_and_whole_floats": noisy.assign(
            ClassId=[float(g) for g in guess], extra=1
        ),
        "bad_fractions": noisy.assign(ClassId=[g + 0.5 for g in guess]),
        "bad_missing_column": noisy.rename(columns={"ClassId": "Class"}),
        "bad_missing_row": noisy.iloc[1:],
        "bad_extra_row": pd.concat([noisy, noisy.iloc[:1]]),
        "bad_wrong_id": noisy.assign(Id=noisy["Id"] + 1),
        "bad_duplicate_id": noisy.assign(Id=[1, *ids[1:]]),
        **with_firsts(noisy, "ClassId", bad_nan=None, odd_text_scores_zero="sil"),
    }
    return as_files(out)
