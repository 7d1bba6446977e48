"""Submissions for whale-categorization-playground, good, odd and bad."""

from __future__ import annotations

from pathlib import Path

from mlebench.rehearsal import rng
from tests.competitions.frames import as_files, with_wrong_rows


def submissions(public: Path, private: Path, seed: int) -> dict[str, str]:
    import pandas as pd

    r = rng(seed, "submissions")
    truth = pd.read_csv(private / "test.csv")
    ids = list(truth["Id"])
    known = sorted(set(pd.read_csv(public / "train.csv")["Id"]))

    def put(vs):
        return truth.assign(Id=vs)

    def guess(v: str) -> str:
        others = r.sample([k for k in known if k != v], 5)
        others.insert(r.randrange(7), v)  # the sixth and seventh place do not count
        return " ".join(others[:6])

    noisy = put([guess(v) for v in ids])
    out = {
        "perfect": truth,
        "noisy": noisy,
        "noisy_one_guess": put([v if r.random() < 0.5 else "new_whale" for v in ids]),
        "noisy_repeats": put([f"{known[0]} {known[0]} {v} {v} {known[1]}" for v in ids]),
        "noisy_second_place": put([f"w_none {v} {v}" for v in ids]),
        "noisy_shuffled": noisy.sample(frac=1, random_state=seed),
        "odd_sixth_place": put([f"a b c d e {v}" for v in ids]),
        "odd_fifth_place": put([f"a b c d {v} e f g" for v in ids]),
        "odd_double_space": put([f"a  {v}" for v in ids]),
        "odd_trailing_space": put([f"{v} " for v in ids]),
        "odd_nan": put([None] * 4 + ids[4:]),
        "odd_numbers": put(range(len(ids))),
        "odd_column_order": noisy[["Id", "Image"]],
        "bad_extra_column": noisy.assign(extra=1),
        **with_wrong_rows(noisy, "x.jpg"),
    }
    return as_files(out)
