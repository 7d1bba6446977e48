"""Submissions for h-and-m-personalized-fashion-recommendations, good, odd and bad."""

from __future__ import annotations

from pathlib import Path

from mlebench.rehearsal import rng
from tests.competitions.frames import as_files


def submissions(public: Path, private: Path, seed: int) -> dict[str, str]:
    import pandas as pd

    answers = pd.read_csv(private / "answers.csv", dtype=str)
    everyone = pd.read_csv(public / "sample_submission.csv", dtype=str)
    pool = [a.lstrip("0") for a in pd.read_csv(public / "articles.csv", dtype=str)["article_id"]]
    bought = {
        c: list(dict.fromkeys(p.split(" ")))
        for c, p in zip(answers["customer_id"], answers["prediction"], strict=True)
    }
    r = rng(seed, "submissions")

    def frame(pick):
        return everyone.assign(
            prediction=[pick(c, list(bought.get(c, pool[:3]))) for c in everyone["customer_id"]]
        )

    def mix(c, got):
        cand = [a for a in got if r.random() < 0.7] + r.sample(pool, 8)
        r.shuffle(cand)
        return " ".join(cand[: r.choice([5, 12, 14])])  # with repeats; only twelve count

    perfect, noisy = frame(lambda c, g: " ".join(g)), frame(mix)
    popular = frame(lambda c, g: " ".join(pool[:12]))
    repeats = frame(lambda c, g: " ".join([g[0], g[0], *g[1:]]))
    spaces = frame(lambda c, g: "  ".join(g))  # an empty guess takes a rank
    gaps = frame(lambda c, g: "" if r.random() < 0.4 else " ".join(g))
    padded = frame(lambda c, g: " ".join("0" + a for a in g) + " 0999999001")
    single = frame(lambda c, g: "0" + g[0])  # read as numbers, so the zero goes and they match
    # Read as floats: nothing matches.
    single_gap = single.assign(prediction=["", *single["prediction"][1:]])
    known = everyone["customer_id"].isin(bought)
    twice = perfect[known].sort_values("customer_id")
    # Pairs shift by one from here on.
    twice = pd.concat([twice.iloc[:4], twice.iloc[2:3], twice.iloc[4:]])
    out = {
        "perfect": perfect,
        "noisy": noisy,
        "noisy_popular": popular,
        "noisy_repeats": repeats,
        "odd_double_spaces": spaces,
        "noisy_gaps": gaps,
        "noisy_shuffled": noisy.sample(frac=1, random_state=seed),
        "odd_kaggle_zero_padding": padded,
        "odd_single_padded": single,
        "odd_single_padded_one_gap": single_gap,
        "odd_only_buyers": perfect[known],
        "odd_extra_customer": pd.concat([noisy, noisy.iloc[:1].assign(customer_id="nobody")]),
        "odd_duplicate_customer": twice,
        "bad_extra_column": perfect.assign(extra=1),
        "bad_missing_column": perfect[["customer_id"]],
        "bad_missing_row": perfect[everyone["customer_id"] != answers["customer_id"][0]],
        "bad_wrong_id": perfect.assign(
            customer_id=[
                "x" if c == answers["customer_id"][1] else c for c in perfect["customer_id"]
            ]
        ),
    }
    return as_files(out)
