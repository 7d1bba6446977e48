"""Rehearsal data: Russian tokens and their spoken form, in zipped CSVs with every text quoted."""

from mlebench.competitions.text_normalization_challenge_english_language.rehearsal import tables
from mlebench.rehearsal import Choice, Making, Parts, Random, Several, raw_data

PLAIN = (
    "Производится в Азии по данным Юго-Восточной переписи года составляет население района он был "
    "назначен"
).split()
SPOKEN = ["один", "двадцать пять", "сто, может быть"]
VERBATIM = Choice("№", "_", '""', "/"), Choice("номер", "_", 'кавычка "', "косая черта")
ELECTRONIC = Choice("1.0", "007", "1e5", "Julius"), Choice("1.0", "007", "д_trans ж_trans")
# Class, written form, spoken form. A CSV reader takes the words of GAP for missing values.
WORD = Choice(*(("PLAIN", word, word) for word in PLAIN))
MARK = Choice(*(("PUNCT", mark, mark) for mark in ',."«»—()'))
YEARS = ((f"{year} года", f"тысяча девятьсот {year % 100} года") for year in range(1900, 2020))
DATE = Choice(*(("DATE", *year) for year in YEARS))
NUMBER = Choice(*(Several("CARDINAL", n, Choice(*SPOKEN, n)) for n in map(str, range(100))))
GAPS = ["NA", "null", "None", "nan"]
GAP = Choice(*(Several("PLAIN", gap, Choice(gap, "н_trans а_trans")) for gap in GAPS))
TOKEN = Choice(
    *(WORD, MARK, DATE, NUMBER, ("LETTERS", "США", "с ш а"), Several("VERBATIM", *VERBATIM)),
    *(GAP, Several("ELECTRONIC", *ELECTRONIC)),
    weights=[55, 17, 8, 8, 4, 3, 3.5, 1.5],
)


def sentences(r: Random, count: int) -> list[tuple[object, ...]]:
    return [(s, t, *TOKEN(r)) for s in range(count) for t in range(r.randrange(3, 12))]


@raw_data("tokens")
def make_raw(making: Making) -> Parts:
    return tables("ru", *(sentences(making.r, count) for count in (130 * making.scale, 4, 5)))
