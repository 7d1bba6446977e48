"""Submissions for detecting-insults-in-social-commentary, good, odd and bad."""

from __future__ import annotations

from pathlib import Path

from mlebench.rehearsal import rng
from tests.competitions.frames import as_files, with_firsts, with_wrong_rows


def submissions(public: Path, private: Path, seed: int) -> dict[str, str]:
    import pandas as pd

    r = rng(seed, "submissions")
    truth = pd.read_csv(private / "gold_submission.csv")
    labels = list(truth["Insult"])
    noisy = truth.assign(Insult=[min(1, max(0, 0.3 + 0.3 * v + r.gauss(0, 0.25))) for v in labels])
    ties = truth.assign(Insult=[round(v * 0.4 + r.random() * 0.6, 1) for v in labels])
    worse = truth.assign(Insult=[r.random() for _ in labels])
    hard = truth.assign(Insult=[v if r.random() < 0.8 else 1 - v for v in labels])
    comments = list(truth["Comment"])
    out = {
        "perfect": truth,
        "noisy": noisy,
        "noisy_ties": ties,
        "noisy_random": worse,
        "noisy_hard_labels": hard,
        "noisy_shuffled": noisy.sample(frac=1, random_state=seed),
        "odd_inverted": truth.assign(Insult=[1 - v for v in labels]),
        "odd_extra_column": noisy.assign(extra=1),
        "odd_no_date": noisy[["Comment", "Insult"]],
        "odd_booleans": hard.assign(Insult=[bool(v) for v in hard["Insult"]]),
        **with_wrong_rows(noisy, "x", column="Comment"),
        "bad_missing_column": truth[["Date", "Comment"]],
        "bad_missing_comment": truth[["Insult", "Date"]],
        "bad_stripped_quotes": noisy.assign(Comment=[c.strip('"') for c in comments]),
        **with_firsts(noisy, "Insult", bad_nan=None, bad_text_in_numbers="abc"),
        **with_firsts(noisy, "Insult", bad_out_of_range=1.5, bad_negative=-0.1),
    }
    return as_files(out)
