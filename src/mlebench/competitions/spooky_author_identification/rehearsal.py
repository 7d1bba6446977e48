"""Rehearsal data: sentences of three horror writers, in zipped CSV files with every cell quoted."""

import csv

from mlebench.rehearsal import Choice, Random, RawData, Sampled, Table, Zip, words

AUTHORS = ["EAP", "HPL", "MWS"]
EXTRAS = ["; but", ', "said he,"', " naïveté", " Æsop’s", " --", " 'Tis", " 💀", " e, f", "?"]
GUESS = (0.403493538995863, 0.287808366106543, 0.308698094897594)

ids = Sampled(range(1, 28000), 230, form="id{:05d}")
train, test = ids.split(200)


def sentence(r: Random) -> str:
    text = words(r, r.randrange(3, 14)) + r.choice(EXTRAS) + " " + words(r, 3)
    return text.capitalize() + "."


def table(name: str, columns: dict[str, object]) -> Zip:
    return Zip(f"{name}.zip", Table(f"{name}.csv", columns, quoting=csv.QUOTE_ALL))


make_raw = RawData(
    "sentences",
    table("train", {"id": train, "text": sentence, "author": Choice(*AUTHORS, weights=[4, 3, 3])}),
    table("test", {"id": test, "text": sentence}),
    table("sample_submission", {"id": test, ",".join(AUTHORS): GUESS}),
)
