"""Rehearsal data. Questions in Hindi and Tamil whose answers are spans of a text."""

from __future__ import annotations

from pathlib import Path

from mlebench.rehearsal import hex_id, rng, write_csv

HINDI = [
    "भारत",
    "की",
    "राजधानी",
    "नई",
    "दिल्ली",
    "है",
    "और",
    "यह",
    "एक",
    "बड़ा",
    "शहर,",
    "जिसे",
    "राजा",
    "ने",
    "१९११",
    "में",
    "बनाया",
    "था।",
    "1912",
    "2,000",
    "वर्ष",
    "“पुराना”",
    "Delhi",
    "(दिल्ली)",
    "NULL",
]


TAMIL = [
    "இந்தியாவின்",
    "தலைநகரம்",
    "புது",
    "தில்லி",
    "ஆகும்",
    "மற்றும்",
    "இது",
    "ஒரு",
    "பெரிய",
    "நகரம்,",
    "1639",
    "ஆம்",
    "ஆண்டு",
    "சென்னை",
    "கோயில்",
    '"பழைய"',
    "Chennai",
    "மலை.",
]


def make_raw(raw: Path, seed: int, scale: int = 1) -> None:
    r = rng(seed, "train")
    rows = []
    for k in range(180 * scale):
        language, vocab = ("hindi", HINDI) if r.random() < 0.65 else ("tamil", TAMIL)
        tokens = [r.choice(vocab) for _ in range(r.randrange(20, 60))]
        n = r.choices([1, 2, 3, 5, 8], [40, 25, 15, 10, 10])[0]
        at = r.randrange(len(tokens) - n)
        answer = " ".join(tokens[at : at + n])
        context = (
            " ".join(tokens[:at])
            + ("\n\n" if r.random() < 0.5 else " ")
            + answer
            + " "
            + " ".join(tokens[at + n :])
        )
        if k % 37 == 5:  # some real answers are bare numbers, some carry odd spacing
            answer = "1912"
            context += " 1912"
        if k % 41 == 7:
            answer = answer + " "
        question = " ".join(r.choice(vocab) for _ in range(6)) + "?"
        rows.append(
            (hex_id(r, 9), context, question, answer, context.index(answer.strip()), language)
        )
    write_csv(
        raw / "train.csv",
        ["id", "context", "question", "answer_text", "answer_start", "language"],
        rows,
    )
    test = [
        (hex_id(r, 9), " ".join(r.choice(HINDI) for _ in range(20)), "क्या?", "hindi")
        for _ in range(5)
    ]
    write_csv(raw / "test.csv", ["id", "context", "question", "language"], test)
    write_csv(raw / "sample_submission.csv", ["id", "PredictionString"], ((t[0], "") for t in test))
