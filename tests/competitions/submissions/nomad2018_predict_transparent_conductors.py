"""Submissions for nomad2018-predict-transparent-conductors, good, odd and bad."""

from __future__ import annotations

from pathlib import Path

from mlebench.competitions.nomad2018_predict_transparent_conductors.rehearsal import TARGETS
from mlebench.rehearsal import rng
from tests.competitions.frames import as_files


def submissions(public: Path, private: Path, seed: int) -> dict[str, str]:
    import pandas as pd

    truth = pd.read_csv(private / "test.csv")[["id", *TARGETS]]
    r = rng(seed, "submissions")
    formation, gap = TARGETS
    noisy = truth.assign(
        **{
            formation: [abs(v + r.gauss(0, 0.05)) for v in truth[formation]],
            gap: [abs(v + r.gauss(0, 0.5)) for v in truth[gap]],
        }
    )
    first, rest = noisy.iloc[:1], noisy.iloc[1:]

    def broken(value):
        return pd.concat([first.astype({gap: object}).assign(**{gap: value}), rest])

    out = {
        "perfect": truth,
        "noisy": noisy,
        "noisy_scaled": truth.assign(**{formation: truth[formation] * 2, gap: truth[gap] * 0.5}),
        "noisy_zeros": truth.assign(**{formation: 0, gap: 0}),
        "noisy_swapped_columns": noisy[[gap, formation, "id"]],
        "odd_order_matters": noisy.iloc[::-1],
        "odd_without_ids": noisy[TARGETS].assign(extra="x"),
        "odd_wrong_and_duplicate_ids": noisy.assign(id=7),
        "bad_missing_column": noisy[["id", gap]],
        "bad_missing_row": rest,
        "bad_extra_row": pd.concat([noisy, first]),
        "bad_nan": broken(None),
        "bad_text_in_numbers": broken("wide"),
        "bad_negative": broken(-0.01),
    }
    return as_files(out)
