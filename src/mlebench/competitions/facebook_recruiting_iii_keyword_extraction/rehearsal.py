"""Rehearsal data: Stack Exchange questions and their tags, in nested zips."""

import csv
from collections.abc import Iterable

from mlebench.rehearsal import File, Files, Making, Random, csv_file, raw_data, words, zip_bytes

TAGS = (
    "c# java php javascript android jquery c++ python iphone asp.net mysql html .net ios "
    "objective-c linux nan null r 3d 2010 c sql-server-2008 homework calculus"
).split()
ENDINGS = ["?", "", ", why?", ' "quoted"', " – ünïcode"]


def question(r: Random) -> tuple[str, str]:
    title = words(r, r.randrange(3, 9)).capitalize() + r.choice(ENDINGS)
    body = f'<p>{words(r, 12)}</p>\r\n\n<pre><code>if (a &lt; b) {{ x = "{words(r, 2)}"; }}\n'
    return title, body + f"</code></pre>\n\n<p>{words(r, 5)}, ok</p>\n"


def zipped(name: str, header: str, rows: Iterable[Iterable[object]], quoting: int) -> File:
    return f"{name}.zip", zip_bytes([csv_file(f"{name}.csv", header, rows, quoting)])


@raw_data("questions")
def make_raw(making: Making) -> Files:
    r, rows = making.r, []
    for number in range(1, 301 * making.scale):
        title, body = question(r)
        tags = r.choices(TAGS, range(len(TAGS), 0, -1), k=r.randrange(1, 6))
        if number % 97 == 11:
            title = "NA"  # read as a gap
        rows.append((number, title, body, " ".join(dict.fromkeys(tags))))
    for number in (40, 60, 80):  # repeated questions under new ids, as in the real data
        rows.append((len(rows) + 1, *rows[number][1:]))
    yield zipped("Train", "Id,Title,Body,Tags", rows, csv.QUOTE_ALL)
    test = [(10_000 + number, *question(r)) for number in range(5)]
    yield zipped("Test", "Id,Title,Body", test, csv.QUOTE_ALL)
    sample = ((row[0], "javascript c# python php java") for row in test)
    yield zipped("SampleSubmission", "Id,Tags", sample, csv.QUOTE_MINIMAL)
