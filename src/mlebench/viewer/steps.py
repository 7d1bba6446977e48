"""The steps of a trajectory: an outline of all, and the messages of some.

The index stores the offset and the first fields of each record; a whole record is parsed only when
its step is shown.
"""

from __future__ import annotations

import json
import os
import re
import time
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from typing import Any

from mlebench.errors import DataError
from mlebench.records.trajectory import (
    EXCHANGE_START,
    REFERENCE,
    ExchangeEntry,
    decode_exchange,
    decode_head,
    decode_response,
)
from mlebench.viewer.lines import FileIndexes, StillReading
from mlebench.viewer.messages import Message, request_messages, response_messages
from mlebench.viewer.places import Absent, opened_file, pread
from mlebench.viewer.rows import number as finite
from mlebench.viewer.text import clean, one_line

CHUNK = 4 << 20
LINE_BYTES = 16 << 20
MAX_STEPS = 20_000
PAGE_BYTES = 512 * 1024
MAX_PAGE = 200
LOOK_BACK = 4
"""The number of preceding exchanges whose messages are not repeated in a step."""

SIDE_BYTES = 64 * 1024
SCAN_SECONDS = 3.0
SIDE_NAME = re.compile(r"trajectory/([0-9a-f]{32}\.txt)")
TITLE = 120
OUTLINE_CHARACTERS = 600_000
"""Limit of the titles of all steps together."""


@dataclass(frozen=True)
class Step:
    """One exchange, without its messages."""

    offset: int
    length: int
    at: str
    seconds: float
    model: str
    status: str
    tokens_in: int | None
    tokens_out: int | None
    cost: float | None
    title: str


@dataclass
class StepIndex:
    """The steps of one growing file."""

    steps: list[Step] = field(default_factory=list)
    position: int = 0
    lock: Lock = field(default_factory=Lock)

    def advance(self, descriptor: int, seconds: float = SCAN_SECONDS) -> None:
        """Read the records that were added; an incomplete last line is left for the next call."""
        with self.lock:
            size = os.fstat(descriptor).st_size
            if size < self.position:
                self.steps, self.position = [], 0
            until = time.monotonic() + seconds
            while self.position < size and len(self.steps) < MAX_STEPS:
                if not self._advance(descriptor, size):
                    return
                if time.monotonic() > until:
                    raise StillReading(self.position / size)

    def _advance(self, descriptor: int, size: int) -> bool:
        data = pread(descriptor, min(CHUNK, size - self.position), self.position)
        end = data.rfind(b"\n") + 1
        if not end:
            end = _find_end(descriptor, self.position + len(data), size) - self.position
            if end <= 0:
                return False
        start = 0
        while start < end:
            stop = data.find(b"\n", start) + 1 or end
            if data.startswith(EXCHANGE_START, start):
                line = data[start:stop]
                self.steps.append(_read_step(line, self.position + start, stop - start))
            start = stop
        self.position += end
        return True


def _find_end(descriptor: int, position: int, size: int) -> int:
    """The end of a line longer than a chunk; 0 if it has none yet."""
    while position < size:
        data = pread(descriptor, min(CHUNK, size - position), position)
        place = data.find(b"\n")
        if place >= 0:
            return position + place + 1
        if not data:
            break
        position += len(data)
    return 0


def _read_step(line: bytes, offset: int, length: int) -> Step:
    try:
        head = decode_head(line[:LINE_BYTES])
    except DataError:
        head = ExchangeEntry()
    if head.error:
        title = str(head.error.text or head.error.code)
    else:
        title = _title(line) if length == len(line) else f"{length:,} bytes"
    model = head.answering_model or head.model
    return Step(
        offset,
        length,
        at=head.time[:40],
        seconds=finite(head.seconds) or 0.0,
        model=model[:200] if isinstance(model, str) else "",
        status=head.outcome[:20] or "damaged",
        tokens_in=head.input_tokens,
        tokens_out=head.output_tokens,
        cost=finite(head.cost),
        title=one_line(title, TITLE),
    )


def _title(line: bytes) -> str:
    """The first words of the answer, else the tool that it calls."""
    try:
        said = response_messages(decode_response(line))
    except DataError:
        return ""
    for message in sorted(said, key=lambda m: {"text": 0, "tool_call": 1}.get(m.kind, 2)):
        if isinstance(message.content, str) and message.content.strip():
            return f"{message.name or ''} {message.content}".strip()
    return ""


