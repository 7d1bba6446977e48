"""Submissions for plant-pathology-2021-fgvc8, good, odd and bad."""

from __future__ import annotations

from pathlib import Path

from mlebench.competitions.plant_pathology_2021_fgvc8.rehearsal import LABELS
from mlebench.rehearsal import rng
from tests.competitions.frames import as_files, with_wrong_rows

CLASSES = LABELS[:6]


def submissions(public: Path, private: Path, seed: int) -> dict[str, str]:
    import pandas as pd

    r = rng(seed, "submissions")
    truth = pd.read_csv(private / "answers.csv")
    labels = list(truth["labels"])

    def put(vs):
        return truth.assign(labels=vs)

    noisy = put([v if r.random() < 0.7 else r.choice(LABELS) for v in labels])
    several = put(
        [
            " ".join(dict.fromkeys(v.split() + r.sample(CLASSES, r.choice([0, 0, 1, 2]))))
            for v in labels
        ]
    )
    first = put([v.split()[-1] for v in labels])
    out = {
        "perfect": truth,
        "noisy": noisy,
        "noisy_too_many": several,
        "noisy_first_only": first,
        "noisy_shuffled": noisy.sample(frac=1, random_state=seed),
        "odd_reordered_labels": put([" ".join(reversed(v.split())) for v in labels]),
        "odd_repeated_label": put([f"{v}  {v} " for v in labels]),
        "odd_unknown_class": put([f"{v} mould" for v in labels]),
        "odd_only_unknown": put(["mould"] * 10 + labels[10:]),
        "odd_commas": put([v.replace(" ", ",") for v in labels]),
        "odd_nan": put([None] * 7 + labels[7:]),
        "odd_all_empty": put(""),
        "odd_extra_column": noisy.assign(extra=1),
        **with_wrong_rows(noisy, "x.jpg"),
        "bad_missing_id": truth[["labels"]],
        "bad_numbers": put(range(len(labels))),
    }
    return as_files(out)
