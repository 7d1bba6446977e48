"""Submissions for plant-pathology-2021-fgvc8, good, odd and bad."""

from __future__ import annotations

from pathlib import Path

from mlebench.competitions.plant_pathology_2021_fgvc8.rehearsal import LABELS
from mlebench.rehearsal import csv_text, rng

CLASSES = LABELS[:6]


def submissions(public: Path, private: Path, seed: int) -> dict[str, str]:
    import pandas as pd

    r = rng(seed, "submissions")
    truth = pd.read_csv(private / "answers.csv")
    ids, labels = list(truth["image"]), list(truth["labels"])

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
        "bad_missing_column": truth[["image"]],
        "bad_missing_id": truth[["labels"]],
        "bad_missing_row": noisy.iloc[1:],
        "bad_extra_row": pd.concat([noisy, noisy.iloc[:1]]),
        "bad_wrong_id": noisy.assign(image=["x.jpg", *ids[1:]]),
        "bad_duplicate_id": noisy.assign(image=[ids[1], *ids[1:]]),
        "bad_numbers": put(range(len(labels))),
    }
    return {name: frame.to_csv(index=False) for name, frame in out.items()} | {
        "bad_empty": "",
        "bad_header_only": csv_text(["image", "labels"], []),
    }
