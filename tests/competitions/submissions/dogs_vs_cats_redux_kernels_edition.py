"""Submissions for dogs-vs-cats-redux-kernels-edition, good, odd and bad."""

from __future__ import annotations

from pathlib import Path

from mlebench.rehearsal import csv_text, rng


def submissions(public: Path, private: Path, seed: int) -> dict[str, str]:
    import pandas as pd

    truth = pd.read_csv(private / "answers.csv")
    r = rng(seed, "submissions")
    y = list(truth["label"])
    soft = truth.assign(
        label=[round(min(0.999, max(0.001, 0.5 + (v - 0.5) * r.uniform(-0.3, 0.95))), 4) for v in y]
    )
    cautious = truth.assign(label=[0.7 if v else 0.3 for v in y])
    one_wrong = truth.assign(label=[1 - y[0], *y[1:]])  # a sure mistake: clipped at machine epsilon
    tiny = truth.assign(
        label=[1e-20 if v == 0 else 1 - 1e-12 for v in y[:-1]] + [1e-20 if y[-1] else 1 - 1e-16]
    )
    out = {
        "perfect": truth,
        "noisy": soft,
        "noisy_cautious": cautious,
        "noisy_one_sure_mistake": one_wrong,
        "noisy_extreme": tiny,
        "noisy_shuffled": soft.sample(frac=1, random_state=seed),
        "odd_extra_column": soft.assign(extra="x"),
        "odd_float_ids": soft.assign(id=soft["id"].astype(float)),
        "bad_missing_column": truth[["id"]],
        "bad_missing_row": truth.iloc[1:],
        "bad_extra_row": pd.concat([truth, pd.DataFrame({"id": [10**6], "label": [0]})]),
        "bad_wrong_id": truth.assign(id=[0, *truth["id"][1:]]),
        "bad_duplicate_id": pd.concat([truth, truth.iloc[:1]]),
        "bad_nan": soft.assign(label=[None, *soft["label"][1:]]),
        "bad_text_in_numbers": soft.assign(label=["dog", *soft["label"][1:]]),
        "bad_out_of_range": soft.assign(label=[1.5, *soft["label"][1:]]),
    }
    return {name: frame.to_csv(index=False) for name, frame in out.items()} | {
        "bad_empty": "",
        "bad_header_only": csv_text(["id", "label"], []),
    }
