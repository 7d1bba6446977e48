"""Submissions for inaturalist-2019-fgvc6, good, odd and bad."""

from __future__ import annotations

from pathlib import Path

from mlebench.rehearsal import rng
from tests.competitions.frames import as_files, with_firsts, with_wrong_rows


def submissions(public: Path, private: Path, seed: int) -> dict[str, str]:
    import pandas as pd

    r = rng(seed, "submissions")
    truth = pd.read_csv(private / "answers.csv")
    ids, labels = list(truth["id"]), list(truth["predicted"])
    noisy = truth.assign(predicted=[v if r.random() < 0.6 else (v + 1) % 1010 for v in labels])
    listed = truth.assign(
        predicted=[" ".join(map(str, r.sample([v, v + 1, v + 2], 3))) for v in labels]
    )
    mixed = truth.assign(
        predicted=[str(v) if k % 2 else f"{v} 7 9" for k, v in enumerate(noisy["predicted"])]
    )
    out = {
        "perfect": truth,
        "noisy": noisy,
        "noisy_lists": listed,
        "noisy_mixed_lists": mixed,
        "noisy_shuffled": noisy.sample(frac=1, random_state=seed),
        "odd_extra_column": noisy.assign(extra=1),
        "odd_unknown_class": truth.assign(predicted=[5000, *labels[1:]]),
        "odd_negative_class": truth.assign(predicted=[-1, -2, *labels[2:]]),
        "bad_floats": noisy.assign(predicted=[float(v) for v in noisy["predicted"]]),
        **with_wrong_rows(noisy, max(ids) + 1000),
        **with_firsts(noisy, "predicted", bad_nan=None, bad_text_in_numbers="abc"),
        "bad_nan_in_lists": listed.assign(predicted=[None, *listed["predicted"][1:]]),
    }
    return as_files(out)
