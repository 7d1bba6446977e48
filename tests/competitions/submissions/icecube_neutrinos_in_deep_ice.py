"""Submissions for icecube-neutrinos-in-deep-ice, good, odd and bad."""

from __future__ import annotations

import math
from pathlib import Path

from mlebench.rehearsal import rng


def submissions(public: Path, private: Path, seed: int) -> dict[str, str]:
    import pandas as pd

    truth = pd.read_csv(private / "test.csv")
    r = rng(seed, "submissions")
    noisy = truth.assign(
        azimuth=[(a + r.gauss(0, 0.5)) % (2 * math.pi) for a in truth["azimuth"]],
        zenith=[min(math.pi, max(0, z + r.gauss(0, 0.4))) for z in truth["zenith"]],
    )
    wrapped = noisy.assign(azimuth=noisy["azimuth"] + 4 * math.pi)
    zen = list(noisy["zenith"])
    ids = list(noisy["event_id"])
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
        "bad_missing_column": noisy[["event_id", "zenith"]],
        "bad_missing_row": noisy.iloc[1:],
        "bad_extra_row": pd.concat([noisy, noisy.iloc[:1]]),
        "bad_wrong_id": noisy.assign(event_id=[10**9, *ids[1:]]),
        "bad_duplicate_id": noisy.assign(event_id=[ids[1], *ids[1:]]),
        "bad_nan": noisy.assign(zenith=[None, *zen[1:]]),
        "bad_infinite": noisy.assign(zenith=["inf", *zen[1:]]),
        "bad_text_in_numbers": noisy.assign(zenith=["up", *zen[1:]]),
    }
    return {name: frame.to_csv(index=False) for name, frame in out.items()}
