"""Rehearsal data: pairs of chatbot answers and which one the judge preferred."""

import json

from mlebench.rehearsal import Files, Making, Random, csv_file, raw_data, words

CLASSES = ["winner_model_a", "winner_model_b", "winner_tie"]
TEXTS = ["prompt", "response_a", "response_b"]
MODELS = (
    "gpt-4-1106-preview gpt-3.5-turbo-0613 claude-2.1 llama-2-70b-chat vicuna-13b koala-13b"
).split()


def text(r: Random) -> str:
    kinds = [words(r, 9), 'Yes, "indeed".\n\n1. ' + words(r, 4), "πŸ™‚ 你好, " + words(r, 3)]
    return r.choice([*kinds, "😀 ok"])


def chat(r: Random, turns: int) -> list[str]:
    """The prompts, and the answers of both models, a few of which are missing."""
    prompts = [text(r) for _ in range(turns)]
    chats = [json.dumps(prompts)]
    for _ in "ab":
        answers = [text(r) for _ in range(turns)]
        chats.append(json.dumps([None if r.random() < 0.03 else answer for answer in answers]))
    return chats


@raw_data("train")
def make_raw(making: Making) -> Files:
    r, rows = making.r, []
    for i in sorted(r.sample(range(30_000, 2**32), 220 * making.scale)):
        turns, winner = r.choice([1, 1, 1, 2, 3]), r.choice([0, 0, 1, 1, 2])
        models = r.sample(MODELS, 2)
        rows.append([i, *models, *chat(r, turns), *(int(k == winner) for k in range(3))])
    yield csv_file("train.csv", ["id", "model_a", "model_b", *TEXTS, *CLASSES], rows)
    test = [136060, 211333, 1233961]
    yield csv_file("test.csv", ["id", *TEXTS], ([i, *chat(r, 1)] for i in test))
    sample = ([i, *[0.333333333333333] * 3] for i in test)
    yield csv_file("sample_submission.csv", ["id", *CLASSES], sample)
