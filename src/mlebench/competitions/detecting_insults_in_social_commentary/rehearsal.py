"""Rehearsal data: forum comments with dates; the comment text itself is the row's key."""

from collections.abc import Iterator
from typing import Any

from mlebench.rehearsal import Chance, Files, Making, Random, csv_file, raw_data, words

DECOR = ["", r"\xa0", r"\n", r"\\n\\n", r"\u2019", " café", ", really, ", ' he said "no" ']
DECOR += ["!!", " Жук ", "&amp;", "\n"]
INSULT = Chance(0.27)


def comment(r: Random, seen: set[str]) -> str:
    """A comment not seen before; the archive keeps the double quotes as part of the text."""
    while True:
        text = words(r, r.randrange(2, 25))
        for _ in range(r.randrange(0, 3)):
            at = r.randrange(len(text) + 1)
            text = text[:at] + r.choice(DECOR) + text[at:]
        if text not in seen:
            seen.add(text)
            return f'"{text}"'


def date(r: Random) -> str:
    if r.random() < 0.2:
        return ""
    day = f"2012{r.randrange(1, 10):02d}{r.randrange(1, 29):02d}"
    return f"{day}{r.randrange(24):02d}{r.randrange(60):02d}{r.randrange(60):02d}Z"


@raw_data("rows")
def make_raw(making: Making) -> Files:
    r, seen = making.r, set[str]()

    def rows(count: int) -> Iterator[list[Any]]:
        return ([INSULT(r), date(r), comment(r, seen)] for _ in range(count * making.scale))

    train = list(rows(180))
    train.append(train[3])  # the real train repeats some comments
    test = [[*row, r.choice(["PublicTest", "PrivateTest"])] for row in rows(110)]
    for number in (5, 17):  # repeated comments have the same label
        test.append([test[number][0], date(r), test[number][2], "PrivateTest"])
    check = [[number, *row, "PrivateTest"] for number, row in enumerate(rows(60), 1)]
    yield csv_file("train.csv", "Insult,Date,Comment", train)
    yield csv_file("test_with_solutions.csv", "Insult,Date,Comment,Usage", test)
    numbered = ([number, *row[1:3]] for number, row in enumerate(test, 1))
    yield csv_file("test.csv", "id,Date,Comment", numbered)
    sample = ([0, *row[1:3]] for row in test)
    yield csv_file("sample_submission_null.csv", "Insult,Date,Comment", sample)
    header = "id,Insult,Date,Comment,Usage"
    yield csv_file("impermium_verification_labels.csv", header, check)
    unlabelled = ([row[0], "", *row[2:4]] for row in check)
    yield csv_file("impermium_verification_set.csv", "id,Insult,Date,Comment", unlabelled)
