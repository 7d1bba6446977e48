"""Rehearsal data. Forum comments with dates: the comment text itself is the row's key."""

from __future__ import annotations

from pathlib import Path

from mlebench.rehearsal import rng, words, write_csv

DECOR = [
    "",
    "\\xa0",
    "\\n",
    "\\\\n\\\\n",
    "\\u2019",
    " caf\u00e9",
    ", really, ",
    ' he said "no" ',
    "!!",
    " \u0416\u0443\u043a ",
    "&amp;",
    "\n",
]


def comment(r) -> str:
    """The archive keeps the double quotes as part of the text."""
    text = words(r, r.randrange(2, 25))
    for _ in range(r.randrange(0, 3)):
        at = r.randrange(len(text) + 1)
        text = text[:at] + r.choice(DECOR) + text[at:]
    return f'"{text}"'


def date(r) -> str:
    if r.random() < 0.2:
        return ""
    return f"2012{r.randrange(1, 10):02d}{r.randrange(1, 29):02d}{r.randrange(24):02d}{r.randrange(60):02d}{r.randrange(60):02d}Z"


def make_raw(raw: Path, seed: int, scale: int = 1) -> None:
    r = rng(seed, "rows")
    seen: set[str] = set()

    def fresh() -> str:
        while (c := comment(r)) in seen:
            pass
        seen.add(c)
        return c

    insult = lambda: int(r.random() < 0.27)
    train = [[insult(), date(r), fresh()] for _ in range(180 * scale)]
    train.append(train[3])  # the real train repeats some comments
    test = [
        [insult(), date(r), fresh(), r.choice(["PublicTest", "PrivateTest"])]
        for _ in range(110 * scale)
    ]
    for k in (5, 17):  # repeated comments carry the same label
        test.append([test[k][0], date(r), test[k][2], "PrivateTest"])
    check = [[i + 1, insult(), date(r), fresh(), "PrivateTest"] for i in range(60 * scale)]
    write_csv(raw / "train.csv", ["Insult", "Date", "Comment"], train)
    write_csv(raw / "test_with_solutions.csv", ["Insult", "Date", "Comment", "Usage"], test)
    write_csv(
        raw / "test.csv",
        ["id", "Date", "Comment"],
        ([i + 1, row[1], row[2]] for i, row in enumerate(test)),
    )
    write_csv(
        raw / "sample_submission_null.csv",
        ["Insult", "Date", "Comment"],
        ([0, *row[1:3]] for row in test),
    )
    write_csv(
        raw / "impermium_verification_labels.csv",
        ["id", "Insult", "Date", "Comment", "Usage"],
        check,
    )
    write_csv(
        raw / "impermium_verification_set.csv",
        ["id", "Insult", "Date", "Comment"],
        ([i, "", d, c] for i, _, d, c, _ in check),
    )
