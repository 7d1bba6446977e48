"""Submissions for champs-scalar-coupling, good, odd and bad."""

from __future__ import annotations

from pathlib import Path

from mlebench.rehearsal import rng
from tests.competitions.frames import as_files, with_first, with_firsts, with_wrong_rows


def submissions(public: Path, private: Path, seed: int) -> dict[str, str]:
    import pandas as pd

    target = "scalar_coupling_constant"
    answers = pd.read_csv(private / "answers.csv", float_precision="round_trip")
    truth = answers[["id", target]]
    r = rng(seed, "submissions")
    noisy = truth.assign(**{target: [v + r.gauss(0, 1.5) for v in truth[target]]})
    small = truth.assign(**{target: [v * 1.01 + 1e-4 for v in truth[target]]})
    one_type = answers["type"].iloc[0]
    mixed = truth.assign(
        **{
            target: [
                v + (r.gauss(0, 3) if t == one_type else r.gauss(0, 0.01))
                for v, t in zip(truth[target], answers["type"], strict=True)
            ]
        }
    )
    exact_type = truth.assign(
        **{
            target: [
                v if t == one_type else v + 0.5
                for v, t in zip(truth[target], answers["type"], strict=True)
            ]
        }
    )
    ids = list(truth["id"])
    out = {
        "perfect": truth,
        "noisy": noisy,
        "noisy_small": small,
        "noisy_one_type": mixed,
        "noisy_shuffled": noisy.sample(frac=1, random_state=seed),
        "odd_one_type_exact": exact_type,
        "odd_extra_column": noisy.assign(type="x", extra=1),
        "odd_column_order": noisy[[target, "id"]],
        "odd_duplicate_id": pd.concat([noisy, noisy.iloc[:3]]),
        "odd_float_ids": noisy.assign(id=noisy["id"].astype(float)),
        **with_wrong_rows(truth, ids[0] + 999999),
        "bad_missing_id": truth[[target]],
        "bad_extra_row": pd.concat(
            [truth, pd.DataFrame({"id": [max(ids) + 999_999], target: [0.0]})]
        ),
        **with_firsts(noisy, target, bad_nan=None, bad_infinite=float("inf")),
        "bad_text_in_numbers": with_first(noisy, target, "abc"),
    }
    return as_files(out)
