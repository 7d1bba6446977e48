"""The ledger of a group: every grading, append-only, each line chained to the one before.

A line that is changed or taken out breaks the chain, and how often a run was graded can be seen.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from mlebench.errors import DataError

START = "0" * 64


def append(ledger: Path, entry: Mapping[str, Any]) -> dict[str, Any]:
    """Add a line; gives it with its number, time and hashes."""
    with ledger.open("a+b") as stream:
        fcntl.flock(stream, fcntl.LOCK_EX)
        lines = _whole_lines(stream)
        previous = json.loads(lines[-1])["hash"] if lines else START
        line: dict[str, Any] = {
            "number": len(lines) + 1,
            "time": datetime.now(UTC).isoformat(timespec="seconds"),
            **entry,
            "previous": previous,
        }
        line["hash"] = _hash(line)
        stream.write(json.dumps(line, allow_nan=False).encode() + b"\n")
        stream.flush()
        os.fsync(stream.fileno())
    return line


def _whole_lines(stream: Any) -> list[bytes]:
    """The lines so far; a last one that a crash cut short is taken off."""
    stream.seek(0)
    data: bytes = stream.read()
    whole = data[: data.rfind(b"\n") + 1]
    if len(whole) < len(data):
        stream.truncate(len(whole))
    stream.seek(0, os.SEEK_END)
    return whole.splitlines()


def read(ledger: Path) -> list[dict[str, Any]]:
    """All lines, chain not checked; a cut last line is left out."""
    if not ledger.exists():
        return []
    found = []
    data = ledger.read_bytes()
    for number, line in enumerate(data[: data.rfind(b"\n") + 1].splitlines(), 1):
        try:
            entry = json.loads(line)
        except ValueError:
            entry = None
        if not isinstance(entry, dict):
            raise DataError(f"line {number} of {ledger} is damaged")
        found.append(entry)
    return found


def verify(ledger: Path) -> list[str]:
    """What is wrong with the chain; empty when it is whole."""
    return verify_lines(read(ledger))


def verify_lines(lines: Sequence[Mapping[str, Any]]) -> list[str]:
    """The same for lines that were read already."""
    problems = []
    previous = START
    for number, line in enumerate(lines, 1):
        if line.get("previous") != previous:
            problems.append(f"line {number} does not follow the line before it")
        if _hash({k: v for k, v in line.items() if k != "hash"}) != line.get("hash"):
            problems.append(f"line {number} was changed")
        previous = str(line.get("hash"))
    return problems


def gradings_of(ledger: Path, run_id: str) -> list[dict[str, Any]]:
    """How often, and with what result, a run was graded."""
    return [line for line in read(ledger) if line.get("run_id") == run_id]


def _hash(line: Mapping[str, Any]) -> str:
    return hashlib.sha256(json.dumps(line, sort_keys=True).encode()).hexdigest()
