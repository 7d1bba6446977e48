"""Submissions for histopathologic-cancer-detection, good, odd and bad."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from mlebench.rehearsal import rng
from tests.competitions.frames import as_files, with_first, with_firsts, with_wrong_rows

if TYPE_CHECKING:
    import pandas as pd


def submissions(public: Path, private: Path, seed: int) -> dict[str, str]:
    import pandas as pd

    truth = pd.read_csv(private / "answers.csv")[["id", "label"]]
    return guesses(
        truth, seed, skill=0.25, right=0.7, constant=0.5, wrong_id="f" * 40, word="tumor"
    )


def guesses(
    truth: pd.DataFrame,
    seed: int,
    *,
    skill: float,
    right: float,
    constant: float,
    wrong_id: str,
    word: str,
) -> dict[str, str]:
    """Submissions of an id and one probability."""
    import pandas as pd

    id_name, target = truth.columns
    r = rng(seed, "submissions")

    def to(values):
        return truth.assign(**{target: list(values)})

    noisy = to(
        round(min(1, max(0, 0.5 + skill * (2 * v - 1) + r.gauss(0, 0.25))), 4)
        for v in truth[target]
    )
    hard = to(v if r.random() < right else 1 - v for v in truth[target])
    steps = to(round(0.1 * round(3 * v + r.uniform(0, 6)), 2) for v in truth[target])
    out = {
        "perfect": truth,
        "noisy": noisy,
        "hard_labels": hard,
        "steps_with_ties": steps,
        "inverted": to(1 - v for v in truth[target]),
        "constant": to([constant] * len(truth)),
        "noisy_shuffled": noisy.sample(frac=1, random_state=seed),
        "noisy_extra_column": noisy.assign(x="a"),
        **with_wrong_rows(truth, wrong_id),
        "bad_extra_row": pd.concat([truth, truth.iloc[:1].assign(**{id_name: wrong_id})]),
        "bad_missing_target": truth[[id_name]],
        "bad_missing_id": truth[[target]],
        **with_firsts(noisy, target, bad_nan=None, bad_above_one=1.5, bad_below_zero=-0.01),
        "bad_text": with_first(noisy, target, word),
    }
    return as_files(out)
