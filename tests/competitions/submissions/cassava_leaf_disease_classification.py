"""Submissions for cassava-leaf-disease-classification, good, odd and bad."""

from __future__ import annotations

from pathlib import Path

from mlebench.rehearsal import rng


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
        "bad_nan": truth.assign(label=[None, *y[1:]]),
        "odd_text_in_numbers": truth.assign(label=["CMD", *y[1:]]),
        "bad_missing_row": truth.iloc[1:],
        "bad_extra_row": pd.concat([truth, truth.iloc[:1]]),
        "bad_duplicate_id": pd.concat([truth.iloc[1:2], truth.iloc[1:]]),
        "bad_wrong_id": truth.assign(image_id=["none.jpg", *truth["image_id"][1:]]),
        "bad_missing_column": truth[["image_id"]],
    }
    return {k: v.to_csv(index=False) for k, v in out.items()} | {
        "bad_empty": "",
        "bad_header_only": "image_id,label\n",
    }
