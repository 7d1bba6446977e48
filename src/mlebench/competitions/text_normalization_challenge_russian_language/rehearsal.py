"""Rehearsal data: Russian tokens and their spoken form, in zipped CSVs with every text quoted."""

from mlebench.competitions.text_normalization_challenge_english_language.rehearsal import tables
from mlebench.rehearsal import Making, Parts, Random, raw_data

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
        # A CSV reader takes these words for missing values.
        text = r.choice(["NA", "null", "None", "nan"])
        return "PLAIN", text, r.choice([text, "н_trans а_trans"])
    name, (before, after) = ("VERBATIM", VERBATIM) if kind < 0.95 else ("ELECTRONIC", ELECTRONIC)
    return name, r.choice(before), r.choice(after)


def sentences(r: Random, count: int) -> list[tuple[object, ...]]:
    return [(s, t, *token(r)) for s in range(count) for t in range(r.randrange(3, 12))]


@raw_data("tokens")
def make_raw(making: Making) -> Parts:
    return tables("ru", *(sentences(making.r, count) for count in (130 * making.scale, 4, 5)))
