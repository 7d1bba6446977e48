"""Failures grouped by cause, and the end of what failed runs printed."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from mlebench.results.attempts import Attempt

LINES = 200
TAIL_BYTES = 64 << 10
LINE_LENGTH = 400
MAX_LOGS = 40
MAX_LOG_BYTES = 12 << 10
MAX_REASON = 300
ESCAPES = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[@-_])")
NUMBERS = re.compile(r"\d[\d.,:]*|'[^']*'|\"[^\"]*\"")

Clean = Callable[[str], str]


@dataclass(frozen=True)
class Cause:
    """Attempts that came to nothing in the same way."""

    blame: str
    """The blame: agent, timeout, budget, infrastructure; `nobody` for an unfinished run."""

    example: str
    attempts: tuple[Attempt, ...]

    @property
    def competitions(self) -> int:
        return len({attempt.competition_id for attempt in self.attempts})


def find_causes(attempts: Sequence[Attempt], clean: Clean) -> list[Cause]:
    """Most frequent first; reasons that differ in numbers and names only are one cause."""
    grouped: dict[tuple[str, str], list[tuple[str, Attempt]]] = {}
    for attempt in attempts:
        if (found := _failure(attempt)) is not None:
            blame, reason = found
            text = clean(reason)[:MAX_REASON]
            grouped.setdefault((blame, NUMBERS.sub("#", text)), []).append((text, attempt))
    causes = [
        Cause(blame, members[0][0], tuple(attempt for _, attempt in members))
        for (blame, _), members in grouped.items()
    ]
    return sorted(causes, key=lambda cause: (-len(cause.attempts), cause.blame, cause.example))


def _failure(attempt: Attempt) -> tuple[str, str] | None:
    report, run = attempt.report, attempt.run
    known = run.blame if run else None
    if report is None:
        is_over = run is None or run.state in ("finished", "failed")
        return known or ("unknown" if is_over else "nobody"), attempt.problem or "no report"
    if report.valid_submission:
        return None
    blame = known or "agent"
    if not report.submission_exists:
        ended = f": {run.reason}" if run and run.reason and run.blame else ""
        return blame, f"no submission{ended}"
    return blame, report.reason or "the submission is not valid"


def is_failed(attempt: Attempt) -> bool:
    """Whether it left nothing that could be graded."""
    return attempt.report is None or not attempt.report.submission_exists


def logs_of(causes: Sequence[Cause], clean: Clean) -> tuple[list[tuple[Attempt, str]], int]:
    """Ends of logs, a few of every cause, and how many more failed runs there are."""
    waiting = [[a for a in cause.attempts if is_failed(a) and a.folder] for cause in causes]
    failed = sum(map(len, waiting))
    found: list[tuple[Attempt, str]] = []
    depth = 0
    while len(found) < MAX_LOGS and any(len(members) > depth for members in waiting):
        for members in waiting:
            if len(members) > depth and len(found) < MAX_LOGS:
                attempt = members[depth]
                folder = attempt.folder
                if folder is not None and (text := read_tail(folder.agent_log)):
                    found.append((attempt, clean(text)))
        depth += 1
    return found, failed - len(found)


def read_tail(path: Path) -> str:
    """The last lines of a log, however large, broken or wide it is; empty when there is none."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        with os.fdopen(descriptor, "rb") as stream:
            size = stream.seek(0, os.SEEK_END)
            stream.seek(max(0, size - TAIL_BYTES))
            data = stream.read(TAIL_BYTES)
    except OSError:
        return ""
    text = ESCAPES.sub("", data.decode("utf-8", "replace"))
    lines = [_shown(line) for line in text.rstrip("\n").split("\n")[-LINES:]]
    while lines and sum(len(line) + 1 for line in lines) > MAX_LOG_BYTES:
        lines.pop(0)
    return "\n".join(lines)


def _shown(line: str) -> str:
    """The last state of a progress bar, cut where it is too wide to read."""
    line = line.rstrip("\r").rsplit("\r", 1)[-1]
    if len(line) <= LINE_LENGTH:
        return line
    return f"{line[:LINE_LENGTH]} … ({len(line) - LINE_LENGTH:,} more)"
