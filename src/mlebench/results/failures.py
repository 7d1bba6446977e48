"""Failures grouped by cause, and the last lines of the logs of failed runs."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import islice, zip_longest
from pathlib import Path

from mlebench.results.attempts import Attempt, grouped

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
    """Attempts that failed for the same reason."""

    blame: str
    """`agent`, `timeout`, `budget`, `infrastructure`; `nobody` for an unfinished run."""

    example: str
    attempts: tuple[Attempt, ...]

    @property
    def competitions(self) -> int:
        return len({attempt.competition_id for attempt in self.attempts})


def find_causes(attempts: Sequence[Attempt], clean: Clean) -> list[Cause]:
    """Most frequent first; reasons that differ only in numbers and quoted names are one cause."""
    failed = [
        (found[0], clean(found[1])[:MAX_REASON], attempt)
        for attempt in attempts
        if (found := _failure(attempt)) is not None
    ]
    alike = grouped(failed, lambda one: (one[0], NUMBERS.sub("#", one[1])))
    causes = [
        Cause(same[0][0], same[0][1], tuple(attempt for _, _, attempt in same))
        for same in alike.values()
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
    """Whether there is nothing that could be graded."""
    return attempt.report is None or not attempt.report.submission_exists


def logs_of(causes: Sequence[Cause], clean: Clean) -> tuple[list[tuple[Attempt, str]], int]:
    """The last lines of some logs, one of each cause in turn, and how many more runs failed."""
    failed = [
        [(a, a.folder) for a in cause.attempts if is_failed(a) and a.folder] for cause in causes
    ]
    in_turn = (run for runs in zip_longest(*failed) for run in runs if run is not None)
    logs = (
        (attempt, clean(text))
        for attempt, folder in in_turn
        if (text := read_tail(folder.agent_log))
    )
    found = list(islice(logs, MAX_LOGS))
    return found, sum(map(len, failed)) - len(found)


def read_tail(path: Path) -> str:
    """The last lines of a log of any size and content; empty if it cannot be read."""
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
    """A line as a terminal shows it after carriage returns, cut to `LINE_LENGTH`."""
    line = line.rstrip("\r").rsplit("\r", 1)[-1]
    if len(line) <= LINE_LENGTH:
        return line
    return f"{line[:LINE_LENGTH]} … ({len(line) - LINE_LENGTH:,} more)"
