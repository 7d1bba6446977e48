"""Rehearsal data. Wikipedia comments with six labels; the test labels are published, -1 where a row is not scored."""

from __future__ import annotations

from pathlib import Path

from mlebench.rehearsal import csv_text, hex_id, rng, words, write_zip

CLASSES = ["toxic", "severe_toxic", "obscene", "threat", "insult", "identity_hate"]


RATES = [0.35, 0.12, 0.25, 0.1, 0.25, 0.12]


def make_raw(raw: Path, seed: int, scale: int = 1) -> None:
    r = rng(seed, "comments")

    def comment():
        t = words(r, r.randrange(2, 14))
        return r.choice(
            [
                '"\n\n' + t + ' ""quoted""\n"',
                t + ", really?",
                "Привет, " + t + " — naïve",
                "  " + t,
                t.upper() + "!!!",
                "== " + t + " ==\n" + t,
                "NA" if r.random() < 0.3 else "123",
            ]
        )

    def labels():
        return [int(r.random() < p) for p in RATES]

    train = [(hex_id(r, 16), comment(), *labels()) for _ in range(150 * scale)]
    test = [(hex_id(r, 16), comment()) for _ in range(130 * scale)]
    truth = [(i, *([-1] * 6 if r.random() < 0.35 else labels())) for i, _ in test]
    put = lambda name, head, rows: write_zip(
        raw / f"{name}.zip", {name: csv_text(head, rows).encode()}
    )
    put("train.csv", ["id", "comment_text", *CLASSES], train)
    put("test.csv", ["id", "comment_text"], test)
    put("test_labels.csv", ["id", *CLASSES], truth)
    put("sample_submission.csv", ["id", *CLASSES], ((i, *[0.5] * 6) for i, _ in test))
