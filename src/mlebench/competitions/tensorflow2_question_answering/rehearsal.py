"""Rehearsal data: questions about Wikipedia articles as JSON lines, split in blocks of 1,000."""

from typing import Any

from mlebench.rehearsal import Making, Parts, Random, Table, json_lines, raw_data, records, words

ENDINGS = ["", " é", ' "x" \\ &amp; a/b', " – 日本 \u2028", "\ttab", " 😀 𝒳 \x7f \x7f/x"]
URL = "https://en.wikipedia.org//w/index.php?title=T{}&amp;oldid={}"


def short_answers(r: Random, start: int, end: int) -> tuple[list[Any], str]:
    """Short answers and yes or no, which only a question with a long answer has."""
    if start >= 0 and r.random() < 0.7:
        ends = [(start + k, min(end, start + k + 1)) for k in range(r.choice([1, 1, 1, 2]))]
        return records("start_token,end_token", ends), "NONE"
    if start >= 0 and r.random() < 0.5:
        return [], r.choice(["YES", "NO"])
    return [], "NONE"


def example(r: Random) -> dict[str, Any]:
    text = f"{words(r, 2)} <H1> {words(r, 2)} </H1> <P> {words(r, 8)} </P>" + r.choice(ENDINGS)
    tokens = len(text.split(" "))
    spans = [sorted(r.sample(range(tokens + 1), 2)) for _ in range(r.choice([1, 1, 2]))]
    pick = r.randrange(len(spans)) if r.random() < 0.5 else -1
    start, end = spans[pick] if pick >= 0 else (-1, -1)
    shorts, yes_no = short_answers(r, start, end)
    candidates = ((a, r.random() < 0.8, b) for a, b in spans)
    return {
        "document_text": text,
        "long_answer_candidates": records("start_token,top_level,end_token", candidates),
        "question_text": words(r, 3),
        "annotations": [
            {
                "yes_no_answer": yes_no,
                "long_answer": {"start_token": start, "candidate_index": pick, "end_token": end},
                "short_answers": shorts,
                "annotation_id": r.getrandbits(64),
            }
        ],
        "document_url": URL.format(r.randrange(999), r.randrange(10**6)),
        "example_id": r.getrandbits(63) - r.getrandbits(63),
    }


@raw_data("examples")
def make_raw(making: Making) -> Parts:
    train = [example(making.r) for _ in range(1120 * making.scale)]
    test = [example(making.r) for _ in range(3)]
    for question in test:
        del question["annotations"], question["document_url"]
        question["example_id"] = str(question["example_id"])
    yield json_lines("simplified-nq-train.jsonl", train, ensure_ascii=False)
    yield json_lines("simplified-nq-test.jsonl", test, ensure_ascii=False)
    ids = [f"{question['example_id']}_{kind}" for question in test for kind in ("long", "short")]
    yield Table("sample_submission.csv", {"example_id": ids, "PredictionString": ""})
