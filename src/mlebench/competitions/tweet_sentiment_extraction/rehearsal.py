"""Rehearsal data: tweets with a sentiment, to predict the part of the text that carries it."""

import math

from mlebench.rehearsal import Files, Making, Random, csv_file, hex_id, raw_data, words

ODD = ['"WOW"', "http://tinyurl.com/x,y", "ï¿½", "I`m", "SooOo!!!", "Ünï", "****"]


def tweet(r: Random) -> tuple[str, str, str]:
    """The text, the selected part, the sentiment."""
    text = words(r, r.randrange(2, 14)).split()
    if r.random() < 0.3:
        text.insert(r.randrange(len(text)), r.choice(ODD))
    gap = "\u00a0" if r.random() < 0.05 else "\t" if r.random() < 0.05 else " "
    start = r.randrange(len(text))
    stop = r.randrange(start + 1, len(text) + 1)
    full, part = gap.join(text), gap.join(text[start:stop])
    sentiment = r.choice(["neutral", "positive", "negative"])
    if sentiment == "neutral" and r.random() < 0.9:
        part = full
    if r.random() < 0.15:
        full, part = f" {full}", part[1:] or part  # the real labels are often cut inside a word
    return full, part, sentiment


@raw_data("rows")
def make_raw(making: Making) -> Files:
    import numpy as np

    r, count, rows = making.r, 420 * making.scale, []
    ids = [hex_id(r, 10) for _ in range(count - 2)] + ["1234567890", "12345e6789"]
    r.shuffle(ids)
    # The real file has one row without text, which is not among the test rows of the split by
    # position.
    test = set(np.random.RandomState(0).permutation(count)[: math.ceil(0.1 * count)].tolist())
    hole = next(number for number in range(count // 2, count) if number not in test)
    for number, i in enumerate(ids):
        rows.append((i, "", "", "neutral") if number == hole else (i, *tweet(r)))
    yield csv_file("train.csv", "textID,text,selected_text,sentiment", rows)
    tests = [(hex_id(r, 10), *tweet(r)) for _ in range(5)]
    yield csv_file("test.csv", "textID,text,sentiment", ((i, a, c) for i, a, _, c in tests))
    yield csv_file("sample_submission.csv", "textID,selected_text", ((row[0], "") for row in tests))
