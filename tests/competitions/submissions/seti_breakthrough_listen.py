"""Submissions for seti-breakthrough-listen, good, odd and bad."""

from __future__ import annotations

from pathlib import Path

from mlebench.rehearsal import csv_text, rng


def submissions(public: Path, private: Path, seed: int) -> dict[str, str]:
    odd = {"wrong_id": "x", "word": "needle", "outside": -0.5}
    return chances(private / "test.csv", seed, wrong_every=4, **odd)


def chances(
    answers: Path, seed: int, *, wrong_every: int, wrong_id: str, word: str, outside: float
) -> dict[str, str]:
    """Submissions of one probability in the column `target`."""
    import pandas as pd

    truth = pd.read_csv(answers)
    id_name, r = truth.columns[0], rng(seed, "submissions")
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
        "bad_missing_column": truth[[id_name]],
        "bad_missing_row": truth.iloc[1:],
        "bad_extra_row": pd.concat([truth, truth.iloc[:1]]),
        "bad_wrong_id": truth.assign(**{id_name: [wrong_id, *truth[id_name][1:]]}),
        "bad_duplicate_id": pd.concat([truth.iloc[:-1], truth.iloc[:1]]),
        "bad_nan": noisy.assign(target=[None, *noisy["target"][1:]]),
        "bad_text_in_numbers": noisy.assign(target=[word, *noisy["target"][1:]]),
        "bad_out_of_range": noisy.assign(target=[outside, *noisy["target"][1:]]),
    }
    return {name: f.to_csv(index=False) for name, f in out.items()} | {
        "bad_empty": "",
        "bad_header_only": csv_text([id_name, "target"], []),
    }
