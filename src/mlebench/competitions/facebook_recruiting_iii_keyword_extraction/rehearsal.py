"""Rehearsal data: Stack Exchange questions and their tags, in nested zips."""

import csv

from mlebench.rehearsal import Choice, Making, Parts, Phrase, Random, Table, Text, Zip, raw_data
from mlebench.rehearsal.content import csv_file

TAGS = (
    "c# java php javascript android jquery c++ python iphone asp.net mysql html .net ios "
    "objective-c linux nan null r 3d 2010 c sql-server-2008 homework calculus"
).split()
TITLE = Text("{}{}", Phrase(3, 9), Choice("?", "", ", why?", ' "quoted"', " – ünïcode"))
BODY = Text(
    '<p>{}</p>\r\n\n<pre><code>if (a &lt; b) {{ x = "{}"; }}\n</code></pre>\n\n<p>{}, ok</p>\n',
    *(Phrase(12), Phrase(2), Phrase(5)),
)


def tagged(r: Random, number: int) -> list[str]:
    title, body = TITLE(r).capitalize(), BODY(r)
    tags = r.choices(TAGS, range(len(TAGS), 0, -1), k=r.randrange(1, 6))
    # The title NA is read as a gap.
    return ["NA" if number % 97 == 11 else title, body, " ".join(dict.fromkeys(tags))]


@raw_data("questions")
def make_raw(making: Making) -> Parts:
    rows = [[number, *tagged(making.r, number)] for number in range(1, 301 * making.scale)]
    for number in (40, 60, 80):  # repeated questions under new ids, as in the real data
        rows.append([len(rows) + 1, *rows[number][1:]])
    yield Zip("Train.zip", csv_file("Train.csv", "Id,Title,Body,Tags", rows, csv.QUOTE_ALL))
    ids = list(range(10_000, 10_005))
    test = {"Id": ids, "Title": lambda r: TITLE(r).capitalize(), "Body": BODY}
    yield Zip("Test.zip", Table("Test.csv", test, quoting=csv.QUOTE_ALL))
    sample = {"Id": ids, "Tags": "javascript c# python php java"}
    yield Zip("SampleSubmission.zip", Table("SampleSubmission.csv", sample))
