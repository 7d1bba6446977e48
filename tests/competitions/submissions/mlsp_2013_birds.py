"""Submissions for mlsp-2013-birds, good, odd and bad."""

from __future__ import annotations

from pathlib import Path

from mlebench.rehearsal import rng
from tests.competitions.frames import as_files, with_first, with_firsts, with_wrong_rows


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
        **with_wrong_rows(truth, 10**6),
        "bad_duplicate_id": pd.concat([truth.iloc[:-1], truth.iloc[:1]]),
        **with_firsts(noisy, "Probability", bad_nan=None, bad_text_in_numbers="?"),
        "bad_out_of_range": with_first(noisy, "Probability", 1.5),
    }
    return as_files(out)
