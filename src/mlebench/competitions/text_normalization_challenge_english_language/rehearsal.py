"""Rehearsal data. Tokens and how they are spoken: quoted CSV in zip files, tokens that look like missing values, quotes and commas."""

from __future__ import annotations

from pathlib import Path

from mlebench.rehearsal import rng, write_zip

TOKENS = [
    ("PLAIN", "whale", "whale"),
    ("PLAIN", "the", "the"),
    ("PLAIN", "Brillantaisia", "Brillantaisia"),
    ("PLAIN", "naïve", "naïve"),
    ("PUNCT", ",", ","),
    ("PUNCT", '"', '"'),
    ("PUNCT", ".", "."),
    ("PUNCT", "'", "'"),
    ("DATE", "2006", "two thousand six"),
    ("DATE", "28 November 2003", "the twenty eighth of november two thousand three"),
    ("CARDINAL", "1,000", "one thousand"),
    ("CARDINAL", "IV", "four"),
    ("CARDINAL", "12", "twelve"),
    ("MEASURE", "5.25%", "five point two five percent"),
    ("MONEY", "$3.16", "three dollars, sixteen cents"),
    ("LETTERS", "IUCN", "i u c n"),
    ("LETTERS", "NA", "n a"),
    ("PLAIN", "NA", "NA"),
    ("PLAIN", "null", "null"),
    ("PLAIN", "nan", "nan"),
    ("PLAIN", "None", "None"),
    ("ORDINAL", "7th", "seventh"),
    ("TIME", "12:47", "twelve forty seven"),
    ("VERBATIM", "&", "and"),
    ("VERBATIM", "α", "alpha"),
    ("ELECTRONIC", "kaggle.com", "k a g g l e dot c o m"),
    ("FRACTION", "1/2", "one half"),
    ("DIGIT", "007", "o o seven"),
    ("DECIMAL", "3.0", "three point o"),
]


WEIGHTS = [
    1 if before in ("NA", "null", "nan", "None") else 9 if kind == "PLAIN" else 2
    for kind, before, _ in TOKENS
]


def quoted(header: list[str], rows) -> bytes:
    """Kaggle's files here quote everything but numbers."""
    cell = lambda c: str(c) if isinstance(c, int) else '"' + c.replace('"', '""') + '"'
    return "".join(",".join(map(cell, row)) + "\n" for row in [header, *rows]).encode()


def make_raw(raw: Path, seed: int, scale: int = 1) -> None:
    r = rng(seed, "tokens")

    def sentences(count: int, start: int = 0):
        out, sid = [], start
        for _ in range(count):
            out += [(sid, t, *r.choices(TOKENS, WEIGHTS)[0]) for t in range(r.randrange(1, 14))]
            sid += r.choice([1, 1, 1, 2])  # ids with holes
        return out

    train = sentences(120 * scale)
    head, tail = train[: len(train) // 2], train[len(train) // 2 :]
    train = tail + head  # sentence ids are not ascending over the file
    columns = ["sentence_id", "token_id", "class", "before", "after"]
    write_zip(raw / "en_train.csv.zip", {"en_train.csv": quoted(columns, train)})
    for suffix, n in (("", 8), ("_2", 9)):
        test = sentences(n)
        write_zip(
            raw / f"en_test{suffix}.csv.zip",
            {
                f"en_test{suffix}.csv": quoted(
                    ["sentence_id", "token_id", "before"], [(s, t, b) for s, t, _, b, _ in test]
                )
            },
        )
        write_zip(
            raw / f"en_sample_submission{suffix}.csv.zip",
            {
                f"en_sample_submission{suffix}.csv": quoted(
                    ["id", "after"], [(f"{s}_{t}", b) for s, t, _, b, _ in test]
                )
            },
        )
