"""Submissions for mlsp-2013-birds, good, odd and bad."""

from __future__ import annotations

from pathlib import Path

from mlebench.rehearsal import csv_text, rng


def submissions(public: Path, private: Path, seed: int) -> dict[str, str]:
    import pandas as pd

    truth = pd.read_csv(private / "answers.csv")
    r = rng(seed, "submissions")
    y, col = list(truth["Probability"]), "Probability"
    noisy = truth.assign(
        Probability=[round(min(1, max(0, r.gauss(0.2 + 0.3 * v, 0.25))), 4) for v in y]
    )
    ties = truth.assign(
        Probability=[round(min(1, max(0, r.gauss(0.2 + 0.4 * v, 0.3))) * 4) / 4 for v in y]
    )
    rate = truth.groupby(truth["Id"] % 100)[col].mean()
    prior = truth.assign(Probability=[float(rate[i % 100]) for i in truth["Id"]])
    out = {
        "perfect": truth,
        "noisy": noisy,
        "noisy_ties": ties,
        "noisy_species_rate": prior,
        "upside_down": noisy.assign(Probability=1 - noisy[col]),
        "noisy_shuffled": noisy.sample(frac=1, random_state=seed),
        "odd_extra_column": noisy.assign(extra=1),
        "odd_float_ids": noisy.assign(Id=noisy["Id"].astype(float)),
        "bad_missing_column": truth[["Id"]],
        "bad_missing_row": truth.iloc[1:],
        "bad_extra_row": pd.concat([truth, truth.iloc[:1]]),
        "bad_wrong_id": truth.assign(Id=[10**6, *truth["Id"][1:]]),
        "bad_duplicate_id": pd.concat([truth.iloc[:-1], truth.iloc[:1]]),
        "bad_nan": noisy.assign(Probability=[None, *noisy[col][1:]]),
        "bad_text_in_numbers": noisy.assign(Probability=["?", *noisy[col][1:]]),
        "bad_out_of_range": noisy.assign(Probability=[1.5, *noisy[col][1:]]),
    }
    return {name: f.to_csv(index=False) for name, f in out.items()} | {
        "bad_empty": "",
        "bad_header_only": csv_text(["Id", col], []),
    }
