"""Rehearsal data: pairs of phrases with a similarity in steps of a quarter."""

from mlebench.rehearsal import Choice, Files, HexId, Making, Random, Table, files_of, raw_data
from mlebench.rehearsal.draws import words

SCORE = Choice("0.0", "0.25", "0.5", "0.75", "1.0", weights=[20, 32, 34, 11, 3])


def target(r: Random) -> str:
    text = words(r, r.choice([1, 2, 3, 4]))
    kind = r.random()
    if kind < 0.03:
        return f"{text}, {words(r, 1)}"
    if kind < 0.05:
        return f'"{text}"'
    if kind < 0.06:
        return "null"  # pandas reads this word as a gap
    return f"{text} μ–x" if kind < 0.08 else text


@raw_data("rows")
def make_raw(making: Making) -> Files:
    anchors = [words(making.r, making.r.choice([1, 2, 2, 3])) for _ in range(20)]
    pair = {
        "id": HexId(16),
        "anchor": Choice(*anchors),
        "target": target,
        "context": Choice("A47", "B41", "C08", "D21", "E04", "F16", "G02", "H04"),
    }
    train = Table("train.csv", pair | {"score": SCORE}, 403, fixed=making.seed)
    test = Table("test.csv", pair, fixed=36)
    sample = Table("sample_submission.csv", {"id": test["id"], "score": 0})
    return files_of([train, test, sample], making)
