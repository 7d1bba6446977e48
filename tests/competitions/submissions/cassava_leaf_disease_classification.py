"""Submissions for cassava-leaf-disease-classification, good, odd and bad."""

from __future__ import annotations

from pathlib import Path

from mlebench.rehearsal import rng
from tests.competitions.frames import as_files, with_firsts, with_wrong_rows


def submissions(public: Path, private: Path, seed: int) -> dict[str, str]:
    import pandas as pd

    truth = pd.read_csv(private / "test.csv")
    r = rng(seed, "submissions")
    y = list(truth["label"])
    noisy = truth.assign(label=[v if r.random() < 0.75 else (v + 1) % 5 for v in y])
    loose = truth.assign(label=[v if r.random() < 0.4 else r.randrange(5) for v in y])
    out = {
        "perfect": truth,
        "noisy": noisy,
        "noisy_loose": loose,
        "noisy_shuffled": loose.sample(frac=1, random_state=3),
        "noisy_floats": noisy.assign(label=noisy["label"].astype(float)),
        "constant_three": truth.assign(label=3),
        "odd_unknown_label": noisy.assign(label=[17, *noisy["label"][1:]]),
        "odd_extra_column": loose.assign(extra=0.5),
        "bad_fraction": truth.assign(label=[v + 0.25 for v in y]),
        **with_firsts(truth, "label", bad_nan=None, odd_text_in_numbers="CMD"),
        **with_wrong_rows(truth, "none.jpg"),
        "bad_duplicate_id": pd.concat([truth.iloc[1:2], truth.iloc[1:]]),
    }
    return as_files(out)
