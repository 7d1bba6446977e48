"""Submissions for aptos2019-blindness-detection, good, odd and bad."""

from __future__ import annotations

from pathlib import Path

from mlebench.rehearsal import rng
from tests.competitions.frames import as_files, with_firsts, with_wrong_rows


def submissions(public: Path, private: Path, seed: int) -> dict[str, str]:
    import pandas as pd

    truth = pd.read_csv(private / "test.csv", dtype={"id_code": str})
    r = rng(seed, "submissions")
    y = list(truth["diagnosis"])

    def with_y(values, base=truth):
        return base.assign(diagnosis=values)

    near = with_y([min(4, max(0, v + r.choice([-1, 0, 0, 1]))) for v in y])
    loose = with_y([v if r.random() < 0.5 else r.randrange(5) for v in y])
    far = with_y([v if r.random() < 0.8 else 9 for v in y])  # a grade that is in no answer
    out = {
        "perfect": truth,
        "noisy_near": near,
        "noisy_loose": loose,
        "noisy_loose_shuffled": loose.sample(frac=1, random_state=1),
        "noisy_floats": loose.assign(diagnosis=loose["diagnosis"].astype(float)),
        "worst_opposite": with_y([4 - v for v in y]),
        "constant_two": with_y(2),
        "odd_new_grade": far,
        "odd_extra_column": near.assign(extra="x"),
        "bad_half_grades": with_y([v + 0.5 for v in y]),
        **with_firsts(truth, "diagnosis", bad_nan=None, bad_text_in_numbers="mild"),
        **with_wrong_rows(truth, "zz"),
        "bad_missing_id_column": truth[["diagnosis"]],
    }
    return as_files(out)
