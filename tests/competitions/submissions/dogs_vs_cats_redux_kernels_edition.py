"""Submissions for dogs-vs-cats-redux-kernels-edition, good, odd and bad."""

from __future__ import annotations

from pathlib import Path

from mlebench.rehearsal import rng
from tests.competitions.frames import as_files, with_firsts, with_wrong_rows


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
        **with_wrong_rows(truth, 0),
        "bad_extra_row": pd.concat([truth, pd.DataFrame({"id": [10**6], "label": [0]})]),
        "bad_duplicate_id": pd.concat([truth, truth.iloc[:1]]),
        **with_firsts(soft, "label", bad_nan=None, bad_text_in_numbers="dog", bad_out_of_range=1.5),
    }
    return as_files(out)
