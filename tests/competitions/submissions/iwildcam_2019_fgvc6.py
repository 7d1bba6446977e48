"""Submissions for iwildcam-2019-fgvc6, good, odd and bad."""

from __future__ import annotations

from pathlib import Path

from mlebench.rehearsal import rng


def submissions(public: Path, private: Path, seed: int) -> dict[str, str]:
    import pandas as pd

    truth = pd.read_csv(private / "answers.csv")
    r = rng(seed, "submissions")
    guess = [y if r.random() < 0.6 else r.choice([0, 1, 3, 11, 22]) for y in truth["Category"]]
    noisy = truth.assign(Category=guess)
    ids = list(truth["Id"])
    out = {
        "perfect": truth,
        "noisy": noisy,
        "noisy_known_classes": truth.assign(
            Category=[y if r.random() < 0.8 else 0 for y in truth["Category"]]
        ),
        "noisy_shuffled": noisy.sample(frac=1, random_state=seed),
        "odd_extra_column": noisy.assign(extra="x"),
        "odd_fractions_cut": noisy.assign(Category=[g + 0.9 for g in guess]),
        "bad_missing_column": noisy.rename(columns={"Category": "Predicted"}),
        "bad_missing_row": noisy.iloc[1:],
        "bad_extra_row": pd.concat([noisy, noisy.iloc[:1]]),
        "bad_wrong_id": noisy.assign(Id=["x", *ids[1:]]),
        "bad_duplicate_id": noisy.assign(Id=[ids[1], *ids[1:]]),
        "bad_nan": noisy.assign(Category=[None, *guess[1:]]),
        "bad_text_in_numbers": noisy.assign(Category=["deer", *guess[1:]]),
    }
    return {name: frame.to_csv(index=False) for name, frame in out.items()} | {"bad_empty": ""}
