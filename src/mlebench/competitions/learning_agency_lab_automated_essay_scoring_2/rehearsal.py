"""Rehearsal data. Student essays with a holistic score from 1 to 6."""

from __future__ import annotations

from pathlib import Path

from mlebench.rehearsal import hex_id, rng, words, write_csv


def essay(r) -> str:
    text = ". ".join(words(r, r.randrange(5, 20)).capitalize() for _ in range(r.randrange(1, 5)))
    kind = r.random()
    if kind < 0.4:
        return f'{text}\n\n{words(r, 12)}, "{words(r, 3)}" it\'s naïve\u00a0— so.'
    if kind < 0.5:
        return f"{text}\r\n\r\n{words(r, 8)}"
    if kind < 0.6:
        return f"  {text}\t{words(r, 3)} "
    return text


def make_raw(raw: Path, seed: int, scale: int = 1) -> None:
    r = rng(seed, "rows")
    ids = sorted({hex_id(r, 7) for _ in range(418 * scale)} | {"0000123", "12e4567"})
    scores = [1] * 7 + [2] * 27 + [3] * 36 + [4] * 23 + [5] * 6 + [6] * 1
    write_csv(
        raw / "train.csv",
        ["essay_id", "full_text", "score"],
        ((i, essay(r), r.choice(scores)) for i in ids),
    )
    tests = sorted({hex_id(r, 7) for _ in range(3)})
    write_csv(raw / "test.csv", ["essay_id", "full_text"], ((i, essay(r)) for i in tests))
    write_csv(raw / "sample_submission.csv", ["essay_id", "score"], ((i, 3) for i in tests))
