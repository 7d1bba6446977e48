"""Submissions for aerial-cactus-identification, good, odd and bad."""

from __future__ import annotations

from pathlib import Path

from mlebench.rehearsal import rng
from tests.competitions.frames import as_files, with_first, with_firsts, with_wrong_rows


def submissions(public: Path, private: Path, seed: int) -> dict[str, str]:
    import pandas as pd

    truth = pd.read_csv(private / "test.csv")
    r = rng(seed, "submissions")
    soft = [min(1.0, max(0.0, 0.3 + 0.3 * y + r.gauss(0, 0.3))) for y in truth["has_cactus"]]
    noisy = truth.assign(has_cactus=soft)
    ties = truth.assign(has_cactus=[round(v * 3) / 3 for v in soft])
    out = {
        "perfect": truth,
        "noisy": noisy,
        "noisy_ties": ties,
        "noisy_inverted": truth.assign(has_cactus=[1 - v for v in soft]),
        "noisy_shuffled": noisy.sample(frac=1, random_state=seed),
        "odd_extra_column": noisy.assign(extra="x"),
        **with_wrong_rows(noisy, "0.jpg"),
        **with_firsts(noisy, "has_cactus", bad_nan=None, bad_text_in_numbers="yes"),
        "bad_out_of_range": with_first(noisy, "has_cactus", 1.5),
    }
    return as_files(out)
