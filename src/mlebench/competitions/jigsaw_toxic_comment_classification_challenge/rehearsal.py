"""Rehearsal data: Wikipedia comments with six labels, -1 where a test row is not scored."""

from mlebench.rehearsal import Chance, Choice, HexId, Random, RawData, Several, Table, words, zipped

CLASSES = ["toxic", "severe_toxic", "obscene", "threat", "insult", "identity_hate"]
HEADER = ",".join(CLASSES)
LABELS = Several(*map(Chance, [0.35, 0.12, 0.25, 0.1, 0.25, 0.12]))
HIDDEN = Choice((-1,) * 6, LABELS, weights=[0.35, 0.65])


def comment(r: Random) -> str:
    text = words(r, r.randrange(2, 14))
    plain = "NA" if r.random() < 0.3 else "123"
    kinds = [f'"\n\n{text} ""quoted""\n"', f"{text}, really?", f"Привет, {text} — naïve"]
    return r.choice([*kinds, f"  {text}", f"{text.upper()}!!!", f"== {text} ==\n{text}", plain])


columns = {"id": HexId(16), "comment_text": comment}
test = Table("test.csv", columns, 130)

make_raw = RawData(
    "comments",
    zipped(Table("train.csv", columns | {HEADER: LABELS}, 150)),
    zipped(test),
    zipped(Table("test_labels.csv", {"id": test["id"], HEADER: HIDDEN})),
    zipped(Table("sample_submission.csv", {"id": test["id"], HEADER: (0.5,) * 6})),
)
