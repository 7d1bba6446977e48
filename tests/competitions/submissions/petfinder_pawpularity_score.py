"""Submissions for petfinder-pawpularity-score, good, odd and bad."""

from __future__ import annotations

from pathlib import Path

from mlebench.rehearsal import rng
from tests.competitions.frames import as_files, with_firsts, with_wrong_rows


def submissions(public: Path, private: Path, seed: int) -> dict[str, str]:
    import pandas as pd

    r = rng(seed, "submissions")
    truth = pd.read_csv(private / "test.csv")[["Id", "Pawpularity"]]
    values = list(truth["Pawpularity"])

    def put(vs):
        return truth.assign(Pawpularity=vs)

    noisy = put([min(100, max(1, v + r.gauss(0, 12))) for v in values])
    out = {
        "perfect": truth,
        "noisy": noisy,
        "noisy_mean": put(38.4),
        "noisy_rounded": put([round(v) for v in noisy["Pawpularity"]]),
        "noisy_bounds": put([1 if v < 50 else 100 for v in values]),
        "noisy_shuffled": noisy.sample(frac=1, random_state=seed),
        "odd_extra_column": noisy.assign(extra=1),
        **with_wrong_rows(noisy, "x"),
        "bad_missing_id": truth[["Pawpularity"]],
        "bad_one_row": noisy.iloc[:1],
        **with_firsts(noisy, "Pawpularity", bad_nan=None, bad_text_in_numbers="abc"),
        **with_firsts(noisy, "Pawpularity", bad_out_of_range=100.01, bad_zero=0.99),
    }
    return as_files(out)
