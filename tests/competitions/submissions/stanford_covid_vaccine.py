"""Submissions for stanford-covid-vaccine, good, odd and bad."""

from __future__ import annotations

from pathlib import Path

from mlebench.competitions.stanford_covid_vaccine.rehearsal import TARGETS
from mlebench.rehearsal import rng
from tests.competitions.frames import as_files, with_wrong_rows


def submissions(public: Path, private: Path, seed: int) -> dict[str, str]:
    import pandas as pd

    truth = pd.read_csv(private / "test.csv")
    perfect = truth[["id_seqpos", *TARGETS]]
    r = rng(seed, "submissions")
    noisy, biased, mean = perfect.copy(), perfect.copy(), perfect.copy()
    for k, c in enumerate(TARGETS):
        noisy[c] = [round(v + r.gauss(0, 0.1 + 0.1 * k), 5) for v in perfect[c]]
        biased[c] = perfect[c] + 0.05 * (k + 1)
        mean[c] = round(perfect[c][truth["keep"]].mean(), 6)
    # Unscored positions do not count.
    tail_wrong = noisy.where(truth["keep"], 99.0).assign(id_seqpos=perfect["id_seqpos"])
    others_wrong = noisy.assign(deg_pH10=-7.0, deg_50C=99.0)  # nor do two of the columns
    first = truth.index[truth["keep"]][0]

    def cell(value, row):
        f = noisy.astype({"reactivity": object})
        f.loc[row, "reactivity"] = value
        return f

    out = {
        "perfect": perfect,
        "noisy": noisy,
        "noisy_biased": biased,
        "noisy_mean": mean,
        "noisy_tail_wrong": tail_wrong,
        "noisy_unscored_columns_wrong": others_wrong,
        "odd_perfect_reversed": perfect.iloc[::-1],
        "odd_noisy_shuffled": noisy.sample(frac=1, random_state=seed),
        "odd_sorted_by_id": noisy.sort_values("id_seqpos"),  # row order changes the score
        "odd_extra_column": noisy.assign(extra=1),
        "odd_column_order": noisy[["deg_50C", "id_seqpos", *TARGETS[:4]]],
        "odd_nan_unscored": cell(None, truth.index[~truth["keep"]][0]),
        **with_wrong_rows(noisy, "x"),
        "bad_missing_column": noisy.drop(columns="deg_Mg_50C"),
        "bad_missing_unscored_column": noisy.drop(columns="deg_pH10"),
        "bad_duplicate_id": pd.concat([noisy.iloc[:-1], noisy.iloc[:1]]),
        "bad_nan": cell(None, first),
        "bad_text_in_numbers": cell("high", first),
    }
    return as_files(out)
