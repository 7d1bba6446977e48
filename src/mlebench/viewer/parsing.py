"""Parse tables and search trees of agents; everything here runs in a confined child."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from mlebench.integrity.plagiarism.code import MAX_RUN_BYTES, notebook_code
from mlebench.viewer.places import Absent, pread
from mlebench.viewer.rows import number
from mlebench.viewer.text import clean, one_line, show_text

WINDOW_BYTES = 256 * 1024
MAX_COLUMNS = 100
CELL = 200
MAX_TREE_BYTES = 32 << 20
MAX_NODES = 5000
NODE_TEXT = 20_000
TREE_CHARACTERS = 1_500_000
"""Limit of all texts of a tree together; the more nodes, the less text of each."""

TREE_WORDS = ("evaluation", "model", "agent")
STAGES = ("draft", "debug", "improve")


def parse_table(
    descriptor: int, windows: Sequence[tuple[int, int, int]], separator: str
) -> list[list[list[str]]]:
    """The rows in each window of a CSV file: its start, its end, and the number of rows."""
    return [_rows(descriptor, *window, separator) for window in windows]


def _rows(descriptor: int, start: int, stop: int, count: int, separator: str) -> list[list[str]]:
    data = pread(descriptor, min(stop - start, WINDOW_BYTES), start)
    text = data.decode("utf-8", "replace").removeprefix("\ufeff").replace("\0", "\\u0000")
    found = []
    with suppress(csv.Error):  # a cell of more than 128 kB
        for row in csv.reader(io.StringIO(text, newline=""), delimiter=separator):
            found.append([_cell(cell) for cell in row[:MAX_COLUMNS]])
    return found[:count]


def _cell(text: str) -> str:
    return clean(text if len(text) <= CELL else f"{text[: CELL - 1]}…").replace("\n", "\\n")


def parse_tree(descriptor: int) -> dict[str, Any]:
    """The nodes of `tree.json`; raises `Absent` with a sentence if it is damaged."""
    text = pread(descriptor, MAX_TREE_BYTES + 1, 0)
    if len(text) > MAX_TREE_BYTES:
        raise Absent(f"tree.json has more than {MAX_TREE_BYTES:,} bytes")
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        reason = str(error) or "it is nested too deeply"
        raise Absent(one_line(f"tree.json is damaged: {reason}", 200)) from None
    nodes = data.get("nodes") if isinstance(data, dict) else None
    if not isinstance(nodes, list):
        raise Absent("tree.json is damaged: it has no list of nodes")
    best = data.get("best")
    limit = min(NODE_TEXT, TREE_CHARACTERS // max(1, 2 * len(nodes[:MAX_NODES])))
    shown = [_node(node, limit) for node in nodes[:MAX_NODES] if isinstance(node, dict)]
    return {
        "schema": 1,
        "lower_is_better": data.get("lower_is_better") is True,
        "best": best if isinstance(best, int) else None,
        **{name: _words(data.get(name), NODE_TEXT) for name in TREE_WORDS},
        "seconds": number(data.get("seconds")),
        "nodes": [node for node in shown if node is not None],
        "truncated": len(nodes) > MAX_NODES,
    }


def _node(node: dict[str, Any], limit: int) -> dict[str, Any] | None:
    number_of, parent = node.get("id"), node.get("parent")
    if not isinstance(number_of, int):
        return None
    return {
        "id": number_of,
        "parent": parent if isinstance(parent, int) else None,
        "stage": node.get("stage") if node.get("stage") in STAGES else None,
        "code": _words(node.get("code"), limit),
        **{name: _words(node.get(name), limit // 3) for name in ("plan", "output", "problem")},
        "score": number(node.get("score")),
        "seconds": number(node.get("seconds")),
        "created_at": number(node.get("created_at")),
        "debug_depth": number(node.get("debug_depth")),
        "is_good": node.get("is_good") is True,
    }


def _words(value: Any, limit: int) -> str | None:
    """A text, with an ellipsis if its end is left out."""
    if not isinstance(value, str):
        return None
    shown = show_text(value, limit)
    return f"{shown.text} …" if shown.cut else shown.text


def parse_notebook(descriptor: int) -> str:
    """The code cells of a notebook as one program."""
    return notebook_code(pread(descriptor, MAX_RUN_BYTES, 0)).decode("utf-8", "replace")
