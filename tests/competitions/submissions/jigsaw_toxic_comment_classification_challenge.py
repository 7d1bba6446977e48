"""Submissions for jigsaw-toxic-comment-classification-challenge, good, odd and bad."""

from __future__ import annotations

from pathlib import Path

from mlebench.competitions.jigsaw_toxic_comment_classification_challenge.rehearsal import CLASSES
from mlebench.rehearsal import rng
from tests.competitions.frames import as_files


def submissions(public: Path, private: Path, seed: int) -> dict[str, str]:
    import pandas as pd

    truth = pd.read_csv(private / "test.csv")
    r = rng(seed, "submissions")
    perfect = truth.copy()
    perfect[CLASSES] = perfect[CLASSES].clip(lower=0)
    noisy, ties, mixed = perfect.copy(), perfect.copy(), perfect.copy()
    for c in CLASSES:
        noisy[c] = [round(min(1, max(0, r.gauss(0.35 + 0.3 * v, 0.25))), 4) for v in perfect[c]]
        ties[c] = [round(min(1, max(0, r.gauss(0.3 + 0.4 * v, 0.4))) * 3) / 3 for v in perfect[c]]
        mixed[c] = [round(r.gauss(2 * v, 2), 3) for v in perfect[c]]  # any numbers are ranked
    unscored = noisy.copy()
    unscored.loc[truth["toxic"] == -1, CLASSES] = 0.123
    swapped = noisy[["id", *CLASSES[::-1]]]

    def cell(frame, value):
        f = frame.astype({c: object for c in CLASSES})
        f.iloc[list(truth["toxic"] >= 0).index(True), 1] = value
        return f

    scored = list(truth.index[truth["toxic"] >= 0])
    unscored_ids = list(truth.index[truth["toxic"] < 0])
    out = {
        # The number of rows is right: accepted, compared by position.
        "odd_scored_row_twice_for_another": pd.concat(
            [noisy.drop(index=scored[3]), noisy.loc[scored[5:6]]]
        ),
        "odd_unscored_row_twice_for_another": pd.concat(
            [noisy.drop(index=unscored_ids[0]), noisy.loc[unscored_ids[1:2]]]
        ),
        "perfect": perfect,
        "noisy": noisy,
        "noisy_ties": ties,
        "odd_out_of_range": mixed,
        "noisy_other_values_on_unscored_rows": unscored,
        "noisy_shuffled": noisy.sample(frac=1, random_state=seed),
        "odd_column_order": swapped,
        "odd_nan_on_unscored_row": noisy.assign(
            toxic=[
                None if v < 0 else x for v, x in zip(truth["toxic"], noisy["toxic"], strict=True)
            ]
        ),
        "odd_text_on_unscored_row": noisy.assign(
            toxic=[
                "none" if v < 0 else x for v, x in zip(truth["toxic"], noisy["toxic"], strict=True)
            ]
        ),
        "odd_raw_labels": truth,
        "bad_extra_column": noisy.assign(extra=1),
        "bad_missing_column": noisy.drop(columns="threat"),
        "bad_missing_row": noisy.iloc[1:],
        "bad_extra_row": pd.concat([noisy, noisy.iloc[:1].assign(id="ffffffffffffffff0")]),
        "bad_wrong_id": noisy.assign(id=["x", *noisy["id"][1:]]),
        "bad_duplicate_id": pd.concat([noisy.drop(index=scored[0]), noisy.loc[unscored_ids[:1]]]),
        "bad_nan": cell(noisy, None),
        "bad_text_in_numbers": cell(noisy, "toxic"),
    }
    return as_files(out)
