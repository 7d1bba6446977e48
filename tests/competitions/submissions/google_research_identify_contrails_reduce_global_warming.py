"""Submissions for google-research-identify-contrails-reduce-global-warming, good, odd and bad."""

from __future__ import annotations

from pathlib import Path

from mlebench.rehearsal import rng
from tests.competitions.frames import as_files

PIXELS = 8 * 7


def submissions(public: Path, private: Path, seed: int) -> dict[str, str]:
    import pandas as pd

    truth = pd.read_csv(private / "answers.csv")[["record_id", "encoded_pixels"]]
    r = rng(seed, "submissions")

    def empty(v):
        return v == "-"

    def shift(rle: str) -> str:
        runs = rle.split()
        return (
            " ".join(str(int(v) + 1) if k % 2 == 0 else v for k, v in enumerate(runs))
            if not empty(rle)
            else rle
        )

    def thin(rle: str) -> str:
        runs = rle.split()
        kept = [(a, b) for a, b in zip(runs[::2], runs[1::2], strict=True) if r.random() < 0.6]
        return " ".join(f"{a} {b}" for a, b in kept) if kept else "-"

    def to(values):
        return truth.assign(encoded_pixels=list(values))

    rles = list(truth["encoded_pixels"])

    def first(v, col="encoded_pixels"):
        return truth.assign(**{col: [v, *truth[col][1:]]})

    noisy = to("1 3 10 5" if empty(v) else thin(v) for v in rles)
    out = {
        "perfect": truth,
        "noisy": noisy,
        "shifted": to(map(shift, rles)),
        "full": to([f"1 {PIXELS}"] * len(rles)),
        "all_empty": to(["-"] * len(rles)),
        "noisy_shuffled": noisy.sample(frac=1, random_state=seed),
        "noisy_extra_column": noisy.assign(height=3, x="a"),
        "odd_blank_is_empty": to(" " if empty(v) else v for v in rles),
        "odd_run_past_the_end": first(f"{PIXELS - 3} 1000"),
        "odd_start_past_the_end": first(f"{PIXELS + 30} 4"),
        "odd_touching_runs": first("1 3 4 5"),
        "odd_one_number": first("5"),
        "odd_three_numbers": first("1 4 10"),
        "bad_missing_row": truth.iloc[1:],
        "bad_extra_row": pd.concat([truth, first(7, "record_id").iloc[:1]]),
        "bad_wrong_id": first(7, "record_id"),
        "bad_duplicate_id": first(int(truth["record_id"][1]), "record_id"),
        "bad_missing_target": truth[["record_id"]],
        "bad_missing_id": truth[["encoded_pixels"]],
        "bad_nan": first(None),
        "bad_rle_unsorted": first("20 3 1 2"),
        "bad_rle_overlap": first("1 5 3 2"),
        "bad_rle_zero_start": first("0 5"),
        "bad_rle_zero_length": first("3 0"),
        "bad_rle_text": first("a b"),
        "bad_rle_fraction": first("1 2.5"),
        "bad_rle_five_numbers": first("1 2 10 2 20"),
        "bad_all_numbers": to([3] * len(rles)),
    }
    return as_files(out)
