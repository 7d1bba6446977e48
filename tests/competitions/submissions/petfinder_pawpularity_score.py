"""Submissions for petfinder-pawpularity-score, good, odd and bad."""

from __future__ import annotations

from pathlib import Path

from mlebench.rehearsal import csv_text, rng


def submissions(public: Path, private: Path, seed: int) -> dict[str, str]:
    import pandas as pd

    r = rng(seed, "submissions")
    truth = pd.read_csv(private / "test.csv")[["Id", "Pawpularity"]]
    ids, values = list(truth["Id"]), list(truth["Pawpularity"])

    def put(vs):
        return truth.assign(Pawpularity=vs)

    noisy = put([min(100, max(1, v + r.gauss(0, 12))) for v in values])
    rest = list(noisy["Pawpularity"][1:])
    out = {
        "perfect": truth,
        "noisy": noisy,
        "noisy_mean": put(38.4),
        "noisy_rounded": put([round(v) for v in noisy["Pawpularity"]]),
        "noisy_bounds": put([1 if v < 50 else 100 for v in values]),
        "noisy_shuffled": noisy.sample(frac=1, random_state=seed),
        "odd_extra_column": noisy.assign(extra=1),
        "bad_missing_column": truth[["Id"]],
        "bad_missing_id": truth[["Pawpularity"]],
        "bad_missing_row": noisy.iloc[1:],
        "bad_extra_row": pd.concat([noisy, noisy.iloc[:1]]),
        "bad_one_row": noisy.iloc[:1],
        "bad_wrong_id": noisy.assign(Id=["x", *ids[1:]]),
        "bad_duplicate_id": noisy.assign(Id=[ids[1], *ids[1:]]),
        "bad_nan": put([None, *rest]),
        "bad_text_in_numbers": put(["abc"] + [repr(v) for v in rest]),
        "bad_out_of_range": put([100.01, *rest]),
        "bad_zero": put([0.99, *rest]),
    }
    return {name: frame.to_csv(index=False) for name, frame in out.items()} | {
        "bad_empty": "",
        "bad_header_only": csv_text(["Id", "Pawpularity"], []),
    }
