"""Submissions for detecting-insults-in-social-commentary, good, odd and bad."""

from __future__ import annotations

from pathlib import Path

from mlebench.rehearsal import csv_text, rng


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
        "bad_missing_column": truth[["Date", "Comment"]],
        "bad_missing_comment": truth[["Insult", "Date"]],
        "bad_missing_row": noisy.iloc[1:],
        "bad_extra_row": pd.concat([noisy, noisy.iloc[:1]]),
        "bad_wrong_id": noisy.assign(Comment=["x", *comments[1:]]),
        "bad_duplicate_id": noisy.assign(Comment=[comments[1], *comments[1:]]),
        "bad_stripped_quotes": noisy.assign(Comment=[c.strip('"') for c in comments]),
        "bad_nan": noisy.assign(Insult=[None, *noisy["Insult"][1:]]),
        "bad_text_in_numbers": noisy.assign(
            Insult=["abc"] + [repr(v) for v in noisy["Insult"][1:]]
        ),
        "bad_out_of_range": noisy.assign(Insult=[1.5, *noisy["Insult"][1:]]),
        "bad_negative": noisy.assign(Insult=[-0.1, *noisy["Insult"][1:]]),
    }
    return {name: frame.to_csv(index=False) for name, frame in out.items()} | {
        "bad_empty": "",
        "bad_header_only": csv_text(["Insult", "Date", "Comment"], []),
    }
