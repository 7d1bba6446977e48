"""Rehearsal data: pairs of chatbot answers and which one the judge preferred."""

import json

from mlebench.rehearsal import Choice, Phrase, Random, RawData, Sampled, Table, Text

MODELS = (
    "gpt-4-1106-preview gpt-3.5-turbo-0613 claude-2.1 llama-2-70b-chat vicuna-13b koala-13b"
).split()
CLASSES = ["winner_model_a", "winner_model_b", "winner_tie"]
TEXTS, WINNERS = "prompt,response_a,response_b", ",".join(CLASSES)
FORM = Choice("{0}", 'Yes, "indeed".\n\n1. {1}', "πŸ™‚ 你好, {2}", "😀 ok")
text = Text(FORM, Phrase(9), Phrase(4), Phrase(3))

test = [136060, 211333, 1233961]


def chat(r: Random, turns: int = 1) -> list[str]:
    """The prompts, and the answers of both models, a few of which are missing."""
    chats = [json.dumps([text(r) for _ in range(turns)])]
    for _ in "ab":
        answers = [text(r) for _ in range(turns)]
        chats.append(json.dumps([None if r.random() < 0.03 else answer for answer in answers]))
    return chats


def battle(r: Random) -> list[object]:
    turns, winner = r.choice([1, 1, 1, 2, 3]), r.choice([0, 0, 1, 1, 2])
    return [*r.sample(MODELS, 2), *chat(r, turns), *(int(k == winner) for k in range(3))]


ids = Sampled(range(30_000, 2**32), 220, is_sorted=True)

make_raw = RawData(
    "train",
    Table("train.csv", {"id": ids, f"model_a,model_b,{TEXTS},{WINNERS}": battle}),
    Table("test.csv", {"id": test, TEXTS: chat}),
    Table("sample_submission.csv", {"id": test, WINNERS: (0.333333333333333,) * 3}),
)
