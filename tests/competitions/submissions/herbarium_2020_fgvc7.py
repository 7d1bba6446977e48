"""Submissions for herbarium-2020-fgvc7, good, odd and bad."""

from __future__ import annotations

from pathlib import Path

from mlebench.rehearsal import rng
from tests.competitions.frames import as_files, with_firsts, with_wrong_rows


def submissions(
    public: Path, private: Path, seed: int, *, first_unseen: int = 31000
) -> dict[str, str]:
    import pandas as pd

    truth = pd.read_csv(private / "answers.csv")[["Id", "Predicted"]]
    r = rng(seed, "submissions")
    classes = sorted(set(truth["Predicted"]))

    def to(values):
        return truth.assign(Predicted=list(values))

    noisy = to(v if r.random() < 0.7 else r.choice(classes) for v in truth["Predicted"])
    unseen = to(v if k % 4 else first_unseen + k for k, v in enumerate(truth["Predicted"]))
    majority = to([truth["Predicted"].mode()[0]] * len(truth))
    out = {
        "perfect": truth,
        "noisy": noisy,
        "unseen_classes": unseen,
        "majority": majority,
        "noisy_shuffled": noisy.sample(frac=1, random_state=seed),
        "noisy_extra_column": noisy.assign(score=0.1),
        "odd_fractions_cut": noisy.assign(Predicted=noisy["Predicted"] + 0.9),
        **with_wrong_rows(truth, 99999),
        "bad_extra_row": pd.concat([truth, truth.iloc[:1].assign(Id=99999)]),
        "bad_missing_target": truth[["Id"]],
        "bad_missing_id": truth[["Predicted"]],
        **with_firsts(truth, "Predicted", bad_nan=None, bad_text="acacia"),
    }
    return as_files(out)
