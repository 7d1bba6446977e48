"""Submissions for nfl-player-contact-detection, good, odd and bad."""

from __future__ import annotations

from pathlib import Path

from mlebench.rehearsal import rng
from tests.competitions.frames import as_files, with_firsts, with_wrong_rows


def submissions(public: Path, private: Path, seed: int) -> dict[str, str]:
    import pandas as pd

    truth = pd.read_csv(private / "test.csv")[["contact_id", "contact"]]
    r = rng(seed, "submissions")

    def to(values):
        return truth.assign(contact=list(values))

    noisy = to(v if r.random() < 0.85 else 1 - v for v in truth["contact"])
    cautious = to(int(v and r.random() < 0.5) for v in truth["contact"])
    three = to(v if r.random() < 0.85 else 2 for v in truth["contact"])
    out = {
        "perfect": truth,
        "noisy": noisy,
        "cautious": cautious,
        "inverted": to(1 - v for v in truth["contact"]),
        "all_ones": to([1] * len(truth)),
        "noisy_shuffled": noisy.sample(frac=1, random_state=seed),
        "noisy_extra_column": noisy.assign(x="a"),
        "noisy_floats": noisy.assign(contact=noisy["contact"].astype(float)),
        "noisy_booleans": noisy.assign(contact=noisy["contact"].astype(bool)),
        "odd_third_label": three,
        **with_wrong_rows(truth, "x"),
        "bad_extra_row": pd.concat([truth, truth.iloc[:1].assign(contact_id="x")]),
        "bad_repeated_row": pd.concat([truth, truth.iloc[:1]]),
        "bad_missing_target": truth[["contact_id"]],
        "bad_missing_id": truth[["contact"]],
        "bad_probabilities": to(0.2 + 0.6 * v for v in truth["contact"]),
        **with_firsts(truth, "contact", bad_nan=None, bad_text="yes"),
        "bad_all_text": to("yes" if v else "no" for v in truth["contact"]),
    }
    return as_files(out)
