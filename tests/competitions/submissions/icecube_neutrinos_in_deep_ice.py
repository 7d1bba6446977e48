"""Submissions for icecube-neutrinos-in-deep-ice, good, odd and bad."""

from __future__ import annotations

import math
from pathlib import Path

from mlebench.rehearsal import rng
from tests.competitions.frames import as_files, with_firsts, with_wrong_rows


def submissions(public: Path, private: Path, seed: int) -> dict[str, str]:
    import pandas as pd

    truth = pd.read_csv(private / "test.csv")
    r = rng(seed, "submissions")
    noisy = truth.assign(
        azimuth=[(a + r.gauss(0, 0.5)) % (2 * math.pi) for a in truth["azimuth"]],
        zenith=[min(math.pi, max(0, z + r.gauss(0, 0.4))) for z in truth["zenith"]],
    )
    wrapped = noisy.assign(azimuth=noisy["azimuth"] + 4 * math.pi)
    out = {
        "perfect": truth,
        "noisy": noisy,
        "noisy_azimuth_beyond_two_pi": wrapped,
        "noisy_opposite": truth.assign(
            azimuth=truth["azimuth"] + math.pi, zenith=math.pi - truth["zenith"]
        ),
        "noisy_shuffled_columns_and_rows": noisy[["zenith", "event_id", "azimuth"]].sample(
            frac=1, random_state=seed
        ),
        "bad_extra_column": noisy.assign(extra=1),
        **with_wrong_rows(noisy, 10**9),
        "bad_missing_column": noisy[["event_id", "zenith"]],
        **with_firsts(noisy, "zenith", bad_nan=None, bad_infinite="inf", bad_text_in_numbers="up"),
    }
    return as_files(out)
