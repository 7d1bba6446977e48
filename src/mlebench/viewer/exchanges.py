"""Parse recorded exchanges: the facts of each step, and the messages of some.

Everything here runs in a confined child (`previews.py`): agents wrote the requests.
"""

from __future__ import annotations

import json
import os
import re
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from mlebench.errors import DataError
from mlebench.records.actions import find_action
from mlebench.records.messages import Message, request_messages, response_messages
from mlebench.records.trajectory import (
    EXCHANGE_START,
    REFERENCE,
    ExchangeEntry,
    decode_exchange,
    decode_head,
    decode_response,
)
from mlebench.viewer.messages import shown_message
from mlebench.viewer.places import Absent, opened_file, pread
from mlebench.viewer.rows import number as finite
from mlebench.viewer.text import clean, one_line

CHUNK = 4 << 20
LINE_BYTES = 16 << 20
PAGE_BYTES = 512 * 1024
LOOK_BACK = 4
"""The number of preceding exchanges whose messages are not repeated in a step."""

SIDE_BYTES = 64 * 1024
SCAN_SECONDS = 3.0
SIDE_NAME = re.compile(r"trajectory/([0-9a-f]{32}\.txt)")
TITLE = 120


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


def scan_steps(descriptor: int, position: int, most: int) -> tuple[list[Step], int, bool]:
    """The steps from a position on, the position reached, and whether the time was too short.

    A last line that is incomplete is left for the next call.
    """
    size = os.fstat(descriptor).st_size
    until = time.monotonic() + SCAN_SECONDS
    steps: list[Step] = []
    while position < size and len(steps) < most:
        if time.monotonic() > until:
            return steps, position, True
        data = pread(descriptor, min(CHUNK, size - position), position)
        end = data.rfind(b"\n") + 1
        if not end:
            end = _find_end(descriptor, position + len(data), size) - position
            if end <= 0:
                break
        start = 0
        while start < end:
            stop = data.find(b"\n", start) + 1 or end
            if data.startswith(EXCHANGE_START, start):
                steps.append(_read_step(data[start:stop], position + start, stop - start))
            start = stop
        position += end
    return steps, position, False


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
    ordered = sorted(said, key=lambda m: {"text": 0, "tool_call": 1}.get(m.kind, 2))
    return next(filter(None, map(_words, ordered)), "")


def _words(message: Message) -> str:
    """A text, or a tool with what it runs, which file it edits, or its arguments."""
    content = message.content
    if action := find_action(message):
        content = action.target or action.content
    elif message.kind == "tool_call" and content and not isinstance(content, str):
        content = json.dumps(content)
    return f"{message.name or ''} {content if isinstance(content, str) else ''}".strip()


def read_messages(
    descriptor: int, host: int, steps: Sequence[Step], *, first: int, skipped: int
) -> list[dict[str, Any]]:
    """Steps with their new messages; fewer if the page would become too large.

    Args:
        host: the open folder that has long texts in `trajectory/`.
        first: the number of the first step that is shown.
        skipped: how many of `steps` come before it.
    """
    known: list[set[bytes]] = []
    shown: list[dict[str, Any]] = []
    remaining = PAGE_BYTES
    for number, step in enumerate(steps, first - skipped):
        sent, answered = _said(descriptor, step)
        before = set().union(*known[-LOOK_BACK:])
        known.append({m.key for m in (*sent, *answered)})
        if number < first:
            continue
        fresh = [m for m in sent if m.key not in before]
        entry, weight = _shown_step(number, step, [*fresh, *answered], host, remaining)
        remaining -= weight
        shown.append(entry)
        if remaining < 0:
            break
    return shown


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
    number: int, step: Step, said: list[Message], host: int, remaining: int
) -> tuple[dict[str, Any], int]:
    messages: list[dict[str, Any]] = []
    weight = 200
    for message in said:
        if weight > max(remaining, PAGE_BYTES // 4):
            note = f"{len(said) - len(messages)} more messages of this step are not shown"
            messages.append({"role": "host", "kind": "text", "text": note})
            break
        messages.append(shown_message(message, partial(_content, host=host)))
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


def _content(content: Any, host: int) -> tuple[str, int]:
    """A content as text, and how many bytes are left out; long texts are in files of their own."""
    if isinstance(content, str):
        return content, 0
    if isinstance(content, dict) and set(content) == REFERENCE:
        return _referenced(str(content["$file"]), host)
    return ("" if content is None else json.dumps(content, ensure_ascii=False)), 0


def _referenced(name: str, host: int) -> tuple[str, int]:
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
