"""Rehearsal data: forum comments with dates; the comment text itself is the row's key."""

from collections.abc import Iterator
from typing import Any

from mlebench.rehearsal import Chance, Choice, Making, Parts, Random, Text, Whole, raw_data
from mlebench.rehearsal.content import csv_file
from mlebench.rehearsal.draws import words

DECOR = ["", r"\xa0", r"\n", r"\\n\\n", r"\u2019", " café", ", really, ", ' he said "no" ']
DECOR += ["!!", " Жук ", "&amp;", "\n"]
INSULT = Chance(0.27)
TIME = Whole(1, 10), Whole(1, 29), Whole(0, 24), Whole(0, 60), Whole(0, 60)
DATE = Choice("", Text("2012{:02d}{:02d}{:02d}{:02d}{:02d}Z", *TIME), weights=[0.2, 0.8])
USAGE = Choice("PublicTest", "PrivateTest")


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


@raw_data("rows")
def make_raw(making: Making) -> Parts:
    r, seen = making.r, set[str]()

    def rows(count: int) -> Iterator[list[Any]]:
        return ([INSULT(r), DATE(r), comment(r, seen)] for _ in range(count * making.scale))

    train = list(rows(180))
    train.append(train[3])  # the real train repeats some comments
    test = [[*row, USAGE(r)] for row in rows(110)]
    for number in (5, 17):  # repeated comments have the same label
        test.append([test[number][0], DATE(r), test[number][2], "PrivateTest"])
    check = [[number, *row, "PrivateTest"] for number, row in enumerate(rows(60), 1)]
    unlabelled = [[row[0], "", *row[2:4]] for row in check]
    for name, header, lines in (
        ("train", "Insult,Date,Comment", train),
        ("test_with_solutions", "Insult,Date,Comment,Usage", test),
        ("test", "id,Date,Comment", [[n, *row[1:3]] for n, row in enumerate(test, 1)]),
        ("sample_submission_null", "Insult,Date,Comment", [[0, *row[1:3]] for row in test]),
        ("impermium_verification_labels", "id,Insult,Date,Comment,Usage", check),
        ("impermium_verification_set", "id,Insult,Date,Comment", unlabelled),
    ):
        yield csv_file(f"{name}.csv", header, lines)
