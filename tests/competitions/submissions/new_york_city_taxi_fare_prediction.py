"""Submissions for new-york-city-taxi-fare-prediction, good, odd and bad."""

from __future__ import annotations

from pathlib import Path

from mlebench.rehearsal import csv_text, rng


def submissions(public: Path, private: Path, seed: int) -> dict[str, str]:
    import csv

    with (private / "test.csv").open(newline="") as f:
        truth = [(row["key"], float(row["fare_amount"])) for row in csv.DictReader(f)]
    r = rng(seed, "submissions")

    def text(rows, header=("key", "fare_amount")):
        return csv_text(list(header), rows)

    noisy = [(k, round(v + r.uniform(-3, 3), 3)) for k, v in truth]
    mixed = list(noisy)
    r.shuffle(mixed)
    (k0, v0), rest = truth[0], truth[1:]
    return {
        "perfect": text(truth),
        "noisy": text(noisy),
        "noisy_shuffled": text(mixed),
        "noisy_scaled": text([(k, v * 0.8 + 1) for k, v in truth]),
        "constant_zero": text([(k, 0) for k, _ in truth]),
        "odd_extra_column": csv_text(["x", "fare_amount", "key"], ((1, v, k) for k, v in noisy)),
        "odd_negative_huge": text([(k0, -1000000.0), *rest]),
        "odd_wrong_id": text([("zzz", v0), *noisy[1:]]),
        "odd_all_ids_wrong": text([(f"{i:06d}", v) for i, (_, v) in enumerate(noisy)]),
        "bad_missing_column": text([(k,) for k, _ in truth], ("key",)),
        "bad_missing_id_column": text([(v,) for _, v in truth], ("fare_amount",)),
        "bad_missing_row": text(rest),
        "bad_extra_row": text([*truth, truth[0]]),
        "bad_nan": text([(k0, ""), *rest]),
        "bad_infinite": text([(k0, "inf"), *rest]),
        "bad_text_in_numbers": text([(k0, "ten"), *rest]),
        "bad_empty": "",
        "bad_header_only": "key,fare_amount\n",
    }
