"""Rehearsal data: pairs of phrases with a similarity in steps of a quarter."""

from mlebench.rehearsal import Choice, HexId, Making, Parts, Phrase, Table, Text, raw_data, words

SCORE = Choice("0.0", "0.25", "0.5", "0.75", "1.0", weights=[20, 32, 34, 11, 3])

# The phrase is drawn before the form. pandas reads the word null as a gap.
LIST = Text("{{}}, {}", Phrase(1))
FORM = Choice(LIST, '"{}"', "null", "{} μ–x", "{}", weights=[3, 2, 1, 2, 92])


@raw_data("rows")
def make_raw(making: Making) -> Parts:
    anchors = [words(making.r, making.r.choice([1, 2, 2, 3])) for _ in range(20)]
    pair = {
        "id": HexId(16),
        "anchor": Choice(*anchors),
        "target": Text(FORM, Phrase(1, 5)),
        "context": Choice("A47", "B41", "C08", "D21", "E04", "F16", "G02", "H04"),
    }
    yield Table("train.csv", pair | {"score": SCORE}, 403, fixed=making.seed)
    test = Table("test.csv", pair, fixed=36)
    yield from (test, Table("sample_submission.csv", {"id": test["id"], "score": 0}))
