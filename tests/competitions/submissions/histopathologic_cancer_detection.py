"""Submissions for histopathologic-cancer-detection, good, odd and bad."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from mlebench.rehearsal import rng
from tests.competitions.frames import with_first

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
        "bad_missing_row": truth.iloc[1:],
        "bad_extra_row": pd.concat([truth, truth.iloc[:1].assign(**{id_name: wrong_id})]),
        "bad_wrong_id": with_first(truth, id_name, wrong_id),
        "bad_duplicate_id": with_first(truth, id_name, truth[id_name][1]),
        "bad_missing_target": truth[[id_name]],
        "bad_missing_id": truth[[target]],
        "bad_nan": with_first(noisy, target, None),
        "bad_text": with_first(noisy, target, word),
        "bad_above_one": with_first(noisy, target, 1.5),
        "bad_below_zero": with_first(noisy, target, -0.01),
    }
    return {name: f.to_csv(index=False) for name, f in out.items()} | {
        "bad_empty": "",
        "bad_header_only": f"{id_name},{target}\n",
    }
