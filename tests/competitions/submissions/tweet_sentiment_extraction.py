"""Submissions for tweet-sentiment-extraction, good, odd and bad."""

from __future__ import annotations

from pathlib import Path

from mlebench.rehearsal import rng
from tests.competitions.frames import as_files, with_wrong_rows


def submissions(public: Path, private: Path, seed: int) -> dict[str, str]:
    import pandas as pd

    answers = pd.read_csv(private / "test.csv")
    truth = answers[["textID", "selected_text"]]
    r = rng(seed, "submissions")

    def guess(full: str, part: str) -> str:
        kind = r.random()
        return part if kind < 0.4 else full if kind < 0.8 else " ".join(part.split()[:1])

    noisy = truth.assign(
        selected_text=[
            guess(t, p) for t, p in zip(answers["text"], truth["selected_text"], strict=True)
        ]
    )
    text = list(noisy["selected_text"])
    out = {
        "perfect": truth,
        "noisy": noisy,
        "noisy_whole_text": truth.assign(selected_text=answers["text"]),
        "noisy_upper_and_repeated": truth.assign(
            selected_text=[f"  {t.upper()} {t} the" for t in text]
        ),
        "noisy_other_punctuation": truth.assign(selected_text=[t + "!" for t in text]),
        "noisy_shuffled": noisy.sample(frac=1, random_state=seed),
        "odd_extra_column": noisy.assign(extra=1),
        "odd_gap_is_empty_text": noisy.assign(
            selected_text=[None if i % 4 == 0 else t for i, t in enumerate(text)]
        ),
        "odd_numbers_are_text": truth.assign(selected_text=range(len(text))),
        **with_wrong_rows(noisy, "x"),
    }
    return as_files(out)
