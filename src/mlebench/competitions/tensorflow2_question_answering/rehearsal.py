"""Rehearsal data. Questions about Wikipedia articles as JSON lines; the split works on blocks of 1,000 lines."""

from __future__ import annotations

import json
from pathlib import Path

from mlebench.rehearsal import rng, words, write_csv, write_text


def make_raw(raw: Path, seed: int, scale: int = 1) -> None:
    r = rng(seed, "examples")

    def example() -> dict:
        text = f"{words(r, 2)} <H1> {words(r, 2)} </H1> <P> {words(r, 8)} </P>" + r.choice(
            ["", " é", ' "x" \\ &amp; a/b', " – 日本 \u2028", "\ttab", " 😀 𝒳 \x7f \x7f/x"]
        )
        n = len(text.split(" "))
        spans = [sorted(r.sample(range(n + 1), 2)) for _ in range(r.choice([1, 1, 2]))]
        pick = r.randrange(len(spans)) if r.random() < 0.5 else -1
        start, end = spans[pick] if pick >= 0 else (-1, -1)
        shorts, yes_no = [], "NONE"
        if pick >= 0 and r.random() < 0.7:
            shorts = [
                {"start_token": start + k, "end_token": min(end, start + k + 1)}
                for k in range(r.choice([1, 1, 1, 2]))
            ]
        elif pick >= 0 and r.random() < 0.5:
            yes_no = r.choice(["YES", "NO"])
        return {
            "document_text": text,
            "long_answer_candidates": [
                {"start_token": a, "top_level": r.random() < 0.8, "end_token": b} for a, b in spans
            ],
            "question_text": words(r, 3),
            "annotations": [
                {
                    "yes_no_answer": yes_no,
                    "long_answer": {
                        "start_token": start,
                        "candidate_index": pick,
                        "end_token": end,
                    },
                    "short_answers": shorts,
                    "annotation_id": r.getrandbits(64),
                }
            ],
            "document_url": f"https://en.wikipedia.org//w/index.php?title=T{r.randrange(999)}&amp;oldid={r.randrange(10**6)}",
            "example_id": r.getrandbits(63) - r.getrandbits(63),
        }

    train = [example() for _ in range(1120 * scale)]
    write_text(
        raw / "simplified-nq-train.jsonl",
        "".join(json.dumps(e, ensure_ascii=False) + "\n" for e in train),
    )
    test = [
        {
            k: str(v) if k == "example_id" else v
            for k, v in example().items()
            if k not in ("annotations", "document_url")
        }
        for _ in range(3)
    ]
    write_text(
        raw / "simplified-nq-test.jsonl",
        "".join(json.dumps(e, ensure_ascii=False) + "\n" for e in test),
    )
    write_csv(
        raw / "sample_submission.csv",
        ["example_id", "PredictionString"],
        ((f"{e['example_id']}_{k}", "") for e in test for k in ("long", "short")),
    )
