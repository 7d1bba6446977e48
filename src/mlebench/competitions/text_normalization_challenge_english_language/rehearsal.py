"""Rehearsal data: tokens and how they are spoken, some of which look like missing values."""

import csv

from mlebench.rehearsal import Making, Parts, Random, Zip, csv_file, raw_data, zipped

GAPS = ["NA", "null", "nan", "None"]
TOKENS = [
    *(("PLAIN", word, word) for word in ("whale", "the", "Brillantaisia", "naïve")),
    *(("PUNCT", mark, mark) for mark in ",\".'"),
    ("DATE", "2006", "two thousand six"),
    ("DATE", "28 November 2003", "the twenty eighth of november two thousand three"),
    ("CARDINAL", "1,000", "one thousand"),
    ("CARDINAL", "IV", "four"),
    ("CARDINAL", "12", "twelve"),
    ("MEASURE", "5.25%", "five point two five percent"),
    ("MONEY", "$3.16", "three dollars, sixteen cents"),
    ("LETTERS", "IUCN", "i u c n"),
    ("LETTERS", "NA", "n a"),
    *(("PLAIN", gap, gap) for gap in GAPS),
    ("ORDINAL", "7th", "seventh"),
    ("TIME", "12:47", "twelve forty seven"),
    ("VERBATIM", "&", "and"),
    ("VERBATIM", "α", "alpha"),
    ("ELECTRONIC", "kaggle.com", "k a g g l e dot c o m"),
    ("FRACTION", "1/2", "one half"),
    ("DIGIT", "007", "o o seven"),
    ("DECIMAL", "3.0", "three point o"),
]
WEIGHTS = [1 if before in GAPS else 9 if kind == "PLAIN" else 2 for kind, before, _ in TOKENS]


Rows = list[tuple[object, ...]]


def quoted(name: str, header: str, rows: Rows) -> Zip:
    """A zipped table that quotes everything but numbers, as Kaggle's."""
    return zipped(csv_file(name, header, rows, csv.QUOTE_NONNUMERIC))


def tables(language: str, train: Rows, *tests: Rows) -> Parts:
    """The train table, and for each of the two stages a test table and a sample submission."""
    yield quoted(f"{language}_train.csv", "sentence_id,token_id,class,before,after", train)
    for suffix, rows in zip(["", "_2"], tests, strict=True):
        test: Rows = [(*row[:2], row[3]) for row in rows]
        yield quoted(f"{language}_test{suffix}.csv", "sentence_id,token_id,before", test)
        sample: Rows = [(f"{row[0]}_{row[1]}", row[2]) for row in test]
        yield quoted(f"{language}_sample_submission{suffix}.csv", "id,after", sample)


def sentences(r: Random, count: int) -> Rows:
    rows, sentence = Rows(), 0
    for _ in range(count):
        tokens = range(r.randrange(1, 14))
        rows += [(sentence, token, *r.choices(TOKENS, WEIGHTS)[0]) for token in tokens]
        sentence += r.choice([1, 1, 1, 2])  # some ids are skipped
    return rows


@raw_data("tokens")
def make_raw(making: Making) -> Parts:
    rows = sentences(making.r, 120 * making.scale)
    # Sentence ids do not ascend through the file.
    train = rows[len(rows) // 2 :] + rows[: len(rows) // 2]
    return tables("en", train, sentences(making.r, 8), sentences(making.r, 9))
