"""Submissions for statoil-iceberg-classifier-challenge, good, odd and bad."""

from __future__ import annotations

from pathlib import Path

from mlebench.rehearsal import rng
from tests.competitions.frames import as_files, with_firsts, with_wrong_rows


def submissions(public: Path, private: Path, seed: int) -> dict[str, str]:
    import pandas as pd

    r = rng(seed, "submissions")
    truth = pd.read_csv(private / "test.csv", dtype={"id": str})
    labels = list(truth["is_iceberg"])

    def put(vs):
        return truth.assign(is_iceberg=vs)

    noisy = put([min(0.999, max(0.001, 0.3 + 0.4 * v + r.gauss(0, 0.2))) for v in labels])
    wrong = put([1 - labels[0]] + [0.9 * v + 0.05 for v in labels[1:]])
    out = {
        "perfect": truth,
        "noisy": noisy,
        "noisy_one_sure_and_wrong": wrong,
        "noisy_tiny": put([1e-30 if k % 9 == 0 else v for k, v in enumerate(noisy["is_iceberg"])]),
        "noisy_hard_labels": put([v if r.random() < 0.8 else 1 - v for v in labels]),
        "noisy_shuffled": noisy.sample(frac=1, random_state=seed),
        "odd_inverted": put([1 - v for v in labels]),
        "odd_extra_column": noisy.assign(extra=1),
        **with_wrong_rows(noisy, "zzzzzzzz"),
        "bad_missing_id": truth[["is_iceberg"]],
        "bad_extra_row": pd.concat(
            [noisy, pd.DataFrame({"id": ["zzzzzzzz"], "is_iceberg": [0.5]})]
        ),
        "bad_duplicate_row": pd.concat([noisy, noisy.iloc[:1]]),
        **with_firsts(noisy, "is_iceberg", bad_nan=None, bad_text_in_numbers="abc"),
        **with_firsts(noisy, "is_iceberg", bad_out_of_range=1.5, bad_negative=-0.01),
    }
    return as_files(out)
