"""Submissions for seti-breakthrough-listen, good, odd and bad."""

from __future__ import annotations

from pathlib import Path

from mlebench.rehearsal import rng
from tests.competitions.frames import as_files, with_first, with_firsts, with_wrong_rows


def submissions(public: Path, private: Path, seed: int) -> dict[str, str]:
    odd = {"wrong_id": "x", "word": "needle", "outside": -0.5}
    return chances(private / "test.csv", seed, wrong_every=4, **odd)


def chances(
    answers: Path, seed: int, *, wrong_every: int, wrong_id: str, word: str, outside: float
) -> dict[str, str]:
    """Submissions of one probability in the column `target`."""
    import pandas as pd

    truth = pd.read_csv(answers)
    r = rng(seed, "submissions")
    y = list(truth["target"])
    noisy = truth.assign(
        target=[round(min(1, max(0, r.gauss(0.3 + 0.25 * v, 0.25))), 4) for v in y]
    )
    ties = truth.assign(
        target=[round(min(1, max(0, r.gauss(0.35 + 0.25 * v, 0.3))) * 3) / 3 for v in y]
    )
    hard = truth.assign(target=[v if i % wrong_every else 1 - v for i, v in enumerate(y)])
    out = {
        "perfect": truth,
        "noisy": noisy,
        "noisy_ties": ties,
        "noisy_hard_labels": hard,
        "upside_down": noisy.assign(target=1 - noisy["target"]),
        "noisy_shuffled": noisy.sample(frac=1, random_state=seed),
        "odd_extra_column": noisy.assign(extra=1),
        **with_wrong_rows(truth, wrong_id),
        "bad_duplicate_id": pd.concat([truth.iloc[:-1], truth.iloc[:1]]),
        **with_firsts(noisy, "target", bad_nan=None, bad_text_in_numbers=word),
        "bad_out_of_range": with_first(noisy, "target", outside),
    }
    return as_files(out)
