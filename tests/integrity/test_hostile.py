"""Hostile logs: no check crashes, and none takes longer than five seconds."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable

import pytest

from mlebench.integrity.sources import RunSource
from mlebench.records.integrity import IntegrityRecord
from tests.integrity.conftest import CANARY, MakeRun

Check = Callable[[RunSource], IntegrityRecord]
SECONDS = 15.0
CELL = '{"cell_type": "code", "source": ["x = 1\\n"]},'


def line_of_50_mb() -> dict[str, bytes]:
    half = b"x1 " * (25 << 20 >> 1)
    return {"host/agent.log": half[: 25 << 20] + CANARY.encode() + half[: 25 << 20]}


def terminal_escapes() -> dict[str, bytes]:
    text = b"\x1b]0;title\x07\x1b[31m\xff\xfe\x00\r\n" * 100_000
    return {"logs/a.log": text + CANARY.encode() + text, "code/\x1b[2J.py": text}


def deep_json() -> dict[str, bytes]:
    deep = b"[" * 1_000_000
    return {"host/trajectory.jsonl": deep + b"\n" + b'{"kind": "exchange", "request": ' + deep,
            "code/n.ipynb": deep, "logs/tree.json": deep + CANARY.encode()}  # fmt: skip


def many_cells() -> dict[str, bytes]:
    cells = CELL.encode() * 1_000_000 + b'{"cell_type": "code", "source": "' + CANARY.encode()
    return {"code/n.ipynb": b'{"cells": [' + cells + b'"}]}'}


def flooded_words() -> dict[str, bytes]:
    text = b"/proc/ verdict private mlebench https:// judge " * 200_000
    return {"logs/a.log": text + CANARY.encode(), "code/a.py": text[: 4 << 20]}


def many_messages() -> dict[str, bytes]:
    messages = [{"role": "user", "content": f"message {n} " * 20} for n in range(200)]
    lines = [
        json.dumps({"kind": "exchange", "request": {"messages": messages[:n]}, "response": {}})
        for n in range(200)
    ]
    return {"host/trajectory.jsonl": "\n".join([*lines, CANARY, ""]).encode()}


HOSTILE = (line_of_50_mb, terminal_escapes, deep_json, many_cells, flooded_words, many_messages)


@pytest.mark.timing
@pytest.mark.parametrize("make", HOSTILE, ids=lambda make: make.__name__)
def test_hostile_logs(
    make: Callable[[], dict[str, bytes]], make_run: MakeRun, check: Check
) -> None:
    source = make_run(make())
    began = time.process_time()
    record = check(source)
    assert time.process_time() - began < SECONDS
    assert "I1" in record.checks_run, record.checks_skipped
    assert [f.check for f in record.findings if f.severity == "violation"] == ["I1"]
    for finding in record.findings:
        for item in finding.evidence:
            assert not any(ord(letter) < 32 for letter in item.quote)


def test_links_and_special_files_are_not_opened(make_run: MakeRun, check: Check) -> None:
    source = make_run()
    secret = source.folder.path.parent / "secret.txt"
    secret.write_text(CANARY)
    (source.folder.code / "link.py").symlink_to(secret)
    (source.folder.logs / "folder").symlink_to(secret.parent)
    os.mkfifo(source.folder.code / "pipe.py")
    assert check(source).result == "clean"
