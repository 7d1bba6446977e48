"""Rehearsal data: Russian tokens and their spoken form, in zipped CSVs with every text quoted."""

import csv

from mlebench.rehearsal import File, Files, Making, Random, csv_file, raw_data, zipped

PLAIN = (
    "Производится в Азии по данным Юго-Восточной переписи года составляет население района он был "
    "назначен"
).split()
SPOKEN = ["один", "двадцать пять", "сто, может быть"]
VERBATIM = ["№", "_", '""', "/"], ["номер", "_", 'кавычка "', "косая черта"]
ELECTRONIC = ["1.0", "007", "1e5", "Julius"], ["1.0", "007", "д_trans ж_trans"]


def token(r: Random) -> tuple[str, str, str]:
    """Class, written form, spoken form."""
    kind = r.random()
    if kind < 0.72:
        is_word = kind < 0.55
        text = r.choice(PLAIN) if is_word else r.choice([",", ".", '"', "«", "»", "—", "(", ")"])
        return "PLAIN" if is_word else "PUNCT", text, text
    if kind < 0.80:
        year = r.randrange(1900, 2020)
        return "DATE", f"{year} года", f"тысяча девятьсот {year % 100} года"
    if kind < 0.88:
        number = str(r.randrange(100))
        return "CARDINAL", number, r.choice([*SPOKEN, number])
    if kind < 0.92:
        return "LETTERS", "США", "с ш а"
    if 0.95 <= kind < 0.985:
        # Words that a CSV reader takes for missing values.
        text = r.choice(["NA", "null", "None", "nan"])
        return "PLAIN", text, r.choice([text, "н_trans а_trans"])
    name, (before, after) = ("VERBATIM", VERBATIM) if kind < 0.95 else ("ELECTRONIC", ELECTRONIC)
    return name, r.choice(before), r.choice(after)


def sentences(r: Random, count: int) -> list[tuple[object, ...]]:
    return [(s, t, *token(r)) for s in range(count) for t in range(r.randrange(3, 12))]


def quoted(name: str, header: str, rows: list[tuple[object, ...]]) -> File:
    return zipped(csv_file(name, header, rows, csv.QUOTE_NONNUMERIC))


@raw_data("tokens")
def make_raw(making: Making) -> Files:
    train = sentences(making.r, 130 * making.scale)
    yield quoted("ru_train.csv", "sentence_id,token_id,class,before,after", train)
    for suffix, count in (("", 4), ("_2", 5)):
        test = [(*row[:2], row[3]) for row in sentences(making.r, count)]
        yield quoted(f"ru_test{suffix}.csv", "sentence_id,token_id,before", test)
        sample: list[tuple[object, ...]] = [(f"{row[0]}_{row[1]}", row[2]) for row in test]
        yield quoted(f"ru_sample_submission{suffix}.csv", "id,after", sample)
