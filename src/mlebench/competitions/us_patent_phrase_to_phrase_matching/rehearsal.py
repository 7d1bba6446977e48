"""Rehearsal data. Pairs of phrases with a similarity in steps of a quarter."""

from __future__ import annotations

from pathlib import Path

from mlebench.rehearsal import hex_id, rng, words, write_csv


def make_raw(raw: Path, seed: int, scale: int = 1) -> None:
    r = rng(seed, "rows")
    anchors = [words(r, r.choice([1, 2, 2, 3])) for _ in range(20)]
    contexts = ["A47", "B41", "C08", "D21", "E04", "F16", "G02", "H04"]

    def target() -> str:
        text = words(r, r.choice([1, 2, 3, 4]))
        u = r.random()
        if u < 0.03:
            return f"{text}, {words(r, 1)}"
        if u < 0.05:
            return f'"{text}"'
        if u < 0.06:
            return "null"  # pandas reads this word as a gap
        if u < 0.08:
            return f"{text} \u03bc\u2013x"
        return text

    row = lambda: [hex_id(r, 16), r.choice(anchors), target(), r.choice(contexts)]
    scores = ["0.0", "0.25", "0.5", "0.75", "1.0"]
    train = [row() + [r.choices(scores, [20, 32, 34, 11, 3])[0]] for _ in range(403 * scale + seed)]
    test = [row() for _ in range(36)]
    write_csv(raw / "train.csv", ["id", "anchor", "target", "context", "score"], train)
    write_csv(raw / "test.csv", ["id", "anchor", "target", "context"], test)
    write_csv(raw / "sample_submission.csv", ["id", "score"], ([t[0], 0] for t in test))
