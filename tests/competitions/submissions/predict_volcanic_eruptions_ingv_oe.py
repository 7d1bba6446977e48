"""Submissions for predict-volcanic-eruptions-ingv-oe, good, odd and bad."""

from __future__ import annotations

from pathlib import Path

from mlebench.rehearsal import csv_text, rng


def submissions(public: Path, private: Path, seed: int) -> dict[str, str]:
    import pandas as pd

    r = rng(seed, "submissions")
    target = "time_to_eruption"
    truth = pd.read_csv(private / "test.csv")
    ids, values = list(truth["segment_id"]), list(truth[target])

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
        "odd_negative": put([-5000000, *values[1:]]),
        "odd_extra_column": noisy.assign(extra=1),
        "odd_duplicate_id": pd.concat([noisy, noisy.iloc[:3]]),
        "odd_float_ids": noisy.assign(segment_id=noisy["segment_id"].astype(float)),
        "bad_missing_column": truth[["segment_id"]],
        "bad_missing_id": truth[[target]],
        "bad_missing_row": noisy.iloc[1:],
        "bad_extra_row": pd.concat([noisy, pd.DataFrame({"segment_id": [7], target: [7]})]),
        "bad_wrong_id": noisy.assign(segment_id=[7, *ids[1:]]),
        "bad_nan": put([None, *values[1:]]),
        "bad_infinite": put([float("inf"), *values[1:]]),
        "bad_text_in_numbers": put(["abc", *values[1:]]),
    }
    return {name: frame.to_csv(index=False) for name, frame in out.items()} | {
        "bad_empty": "",
        "bad_header_only": csv_text(["segment_id", target], []),
    }
