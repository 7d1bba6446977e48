"""Submissions for ranzcr-clip-catheter-line-classification, good, odd and bad."""

from __future__ import annotations

from pathlib import Path

from mlebench.competitions.ranzcr_clip_catheter_line_classification.rehearsal import LABELS, SCORED
from mlebench.rehearsal import rng
from tests.competitions.frames import as_files, with_firsts, with_wrong_rows


def submissions(public: Path, private: Path, seed: int) -> dict[str, str]:
    import pandas as pd

    truth = pd.read_csv(private / "test.csv")[["StudyInstanceUID", *LABELS]]
    r = rng(seed, "submissions")

    def to(f):
        return truth.assign(**{c: [f(v) for v in truth[c]] for c in LABELS})

    noisy = to(lambda v: round(min(1, max(0, 0.5 + 0.2 * (2 * v - 1) + r.gauss(0, 0.3))), 4))
    steps = to(lambda v: round(2 * v + r.uniform(0, 4)) / 6)
    nine = noisy[["StudyInstanceUID", *SCORED]]
    out = {
        "perfect": truth,
        "noisy_eleven": noisy,
        "noisy_nine": nine,
        "steps_with_ties": steps,
        "one_bad_class": truth.assign(**{SCORED[3]: 1 - truth[SCORED[3]]}),
        "unscored_wrong": truth.assign(**{c: 1 - truth[c] for c in LABELS[9:]}),
        "odd_unscored_text": truth.assign(**{LABELS[10]: "maybe"}),
        "noisy_shuffled": noisy.sample(frac=1, random_state=seed),
        "noisy_extra_column": nine.assign(PatientID="p"),
        **with_wrong_rows(noisy, "1.2.3"),
        "bad_missing_column": noisy.drop(columns=SCORED[4]),
        "bad_missing_id": noisy.drop(columns="StudyInstanceUID"),
        "bad_extra_row": pd.concat([noisy, noisy.iloc[:1].assign(StudyInstanceUID="1.2.3")]),
        **with_firsts(noisy, SCORED[0], bad_nan=None, bad_text="high"),
        **with_firsts(noisy, SCORED[8], bad_above_one=1.5, bad_below_zero=-0.1),
    }
    return as_files(out)
