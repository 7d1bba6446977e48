"""Rehearsal data: tweets with a sentiment, to predict the part of the text that carries it."""

from mlebench.rehearsal import HexId, Making, Parts, Random, Table, hex_id, raw_data, words
from mlebench.rehearsal.content import csv_file
from mlebench.tables import split_positions

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
def make_raw(making: Making) -> Parts:
    r, count, rows = making.r, 420 * making.scale, []
    ids = [hex_id(r, 10) for _ in range(count - 2)] + ["1234567890", "12345e6789"]
    r.shuffle(ids)
    # The real file has one row without text, which the split leaves in train.
    train, _ = split_positions(count, test_size=0.1)
    hole = min(train[train >= count // 2])
    for number, i in enumerate(ids):
        rows.append((i, "", "", "neutral") if number == hole else (i, *tweet(r)))
    yield csv_file("train.csv", "textID,text,selected_text,sentiment", rows)
    test = Table("test.csv", {"textID": HexId(10), "text,_selected,sentiment": tweet}, fixed=5)
    yield test
    yield Table("sample_submission.csv", {"textID": test["textID"], "selected_text": ""})
