"""Rehearsal data. Pairs of chatbot answers and which one the judge preferred."""

from __future__ import annotations

import json
from pathlib import Path

from mlebench.rehearsal import rng, words, write_csv

CLASSES = ["winner_model_a", "winner_model_b", "winner_tie"]


MODELS = [
    "gpt-4-1106-preview",
    "gpt-3.5-turbo-0613",
    "claude-2.1",
    "llama-2-70b-chat",
    "vicuna-13b",
    "koala-13b",
]


def make_raw(raw: Path, seed: int, scale: int = 1) -> None:
    r = rng(seed, "train")

    def turns(n: int, gaps: bool) -> str:
        texts = [
            r.choice(
                [
                    words(r, 9),
                    'Yes, "indeed".\n\n1. ' + words(r, 4),
                    "πŸ™‚ 你好, " + words(r, 3),
                    "\U0001f600 ok",
                ]
            )
            for _ in range(n)
        ]
        return json.dumps([None if gaps and r.random() < 0.03 else t for t in texts])

    rows = []
    for i in sorted(r.sample(range(30_000, 2**32), 220 * scale)):
        n, win = r.choice([1, 1, 1, 2, 3]), r.choice([0, 0, 1, 1, 2])
        a, b = r.sample(MODELS, 2)
        rows.append(
            [i, a, b, turns(n, False), turns(n, True), turns(n, True)]
            + [int(k == win) for k in range(3)]
        )
    write_csv(
        raw / "train.csv",
        ["id", "model_a", "model_b", "prompt", "response_a", "response_b", *CLASSES],
        rows,
    )
    test = [136060, 211333, 1233961]
    write_csv(
        raw / "test.csv",
        ["id", "prompt", "response_a", "response_b"],
        ([i, turns(1, False), turns(1, True), turns(1, True)] for i in test),
    )
    write_csv(
        raw / "sample_submission.csv",
        ["id", *CLASSES],
        ([i] + [0.333333333333333] * 3 for i in test),
    )
