"""Submissions for osic-pulmonary-fibrosis-progression, good, odd and bad."""

from __future__ import annotations

from pathlib import Path

from mlebench.rehearsal import rng
from tests.competitions.frames import as_files


def submissions(public: Path, private: Path, seed: int) -> dict[str, str]:
    import pandas as pd

    answers = pd.read_csv(private / "test.csv")
    r = rng(seed, "submissions")
    known = answers["FVC"].ffill().bfill()
    best = answers[["Patient_Week"]].assign(FVC=known, Confidence=70)

    def put(fvc, conf):
        return best.assign(FVC=fvc, Confidence=conf)

    noisy = put([v + r.uniform(-300, 300) for v in known], [r.randrange(30, 500) for _ in known])
    wide = put([v + r.uniform(-2500, 2500) for v in known], 300.5)  # errors beyond the 1000 ml cap
    real = answers.dropna(subset=["FVC"])
    last = real.sort_values(["Patient", "Weeks"]).groupby("Patient").tail(3)["Patient_Week"]
    graded = best["Patient_Week"].isin(set(last))
    dull = next(i for i in range(len(best)) if not graded[i])
    hit = next(i for i in range(len(best)) if graded[i])
    nan_conf = noisy.assign(
        Confidence=[None if k % 2 else c for k, c in enumerate(noisy["Confidence"])]
    )
    nan_fvc = noisy.assign(FVC=[None if k == hit else v for k, v in enumerate(noisy["FVC"])])
    out = {
        "perfect": best,
        "noisy": noisy,
        "noisy_wide": wide,
        "noisy_shuffled": noisy.sample(frac=1, random_state=9),
        "noisy_constant": put(2500, 250),
        "worst_sure_and_wrong": put(-10_000, 1),
        "odd_negative_confidence": put(known + 50, -20),
        "odd_extra_column": noisy.assign(extra="x"),
        "odd_only_graded_weeks": noisy[graded],
        "odd_missing_graded_row": noisy.drop(index=hit),
        "odd_missing_ungraded_row": noisy.drop(index=dull),
        "odd_duplicate_ungraded_row": pd.concat([noisy, noisy.iloc[dull : dull + 1]]),
        "odd_nan_confidence": nan_conf,
        "odd_nan_fvc": nan_fvc,
        "odd_only_ungraded_weeks": noisy[~graded],
        "bad_duplicate_graded_row": pd.concat([noisy, noisy.iloc[hit : hit + 1]]),
        "bad_wrong_id": noisy.assign(Patient_Week=["ID0_1", *noisy["Patient_Week"][1:]]),
        "bad_missing_column": noisy.drop(columns="Confidence"),
        "bad_missing_fvc_column": noisy.drop(columns="FVC"),
        "bad_missing_id_column": noisy.drop(columns="Patient_Week"),
        "bad_text_in_numbers": noisy.astype(object).assign(FVC=["low", *noisy["FVC"][1:]]),
    }
    return as_files(out)
