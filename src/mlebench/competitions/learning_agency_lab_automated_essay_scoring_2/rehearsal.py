"""Rehearsal data: student essays with a holistic score from 1 to 6."""

from mlebench.rehearsal import Choice, HexId, Ids, Random, RawData, Table, words

SCORES = [1] * 7 + [2] * 27 + [3] * 36 + [4] * 23 + [5] * 6 + [6]

train = Ids(HexId(7), 418, extra=["0000123", "12e4567"])
test = Ids(HexId(7), fixed=3)


def essay(r: Random) -> str:
    text = ". ".join(words(r, r.randrange(5, 20)).capitalize() for _ in range(r.randrange(1, 5)))
    kind = r.random()
    if kind < 0.4:
        return f'{text}\n\n{words(r, 12)}, "{words(r, 3)}" it\'s naïve\u00a0— so.'
    if kind < 0.5:
        return f"{text}\r\n\r\n{words(r, 8)}"
    return f"  {text}\t{words(r, 3)} " if kind < 0.6 else text


make_raw = RawData(
    "rows",
    Table("train.csv", {"essay_id": train, "full_text": essay, "score": Choice(*SCORES)}),
    Table("test.csv", {"essay_id": test, "full_text": essay}),
    Table("sample_submission.csv", {"essay_id": test, "score": 3}),
)