class Trajectories(FileIndexes[StepIndex]):
    """The steps of trajectories."""

    make, limit = StepIndex, 16


def outline(index: StepIndex) -> dict[str, Any]:
    """The facts of all steps, by column."""
    names = ("at", "seconds", "tokens_in", "tokens_out", "cost", "status")
    columns = {name: [getattr(step, name) for step in index.steps] for name in names}
    remaining = OUTLINE_CHARACTERS // max(1, len(index.steps))
    titles = [step.title if remaining >= TITLE else step.title[:remaining] for step in index.steps]
    is_cut = len(index.steps) >= MAX_STEPS
    return {"total": len(index.steps), **columns, "title": titles, "truncated": is_cut}


def read_steps(
    descriptor: int, index: StepIndex, host: Path, first: int, count: int
) -> dict[str, Any]:
    """Steps with their new messages; fewer than `count` if the page would become too large."""
    known: list[set[bytes]] = []
    for step in index.steps[max(0, first - LOOK_BACK) : first]:
        sent, answered = _said(descriptor, step)
        known.append({m.key for m in (*sent, *answered)})
    steps: list[dict[str, Any]] = []
    remaining = PAGE_BYTES
    for number, step in enumerate(index.steps[first : first + min(count, MAX_PAGE)], first):
        sent, answered = _said(descriptor, step)
        before = set().union(*known[-LOOK_BACK:])
        fresh = [m for m in sent if m.key not in before]
        known.append({m.key for m in (*sent, *answered)})
        entry, weight = _shown_step(number, step, [*fresh, *answered], host, remaining)
        remaining -= weight
        steps.append(entry)
        if remaining < 0:
            break
    return {"total": len(index.steps), "steps": steps}


def _said(descriptor: int, step: Step) -> tuple[list[Message], list[Message]]:
    if step.length > LINE_BYTES:
        text = f"this exchange is too large to be shown: {step.length:,} bytes"
        return [], [Message("host", "text", text)]
    try:
        entry = decode_exchange(pread(descriptor, step.length, step.offset))
    except DataError:
        return [], [Message("host", "text", "this exchange is damaged on disk")]
    answered = response_messages(entry.response)
    if entry.error:
        answered.append(Message("host", "text", f"{entry.error.code}: {entry.error.text}"))
    return request_messages(entry.request), answered


def _shown_step(
    number: int, step: Step, said: list[Message], host: Path, remaining: int
) -> tuple[dict[str, Any], int]:
    messages: list[dict[str, Any]] = []
    weight = 200

    def whole(content: Any) -> tuple[str, int]:
        return _content(content, host)

    for message in said:
        if weight > max(remaining, PAGE_BYTES // 4):
            note = f"{len(said) - len(messages)} more messages of this step are not shown"
            messages.append({"role": "host", "kind": "text", "text": note})
            break
        messages.append(message.as_json(whole))
        weight += len(messages[-1]["text"].encode("utf-8", "replace")) + 60
    facts = {
        "n": number,
        "at": clean(step.at),
        "seconds": step.seconds,
        "model": clean(step.model),
        "status": clean(step.status),
        "tokens_in": step.tokens_in,
        "tokens_out": step.tokens_out,
        "cost": step.cost,
    }
    return facts | {"messages": messages}, weight


def _content(content: Any, host: Path) -> tuple[str, int]:
    """A content as text, and how many bytes are left out; long texts are in files of their own."""
    if isinstance(content, str):
        return content, 0
    if isinstance(content, dict) and set(content) == REFERENCE:
        return _referenced(str(content["$file"]), host)
    return ("" if content is None else json.dumps(content, ensure_ascii=False)), 0


def _referenced(name: str, host: Path) -> tuple[str, int]:
    found = SIDE_NAME.fullmatch(name)
    try:
        if not found:
            raise Absent
        with opened_file(host, ("trajectory", found[1])) as descriptor:
            size = os.fstat(descriptor).st_size
            data = pread(descriptor, SIDE_BYTES, 0)
    except Absent:
        return "(this text is missing on disk)", 0
    return data.decode("utf-8", "replace"), max(0, size - len(data))
