"""Submissions for hms-harmful-brain-activity-classification, good, odd and bad."""

from __future__ import annotations

from pathlib import Path

from mlebench.competitions.hms_harmful_brain_activity_classification.rehearsal import VOTES
from mlebench.rehearsal import rng
from tests.competitions.frames import as_files, with_first, with_firsts, with_wrong_rows


def submissions(public: Path, private: Path, seed: int) -> dict[str, str]:
    import pandas as pd

    test = pd.read_csv(private / "test.csv")
    r = rng(seed, "submissions")
    votes = test[VOTES].to_numpy()

    def frame(rows) -> pd.DataFrame:
        rows = [[v / sum(row) for v in row] for row in rows]
        return pd.DataFrame(rows, columns=VOTES).assign(eeg_id=test["eeg_id"])[["eeg_id", *VOTES]]

    truth = frame(votes.tolist())
    noisy = frame([[v + r.uniform(0.3, 2) for v in row] for row in votes.tolist()])
    # Zeros for classes with votes are clipped.
    zeros = frame(
        [
            [max(0, v - 1) + (k == i % 6) for k, v in enumerate(row)]
            for i, row in enumerate(votes.tolist())
        ]
    )
    # One prediction per recording: row order inside it cannot matter.
    per_eeg = test.groupby("eeg_id")[VOTES].transform("mean") + 0.5
    per_eeg = frame(per_eeg.to_numpy().tolist())
    uniform = frame([[1] * 6] * len(test))
    ids = list(test["eeg_id"])
    several = next(i for i in ids if ids.count(i) > 1)
    others = [i for i in ids if i != several]
    moved = list(ids)
    moved[moved.index(several)] = others[0]
    nan = noisy.copy()
    k = int(votes[0].argmax())
    rest = [c for j, c in enumerate(VOTES) if j != k]
    nan.loc[0, VOTES[k]] = None
    nan.loc[0, rest] = 0.2
    out = {
        "perfect": truth,
        "noisy": noisy,
        "zeros_clipped": zeros,
        "uniform": uniform,
        "per_eeg": per_eeg,
        "per_eeg_shuffled": per_eeg.sample(frac=1, random_state=seed),
        "noisy_columns_reordered": noisy[[*VOTES[::-1], "eeg_id"]],
        "noisy_sum_off_by_4e-6": with_first(noisy, "other_vote", noisy["other_vote"][0] + 4e-6),
        "odd_extra_zero_column": noisy.assign(zero=0),
        "odd_nan_is_skipped": nan,
        "odd_ids_moved": uniform.assign(eeg_id=moved),
        "bad_extra_number_column": noisy.assign(x=0.5),
        "bad_extra_text_column": noisy.assign(x="a"),
        "bad_sum": with_first(noisy, "other_vote", noisy["other_vote"][0] + 1e-4),
        "bad_votes_not_probabilities": test[["eeg_id", *VOTES]],
        "bad_out_of_range": noisy.assign(
            **{c: [v, *noisy[c][1:]] for c, v in zip(VOTES, [1.5, -0.5, 0, 0, 0, 0], strict=True)}
        ),
        **with_wrong_rows(truth, 1),
        "bad_missing_column": truth.drop(columns="grda_vote"),
        "bad_missing_id": truth.drop(columns="eeg_id"),
        **with_firsts(noisy, "other_vote", bad_nan=None, bad_text="high"),
    }
    return as_files(out)
