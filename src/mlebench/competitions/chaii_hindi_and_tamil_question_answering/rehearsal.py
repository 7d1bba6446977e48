"""Rehearsal data: questions in Hindi and Tamil whose answers are spans of a text."""

from mlebench.rehearsal import Choice, HexId, Many, Numbered, Of, Random, RawData, Table, hex_id

HINDI = (
    "भारत की राजधानी नई दिल्ली है और यह एक बड़ा शहर, जिसे राजा ने १९११ में बनाया था। 1912 2,000 वर्ष "
    "“पुराना” Delhi (दिल्ली) NULL"
).split()
TAMIL = (
    "இந்தியாவின் தலைநகரம் புது தில்லி ஆகும் மற்றும் இது ஒரு பெரிய நகரம், 1639 ஆம் ஆண்டு சென்னை கோயில் "
    '"பழைய" Chennai மலை.'
).split()


def question(r: Random, number: int) -> tuple[object, ...]:
    language, vocabulary = ("hindi", HINDI) if r.random() < 0.65 else ("tamil", TAMIL)
    tokens = [r.choice(vocabulary) for _ in range(r.randrange(20, 60))]
    length = r.choices([1, 2, 3, 5, 8], [40, 25, 15, 10, 10])[0]
    start = r.randrange(len(tokens) - length)
    answer = " ".join(tokens[start : start + length])
    before = " ".join(tokens[:start]) + ("\n\n" if r.random() < 0.5 else " ")
    context = f"{before}{answer} {' '.join(tokens[start + length :])}"
    # Some real answers are bare numbers, some have odd spacing.
    if number % 37 == 5:
        answer = "1912"
        context += " 1912"
    if number % 41 == 7:
        answer += " "
    text = " ".join(r.choice(vocabulary) for _ in range(6)) + "?"
    return hex_id(r, 9), context, text, answer, context.index(answer.strip()), language


header = "id,context,question,answer_text,answer_start,language"
train = {"_number": Numbered(180, start=0), header: Of("_number", question)}
text = {"context": Many(Choice(*HINDI), 20, " "), "question": "क्या?", "language": "hindi"}
test = Table("test.csv", {"id": HexId(9), **text}, fixed=5)

make_raw = RawData(
    "train",
    Table("train.csv", train),
    test,
    Table("sample_submission.csv", {"id": test["id"], "PredictionString": ""}),
)
