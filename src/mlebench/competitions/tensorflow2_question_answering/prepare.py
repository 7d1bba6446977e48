"""Seventeen gigabytes of JSON lines, split a thousand lines at a time as they stream by."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack
from itertools import islice
from operator import itemgetter
from pathlib import Path
from typing import Any

from mlebench.archives.raw import Raw
from mlebench.archives.writing import open_output
from mlebench.tables import Splitting, split_rows, write_table

Example = dict[str, Any]
BLOCK = 1000
PUBLIC_TEST_KEYS = ("example_id", "question_text", "document_text", "long_answer_candidates")


def prepare(
    raw: Raw,
    public: Path,
    private: Path,
    *,
    is_sorted: bool = False,
    split: Splitting = split_rows,
) -> None:
    """Write all files.

    Args:
        is_sorted: whether the test examples of a block are in the order of their ids, not of the
            split.
    """
    import pandas as pd

    gold: list[tuple[str, str]] = []
    with ExitStack() as stack:
        train, test, answers = (
            stack.enter_context(open_output(target))
            for target in (
                public / "simplified-nq-train.jsonl",
                public / "simplified-nq-test.jsonl",
                private / "test.jsonl",
            )
        )
        for block in read_blocks(raw / "simplified-nq-train.jsonl"):
            kept, held_out = split(block, test_size=0.1)
            if is_sorted:
                held_out.sort(key=itemgetter("example_id"))
            train.writelines(map(json_line, kept))
            answers.writelines(map(json_line, held_out))
            for example in held_out:
                test.write(json_line({key: example[key] for key in PUBLIC_TEST_KEYS}))
                gold += gold_rows(example)
    table = pd.DataFrame(gold, columns=["example_id", "PredictionString"])
    write_table(table, private / "gold_submission.csv")
    write_table(table.assign(PredictionString=""), public / "sample_submission.csv")


def read_blocks(source: Raw) -> Iterator[list[Example]]:
    """A thousand examples at a time; only `\\n` ends a line, since texts hold other separators."""
    with source.open() as lines:
        while block := [json.loads(line) for line in islice(lines, BLOCK)]:
            for example in block:
                example["example_id"] = str(example["example_id"])
            yield block


def json_line(example: Example) -> bytes:
    """JSON as pandas writes it: `/` is escaped, the DEL character is not."""
    text = json.dumps(example, separators=(",", ":")).replace("/", "\\/")
    if "\\u007f" in text:
        # Between escaped backslashes every `\u007f` is the character itself.
        text = "\\\\".join(part.replace("\\u007f", "\x7f") for part in text.split("\\\\"))
    return f"{text}\n".encode()


def gold_rows(example: Example) -> list[tuple[str, str]]:
    """The best submission's two rows for an example."""
    found = example["annotations"][0]
    long, shorts = found["long_answer"], found["short_answers"]
    if found["yes_no_answer"] != "NONE":
        short_text = found["yes_no_answer"]
    else:
        short_text = span(shorts[0]) if shorts else ""
    return [
        (f"{example['example_id']}_short", short_text),
        (f"{example['example_id']}_long", span(long) if long["start_token"] != -1 else ""),
    ]


def span(answer: dict[str, int]) -> str:
    """The first token and the one after the last: `12:15`."""
    return f"{answer['start_token']}:{answer['end_token']}"
