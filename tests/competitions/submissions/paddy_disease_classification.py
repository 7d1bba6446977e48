"""Submissions for paddy-disease-classification, good, odd and bad."""

from __future__ import annotations

from pathlib import Path

from mlebench.competitions.paddy_disease_classification.rehearsal import LABELS
from mlebench.rehearsal import rng
from tests.competitions.frames import as_files, with_wrong_rows


def submissions(public: Path, private: Path, seed: int) -> dict[str, str]:
    import pandas as pd

    r = rng(seed, "submissions")
    truth = pd.read_csv(private / "test.csv")[["image_id", "label"]]
    ids, labels = list(truth["image_id"]), list(truth["label"])
    noisy = truth.assign(label=[v if r.random() < 0.75 else r.choice(LABELS) for v in labels])
    out = {
        "perfect": truth,
        "noisy": noisy,
        "noisy_constant": truth.assign(label="normal"),
        "noisy_case": truth.assign(
            label=[v.upper() if k % 3 == 0 else v for k, v in enumerate(labels)]
        ),
        "noisy_shuffled": noisy.sample(frac=1, random_state=seed),
        "odd_extra_column": noisy.assign(extra=1),
        "odd_unknown_class": noisy.assign(label=["mildew?"] * 5 + list(noisy["label"][5:])),
        "odd_nan": truth.assign(label=[None] * 3 + labels[3:]),
        "odd_all_empty": truth.assign(label=""),
        **with_wrong_rows(noisy, "x.jpg"),
        "bad_ids_without_suffix": noisy.assign(image_id=[i[:-4] for i in ids]),
        "odd_numbers": truth.assign(label=[LABELS.index(v) for v in labels]),
        "bad_fractions": truth.assign(label=[LABELS.index(v) + 0.5 for v in labels]),
    }
    return as_files(out)
