"""Rehearsal data. One sentence a line in a nested zip; one word of each test sentence is taken out."""

from __future__ import annotations

from pathlib import Path

from mlebench.rehearsal import rng, write_zip

VOCAB = [
    "the",
    "a",
    "of",
    "to",
    "in",
    "and",
    "said",
    "that",
    "was",
    "for",
    "on",
    "with",
    "is",
    "he",
    "by",
    "it",
    "as",
    "at",
    "from",
    "his",
    "have",
    "has",
    "an",
    "are",
    "be",
    "will",
    "not",
    "but",
    "who",
    "its",
    "bank",
    "team",
    "year",
    "people",
    "police",
    "minister",
    "percent",
    "market",
    "city",
    "president",
    "company",
    "game",
    "world",
    "week",
    "house",
    "state",
    "court",
    "café",
    "naïve",
    "€5",
    "£3",
    "2009",
    "1,200",
    "'s",
    "n't",
    "--",
    ";",
    ":",
    "(",
    ")",
    "%",
    "Dodgers",
    "Obama",
    "Islamic",
    "U.S.",
    "Mr.",
    "Zürich",
]


def sentences(seed: int, scale: int) -> list[str]:
    r = rng(seed, "sentences")
    lines = []
    for _ in range(3000 * scale):
        kind = r.random()
        if kind < 0.03:
            lines.append(
                r.choice(["Yes .", ".", "", " Go .", "No way"])
            )  # too short to lose a word
            continue
        if kind < 0.06:
            lines.append(f"{r.choice(VOCAB)} {r.choice(VOCAB)} .")
            continue
        words = [r.choice(VOCAB) for _ in range(r.randrange(4, 30))]
        if r.random() < 0.25:
            words.insert(r.randrange(len(words)), '"')
            words.append('"')
        if r.random() < 0.1:
            words[r.randrange(len(words))] = 'so-called"x"'
        gap = "\u00a0" if r.random() < 0.05 else "  " if r.random() < 0.05 else " "
        text = gap.join(words[:2]) + " " + " ".join(words[2:] + ["."])
        lines.append((" " if r.random() < 0.03 else "") + text + (" " if r.random() < 0.05 else ""))
    return lines


def make_raw(raw: Path, seed: int, scale: int = 1) -> None:
    train = "".join(line + "\n" for line in sentences(seed, scale))
    write_zip(raw / "train_v2.txt.zip", {"train_v2.txt": train.encode("utf-8")})
    r = rng(seed, "kaggle-test")
    test = '"id","sentence"\n' + "".join(
        f'{i},"{" ".join(r.choice(VOCAB) for _ in range(9))} ."\n' for i in range(1, 20)
    )
    write_zip(raw / "test_v2.txt.zip", {"test_v2.txt": test.encode("utf-8")})
