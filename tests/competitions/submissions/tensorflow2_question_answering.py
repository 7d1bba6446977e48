"""Submissions for tensorflow2-question-answering, good, odd and bad."""

from __future__ import annotations

import json
from pathlib import Path

from mlebench.rehearsal import csv_text, rng


def submissions(public: Path, private: Path, seed: int) -> dict[str, str]:
    import csv

    with (private / "gold_submission.csv").open(newline="") as f:
        gold = [(row["example_id"], row["PredictionString"]) for row in csv.DictReader(f)]
    other = {}  # the second short answer, where there is one
    for line in (private / "test.jsonl").read_bytes().split(b"\n")[:-1]:
        e = json.loads(line)
        shorts = e["annotations"][0]["short_answers"]
        if len(shorts) > 1:
            other[f"{e['example_id']}_short"] = (
                f"{shorts[1]['start_token']}:{shorts[1]['end_token']}"
            )
    r = rng(seed, "submissions")

    def text(rows, header=("example_id", "PredictionString")):
        return csv_text(list(header), rows)

    def worse(value: str, p: float) -> str:
        return (
            value
            if r.random() > p
            else r.choice(["", "YES", "NO", "3:5", value, f"{r.randrange(9)}:{r.randrange(9, 20)}"])
        )

    noisy, weak = ([(i, worse(v, p)) for i, v in gold] for p in (0.3, 0.9))
    mixed = list(weak)
    r.shuffle(mixed)
    spaced = [(i, f" {v.replace(':', ' : ')} ") for i, v in noisy]
    (i0, _), rest = gold[0], gold[1:]
    return {
        "perfect": text(gold),
        "noisy": text(noisy),
        "noisy_weak": text(weak),
        "noisy_weak_shuffled": text(mixed),
        "noisy_second_short": text([(i, other.get(i, v)) for i, v in noisy]),
        "noisy_only_long": text([(i, v if i.endswith("long") else "") for i, v in gold]),
        "noisy_always_answer": text([(i, v or "0:1") for i, v in gold]),
        "worst_all_wrong": text([(i, "" if v else "7:6") for i, v in gold]),
        "odd_blank_all": text([(i, "") for i, _ in gold]),
        "odd_spaces": text(spaced),
        "odd_yes_on_long": text([(i, "YES" if i.endswith("long") else v) for i, v in gold]),
        "odd_extra_column": csv_text(
            ["x", "PredictionString", "example_id"], ((1, v, i) for i, v in noisy)
        ),
        "bad_lower_case_yes": text([(i0, "yes"), *rest]),
        "bad_three_parts": text([(i0, "1:2:3"), *rest]),
        "bad_text_in_numbers": text([(i0, "a:b"), *rest]),
        "bad_plain_number": text([(i0, "5"), *rest]),
        "bad_missing_column": text([(i,) for i, _ in gold], ("example_id",)),
        "bad_missing_row": text(rest),
        "bad_extra_row": text(gold + gold[:1]),
        "bad_duplicate_id": text([rest[0], *rest]),
        "bad_wrong_id": text([("12_long", ""), *rest]),
        "bad_empty": "",
        "bad_header_only": "example_id,PredictionString\n",
    }
