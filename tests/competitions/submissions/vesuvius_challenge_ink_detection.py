"""Submissions for vesuvius-challenge-ink-detection, good, odd and bad."""

from __future__ import annotations

from pathlib import Path

from mlebench.competitions.vesuvius_challenge_ink_detection.rehearsal import strokes
from mlebench.rehearsal import rng, run_lengths


def decode(text: str) -> set[int]:
    v = list(map(int, text.split()))
    return {p for s, n in zip(v[::2], v[1::2], strict=True) for p in range(s, s + n)}


def submissions(public: Path, private: Path, seed: int) -> dict[str, str]:
    import csv
    import io

    r = rng(seed, "submissions")
    row = next(csv.DictReader(io.StringIO((private / "inklabels_rle.csv").read_text())))
    width, height, truth = int(row["width"]), int(row["height"]), decode(row["Predicted"])
    n = width * height

    def put(text, header="Id,Predicted", key="a"):
        return f"{header}\n{key},{text}\n"

    less = {p for p in truth if r.random() < 0.6}
    more = truth | strokes(r, width, height, 8)
    columns_first = {((p - 1) % width) * height + (p - 1) // width + 1 for p in truth}
    mixed = {p for p in more if r.random() < 0.85}
    return {
        "perfect": put(run_lengths(truth)),
        "noisy": put(run_lengths(mixed)),
        "noisy_high_precision": put(run_lengths(less)),
        "noisy_high_recall": put(run_lengths(more)),
        "noisy_column_major": put(run_lengths(columns_first)),
        "noisy_everything": put(f"1 {n}"),
        "odd_no_hit": put(run_lengths(sorted(set(range(1, n + 1)) - truth)[:3])),
        "odd_column_order": f"Predicted,Id\n{run_lengths(mixed)},a\n",
        "odd_beyond_the_end": put(f"{n - 300} 5000"),
        "odd_three_numbers": put("1 300 600"),
        "odd_blank": put('" "'),
        "bad_extra_column": f"Id,Predicted,extra\na,{run_lengths(mixed)},1\n",
        "bad_missing_column": "Id\na\n",
        "bad_column_name": put(run_lengths(mixed), "id,Predicted"),
        "bad_extra_row": put(run_lengths(mixed)) + "b,1 1\n",
        "bad_wrong_id": put(run_lengths(mixed), key="b"),
        "bad_nan": put(""),
        "bad_one_number": put("7"),
        "bad_five_numbers": put("1 2 10 2 20"),
        "bad_overlap": put("1 5 3 5"),
        "bad_unsorted": put("10 5 1 3"),
        "bad_zero_start": put("0 5"),
        "bad_zero_length": put("5 0"),
        "bad_text_in_numbers": put("1 3 a b"),
        "bad_fraction": put("1.5 3"),
        "bad_empty": "",
        "bad_header_only": "Id,Predicted\n",
    }
