"""Rehearsal data. Tweets with a sentiment; predict the part of the text that carries it."""

from __future__ import annotations

import math
from pathlib import Path

from mlebench.rehearsal import hex_id, rng, words, write_csv


def tweet(r) -> tuple[str, str, str]:
    text = words(r, r.randrange(2, 14)).split()
    if r.random() < 0.3:
        text.insert(
            r.randrange(len(text)),
            r.choice(['"WOW"', "http://tinyurl.com/x,y", "ï¿½", "I`m", "SooOo!!!", "Ünï", "****"]),
        )
    gap = "\u00a0" if r.random() < 0.05 else "\t" if r.random() < 0.05 else " "
    start = r.randrange(len(text))
    stop = r.randrange(start + 1, len(text) + 1)
    full, part = gap.join(text), gap.join(text[start:stop])
    sentiment = r.choice(["neutral", "positive", "negative"])
    if sentiment == "neutral" and r.random() < 0.9:
        part = full
    if r.random() < 0.15:
        full, part = f" {full}", part[1:] or part  # the real labels are often cut inside a word
    return full, part, sentiment


def make_raw(raw: Path, seed: int, scale: int = 1) -> None:
    import numpy as np

    r = rng(seed, "rows")
    count = 420 * scale
    ids = [hex_id(r, 10) for _ in range(count - 2)] + ["1234567890", "12345e6789"]
    r.shuffle(ids)
    # the real file has one row without text; it is not among the test rows of the split, which is by position
    test = set(np.random.RandomState(0).permutation(count)[: math.ceil(0.1 * count)].tolist())
    hole = next(i for i in range(count // 2, count) if i not in test)
    rows = [(ids[i], "", "", "neutral") if i == hole else (ids[i], *tweet(r)) for i in range(count)]
    write_csv(raw / "train.csv", ["textID", "text", "selected_text", "sentiment"], rows)
    tests = [(hex_id(r, 10), *tweet(r)) for _ in range(5)]
    write_csv(
        raw / "test.csv", ["textID", "text", "sentiment"], ((t[0], t[1], t[3]) for t in tests)
    )
    write_csv(
        raw / "sample_submission.csv", ["textID", "selected_text"], ((t[0], "") for t in tests)
    )
