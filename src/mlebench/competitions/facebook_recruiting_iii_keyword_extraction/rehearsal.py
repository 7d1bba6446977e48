"""Rehearsal data. Stack Exchange questions and their tags, in a nested zip."""

from __future__ import annotations

from pathlib import Path

from mlebench.rehearsal import csv_text, rng, words, write_zip

TAGS = [
    "c#",
    "java",
    "php",
    "javascript",
    "android",
    "jquery",
    "c++",
    "python",
    "iphone",
    "asp.net",
    "mysql",
    "html",
    ".net",
    "ios",
    "objective-c",
    "linux",
    "nan",
    "null",
    "r",
    "3d",
    "2010",
    "c",
    "sql-server-2008",
    "homework",
    "calculus",
]


def _question(r, k: int) -> tuple[str, str]:
    title = words(r, r.randrange(3, 9)).capitalize() + r.choice(
        ["?", "", ", why?", ' "quoted"', " – ünïcode"]
    )
    body = f'<p>{words(r, 12)}</p>\r\n\n<pre><code>if (a &lt; b) {{ x = "{words(r, 2)}"; }}\n</code></pre>\n\n<p>{words(r, 5)}, ok</p>\n'
    return title, body


def _quoted(rows, header) -> str:
    q = lambda v: '"' + str(v).replace('"', '""') + '"'
    return "".join(",".join(map(q, row)) + "\n" for row in [header, *rows])


def make_raw(raw: Path, seed: int, scale: int = 1) -> None:
    r = rng(seed, "questions")
    rows = []
    for k in range(1, 301 * scale):
        title, body = _question(r, k)
        tags = r.choices(TAGS, [len(TAGS) - i for i in range(len(TAGS))], k=r.randrange(1, 6))
        tags = " ".join(dict.fromkeys(tags))
        if k % 97 == 11:
            title = "NA"  # read as a gap
        rows.append((k, title, body, tags))
    for k in (40, 60, 80):  # repeated questions under new ids, as in the real data
        rows.append((len(rows) + 1, *rows[k][1:]))
    write_zip(
        raw / "Train.zip", {"Train.csv": _quoted(rows, ("Id", "Title", "Body", "Tags")).encode()}
    )
    test = [(10_000 + k, *_question(r, k)) for k in range(5)]
    write_zip(raw / "Test.zip", {"Test.csv": _quoted(test, ("Id", "Title", "Body")).encode()})
    sample = csv_text(["Id", "Tags"], ((t[0], "javascript c# python php java") for t in test))
    write_zip(raw / "SampleSubmission.zip", {"SampleSubmission.csv": sample.encode()})
