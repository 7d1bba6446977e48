"""Submissions for smartphone-decimeter-2022, good, odd and bad."""

from __future__ import annotations

import io
from pathlib import Path

from mlebench.rehearsal import rng
from tests.competitions.frames import as_files, with_firsts, with_wrong_rows


def submissions(public: Path, private: Path, seed: int) -> dict[str, str]:
    import pandas as pd

    truth = pd.read_csv(
        io.BytesIO((private / "test.csv").read_bytes()), float_precision="round_trip"
    )
    r = rng(seed, "submissions")
    lat, lng = "LatitudeDegrees", "LongitudeDegrees"
    noisy = truth.assign(
        **{
            lat: [v + r.gauss(0, 3e-5) for v in truth[lat]],
            lng: [v + r.gauss(0, 3e-5) for v in truth[lng]],
        }
    )
    trips = list(dict.fromkeys(truth["tripId"]))
    blocks = pd.concat([noisy[noisy["tripId"] == t] for t in reversed(trips)])
    first = list(noisy[lat])
    out = {
        "perfect": truth,
        "noisy": noisy,
        "noisy_one_wild_row": noisy.assign(**{lat: [first[0] + 1, *first[1:]]}),
        "noisy_other_side_of_the_world": truth.assign(**{lat: -truth[lat], lng: truth[lng] + 180}),
        "noisy_trips_in_other_order": blocks,
        "odd_order_within_trip_matters": noisy.iloc[::-1],
        "odd_times_ignored_extra_column": noisy.assign(UnixTimeMillis=0, extra="x"),
        **with_firsts(noisy, lat, odd_nan_scores_nan=None, bad_text_in_numbers="north"),
        **with_wrong_rows(noisy, "x"),
        "bad_missing_column": noisy[["tripId", lat, lng]],
    }
    return as_files(out)
