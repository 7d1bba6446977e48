"""Submissions for facebook-recruiting-iii-keyword-extraction, good, odd and bad."""

from __future__ import annotations

from pathlib import Path

from mlebench.competitions.facebook_recruiting_iii_keyword_extraction.rehearsal import TAGS
from mlebench.rehearsal import rng
from tests.competitions.frames import as_files, with_wrong_rows


def submissions(public: Path, private: Path, seed: int) -> dict[str, str]:
    import pandas as pd

    truth = pd.read_csv(private / "test.csv", dtype=str, keep_default_na=False)[["Id", "Tags"]]
    r = rng(seed, "submissions")
    y = list(truth["Tags"])

    def worse(tags: str, keep: float, add: int) -> str:
        kept = [t for t in tags.split() if r.random() < keep] + [
            r.choice([*TAGS, "no-such-tag", "Java"]) for _ in range(r.randrange(add + 1))
        ]
        r.shuffle(kept)
        return " ".join(kept)

    def put(values):
        return truth.assign(Tags=values)

    noisy = put([worse(t, 0.8, 1) for t in y])
    weak = put([worse(t, 0.4, 4) for t in y])
    out = {
        "perfect": truth,
        "noisy": noisy,
        "noisy_weak": weak,
        "noisy_weak_shuffled": weak.sample(frac=1, random_state=4),
        "noisy_repeated_tags": put([" ".join([t, *t.split()[:1]]) for t in y]),
        "odd_unknown_tags": put([t + " zzz" for t in y]),
        "odd_nan": put([None] * (len(y) // 2) + y[len(y) // 2 :]),
        "odd_extra_column": noisy.assign(Title="x"),
        "worst_none_right": put("zzz yyy"),
        "bad_all_numbers": put(2010),
        **with_wrong_rows(truth, "999999"),
        "bad_duplicate_id": pd.concat([truth.iloc[1:2], truth.iloc[1:]]),
        "bad_missing_id_column": truth[["Tags"]],
    }
    return as_files(out)
