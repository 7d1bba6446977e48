"""Submissions for plant-seedlings-classification, good, odd and bad."""

from __future__ import annotations

from pathlib import Path

from mlebench.competitions.plant_seedlings_classification.rehearsal import SPECIES
from mlebench.rehearsal import rng
from tests.competitions.frames import as_files, with_first, with_wrong_rows


def submissions(public: Path, private: Path, seed: int) -> dict[str, str]:
    import pandas as pd

    truth = pd.read_csv(private / "answers.csv")[["file", "species"]]
    r = rng(seed, "submissions")

    def to(values):
        return truth.assign(species=list(values))

    noisy = to(v if r.random() < 0.7 else r.choice(SPECIES) for v in truth["species"])
    out = {
        "perfect": truth,
        "noisy": noisy,
        "unknown_names": to(v if k % 3 else "Dandelion" for k, v in enumerate(truth["species"])),
        "other_case": to(v if k % 2 else v.lower() for k, v in enumerate(truth["species"])),
        "noisy_shuffled": noisy.sample(frac=1, random_state=seed),
        "noisy_extra_column": noisy.assign(x=1),
        **with_wrong_rows(truth, "x.png"),
        "bad_extra_row": pd.concat([truth, truth.iloc[:1].assign(file="x.png")]),
        "bad_missing_target": truth[["file"]],
        "bad_missing_id": truth[["species"]],
        "odd_nan": with_first(truth, "species", None),
        "bad_all_nan": to([None] * len(truth)),
        "bad_numbers": to(range(len(truth))),
    }
    return as_files(out)
