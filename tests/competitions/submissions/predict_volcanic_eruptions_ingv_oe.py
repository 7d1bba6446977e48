"""Submissions for predict-volcanic-eruptions-ingv-oe, good, odd and bad."""

from __future__ import annotations

from pathlib import Path

from mlebench.rehearsal import rng
from tests.competitions.frames import as_files, with_firsts, with_wrong_rows


def submissions(public: Path, private: Path, seed: int) -> dict[str, str]:
    import pandas as pd

    r = rng(seed, "submissions")
    target = "time_to_eruption"
    truth = pd.read_csv(private / "test.csv")
    values = list(truth[target])

    def put(vs):
        return truth.assign(**{target: vs})

    noisy = put([v + r.randrange(-4_000_000, 4_000_000) for v in values])
    n = len(values)
    half = put([v + 1 for v in values[: n // 2]] + values[n // 2 :])
    out = {
        "perfect": truth,
        "noisy": noisy,
        "noisy_mean": put([sum(values) // n] * n),
        "noisy_fractions": put([v * 1.1 + 0.25 for v in values]),
        "noisy_half_a_unit": put([v + 0.5 for v in values]),
        "noisy_one_and_a_half": put([v + 1.5 for v in values]),
        "noisy_below_half": half,
        "noisy_shuffled": noisy.sample(frac=1, random_state=seed),
        **with_firsts(truth, target, odd_negative=-5000000, bad_nan=None),
        **with_firsts(truth, target, bad_infinite=float("inf"), bad_text_in_numbers="abc"),
        "odd_extra_column": noisy.assign(extra=1),
        "odd_duplicate_id": pd.concat([noisy, noisy.iloc[:3]]),
        "odd_float_ids": noisy.assign(segment_id=noisy["segment_id"].astype(float)),
        **with_wrong_rows(noisy, 7),
        "bad_missing_id": truth[[target]],
        "bad_extra_row": pd.concat([noisy, pd.DataFrame({"segment_id": [7], target: [7]})]),
    }
    return as_files(out)
