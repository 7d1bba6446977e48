"""The ledger of a group: gradings and reviews, append-only, each entry chained to the previous.

Changing or removing an entry breaks the chain, and the number of gradings of a run is visible.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO, Literal, TypeVar

import msgspec

from mlebench.errors import DataError
from mlebench.records.codec import DAMAGE, LineFormat, RecordFormat, read_bytes, to_json
from mlebench.records.run import Number

SCHEMA = 1
START = "0" * 64
TAIL_BYTES = 1 << 16


class Grading(msgspec.Struct, frozen=True):
    """One grading of a run's sealed submission."""

    run_id: str
    competition_id: str
    attempt: int
    score: Number | None
    valid: bool
    submission_sha256: str | None
    number: int = 0
    time: str = ""
    previous: str = ""
    """The hash of the previous entry."""

    hash: str = ""
    schema: int = SCHEMA


class FindingReview(msgspec.Struct, frozen=True):
    """What a person decided about a finding of `mlebench integrity`."""

    run_id: str
    finding: str
    decision: Literal["confirmed", "dismissed"]
    reviewer: str
    reason: str
    kind: Literal["review"] = "review"
    number: int = 0
    time: str = ""
    previous: str = ""
    hash: str = ""
    schema: int = SCHEMA


@dataclass(frozen=True)
class GradingLedger:
    """All entries, and the problems of their chain."""

    entries: tuple[Grading, ...] = ()
    problems: tuple[str, ...] = ()
    reviews: tuple[FindingReview, ...] = ()

    def gradings_of(self, run_id: str) -> list[Grading]:
        """All gradings of a run."""
        return [entry for entry in self.entries if entry.run_id == run_id]

    def reviews_of(self, run_id: str) -> dict[str, FindingReview]:
        """The last review of each finding of a run."""
        return {entry.finding: entry for entry in self.reviews if entry.run_id == run_id}


class _Link(msgspec.Struct, frozen=True):
    """The fields that every kind of entry has."""

    kind: str = "grading"
    number: int = 0
    previous: str = ""
    hash: str = ""
    schema: int = 0


Entry = TypeVar("Entry", Grading, FindingReview)
_GRADING = RecordFormat(Grading, SCHEMA)
_REVIEW = RecordFormat(FindingReview, SCHEMA)
_LINK = RecordFormat(_Link, SCHEMA)
_LINE: LineFormat[object] = LineFormat(object)


def append_entry(path: Path, entry: Entry, *, check: Callable[[], object] = lambda: None) -> Entry:
    """Add a grading or a review; returns it with its number, time and hashes.

    Args:
        check: called while the ledger is locked; nothing is added if it raises.
    """
    with path.open("a+b") as stream:
        fcntl.flock(stream, fcntl.LOCK_EX)
        check()
        last = _last_entry(stream, path)
        facts = to_json(entry) | {
            "number": last.number + 1 if last else 1,
            "time": datetime.now(UTC).isoformat(timespec="seconds"),
            "previous": last.hash if last else START,
        }
        facts["hash"] = _hash(facts)
        stream.write(_LINE.encode(facts))
        stream.flush()
        os.fsync(stream.fileno())
    return msgspec.convert(facts, type(entry))


def _last_entry(stream: BinaryIO, path: Path) -> _Link | None:
    """The last complete entry; an incomplete one, left by a crash, is removed from the file."""
    size = stream.seek(0, os.SEEK_END)
    start = max(0, size - TAIL_BYTES)
    stream.seek(start)
    data = stream.read()
    whole = data[: data.rfind(b"\n") + 1]
    if len(whole) < len(data):
        stream.truncate(start + len(whole))
    stream.seek(0, os.SEEK_END)
    lines = whole.splitlines()
    return _LINK.decode(lines[-1], f"the last entry of {path}") if lines else None


def read_ledger(path: Path) -> GradingLedger:
    """All entries with their chain checked; an incomplete last entry is left out."""
    if not path.exists():
        return GradingLedger()
    data = read_bytes(path)
    gradings: list[Grading] = []
    reviews: list[FindingReview] = []
    problems: list[str] = []
    previous = START
    for number, line in enumerate(data[: data.rfind(b"\n") + 1].splitlines(), 1):
        where = f"line {number} of {path}"
        entry = _LINK.decode(line, where)
        if entry.previous != previous:
            problems.append(f"line {number} does not follow the line before it")
        if _hash_of_line(line, number, path) != entry.hash:
            problems.append(f"line {number} was changed")
        previous = entry.hash
        if entry.kind == "review":
            reviews.append(_REVIEW.decode(line, where))
        else:
            gradings.append(_GRADING.decode(line, where))
    return GradingLedger(tuple(gradings), tuple(problems), tuple(reviews))


def _hash_of_line(line: bytes, number: int, path: Path) -> str:
    """The hash over all stored fields, also unknown ones."""
    try:
        return _hash(json.loads(line))
    except DAMAGE as error:
        raise DataError(f"line {number} of {path} is damaged: {error}") from None


def _hash(facts: Mapping[str, object]) -> str:
    rest = {name: value for name, value in facts.items() if name != "hash"}
    return hashlib.sha256(json.dumps(rest, sort_keys=True).encode()).hexdigest()
