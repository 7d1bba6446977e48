"""Submissions for hotel-id-2021-fgvc8, good, odd and bad."""

from __future__ import annotations

from pathlib import Path

from mlebench.rehearsal import rng
from tests.competitions.frames import as_files, with_first, with_firsts, with_wrong_rows


def submissions(public: Path, private: Path, seed: int) -> dict[str, str]:
    import pandas as pd

    truth = pd.read_csv(private / "test.csv")[["image", "hotel_id"]]
    r = rng(seed, "submissions")
    others = [90000 + k for k in range(9)]

    def to(values):
        return truth.assign(hotel_id=list(values))

    answers = list(truth["hotel_id"])

    def ranked(v: int, n: int) -> str:
        row = r.sample(others, n)
        row[r.randrange(n)] = v
        return " ".join(map(str, row))

    noisy = to(ranked(v, 5) for v in answers)
    longer = to(ranked(v, 8) for v in answers)  # only the first five count
    repeats = to(f"{others[0]} {others[0]} {v} {v} {v}" for v in answers)
    out = {
        "perfect_single": truth,
        "perfect_list": to(f"{v} 1 2 3 4" for v in answers),
        "noisy": noisy,
        "longer_lists": longer,
        "repeats": repeats,
        "noisy_shuffled": noisy.sample(frac=1, random_state=seed),
        "noisy_extra_column": noisy.assign(x=1),
        "odd_double_spaces": to(f"7  {v}" for v in answers),
        "odd_leading_space": to(f" {v} 7" for v in answers),
        **with_firsts(noisy, "hotel_id", odd_nan_in_lists=None, odd_text="Ritz"),
        "odd_nan_in_numbers": with_first(truth, "hotel_id", None),
        "odd_floats": truth.assign(hotel_id=truth["hotel_id"].astype(float)),
        **with_wrong_rows(truth, "x.jpg"),
        "bad_extra_row": pd.concat([truth, truth.iloc[:1].assign(image="x.jpg")]),
        "bad_repeated_row": pd.concat([truth, truth.iloc[:1]]),
        "bad_missing_target": truth[["image"]],
        "bad_missing_id": truth[["hotel_id"]],
    }
    return as_files(out)
