"""Children that grade with limits on time and memory: for files that somebody else wrote.

A crash or an endless metric costs one submission and nothing else.
"""

from __future__ import annotations

import json
import os
import re
import selectors
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any

from mlebench.errors import BenchError, SandboxError
from mlebench.grading.grade import Verdict, make_report
from mlebench.records.report import CompetitionReport

if TYPE_CHECKING:
    from mlebench.catalogue import Catalogue

SECONDS_PER_SUBMISSION = 600
START_SECONDS = 120
FOLDERS = re.compile(r"(?<![\w.…:/])/(?:[^\s/'\"]+/)*(?=[^\s/])")
PART = 1 << 16


@dataclass(frozen=True)
class Submission:
    """A file to grade for a competition; a run without a submission has no path."""

    competition_id: str
    path: Path | None


@dataclass(frozen=True)
class GradingResult:
    """What became of a submission."""

    report: CompetitionReport | None
    """Missing only if the competition is unknown."""

    error: str | None = None
    """Why it could not be graded, through no fault of the submission; the report says it, too."""


class GradingPool:
    """Child processes that grade, kept for one submission after the other."""

    def __init__(
        self, catalogue: Catalogue, *, jobs: int = 1, seconds: float = SECONDS_PER_SUBMISSION
    ) -> None:
        self.catalogue = catalogue
        self.seconds = seconds
        self.jobs = max(1, jobs)
        self._idle: SimpleQueue[_Child] = SimpleQueue()
        for _ in range(self.jobs):
            self._idle.put(_Child())

    def __enter__(self) -> GradingPool:
        return self

    def __exit__(self, *error: object) -> None:
        for _ in range(self.jobs):
            self._idle.get().stop()

    def grade_all(self, submissions: Sequence[Submission]) -> Iterator[GradingResult]:
        """Grade in parallel; the results keep the order."""
        with ThreadPoolExecutor(self.jobs) as threads:
            yield from threads.map(self.grade, submissions)

    def grade(self, submission: Submission) -> GradingResult:
        """Grade one submission in a child; threads may call at the same time."""
        request = {
            "competition_id": submission.competition_id,
            "submission_path": None if submission.path is None else str(submission.path),
            "data_dir": str(self.catalogue.get_data_dir()),
            "competitions_dirs": [str(place) for place in self.catalogue.competitions_dirs],
        }
        child = self._idle.get()
        try:
            reply = child.ask(request, self.seconds)
        except TimeoutError:
            reason = f"too costly to grade: not done after {self.seconds:g} s"
            return self._too_costly(submission, reason)
        except SandboxError as error:
            reply = {"error": str(error)}
        finally:
            self._idle.put(child)
        if "report" in reply:
            return GradingResult(CompetitionReport.from_dict(reply["report"]))
        if "error" in reply:
            reason = without_folders(reply["error"])
            return GradingResult(self._report(submission, reason), error=reply["error"])
        return self._too_costly(submission, "too costly to grade: needs too much memory")

    def _too_costly(self, submission: Submission, reason: str) -> GradingResult:
        report = self._report(submission, reason)
        return GradingResult(report, error=None if report else reason)

    def _report(self, submission: Submission, reason: str) -> CompetitionReport | None:
        """The report of a run without a score, if the competition is known and can be loaded."""
        try:
            competition = self.catalogue.get_competition(submission.competition_id)
            return make_report(submission.path, competition, Verdict(reason=reason))
        except BenchError:
            return None


def without_folders(text: str) -> str:
    """The same with `…` for the folders of absolute paths: reports travel, and others read them."""
    return FOLDERS.sub("…/", text)


class _Child:
    """One worker process, started when it is first needed and again after it ended."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None

    def ask(self, request: dict[str, Any], seconds: float) -> dict[str, Any]:
        """The reply, empty where the process died; TimeoutError ends a process that is late."""
        process = self._process or self._start()
        try:
            _send(process, request)
            reply = _receive(process, seconds)
        except BaseException:
            self.stop()
            raise
        if "report" not in reply:
            self.stop()
        return reply

    def _start(self) -> subprocess.Popen[bytes]:
        # The child finds what this process can import, but not what the current folder has.
        environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
        words = [sys.executable, "-P", "-m", "mlebench.grading.worker"]
        self._process = subprocess.Popen(
            words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment
        )
        if not _receive(self._process, START_SECONDS):
            self.stop()
            raise SandboxError(f"the grading process does not start: {' '.join(words)}")
        return self._process

    def stop(self) -> None:
        if self._process:
            self._process.kill()
            self._process.communicate()
            self._process = None


def _send(process: subprocess.Popen[bytes], request: dict[str, Any]) -> None:
    # A process that ended meanwhile is noticed when it does not reply.
    if process.stdin:
        with suppress(BrokenPipeError):
            process.stdin.write(json.dumps(request).encode() + b"\n")
            process.stdin.flush()


def _receive(process: subprocess.Popen[bytes], seconds: float) -> dict[str, Any]:
    """The next reply; empty if the process ends first."""
    if process.stdout is None:
        return {}
    deadline = time.monotonic() + seconds
    reply = b""
    with selectors.DefaultSelector() as selector:
        selector.register(process.stdout, selectors.EVENT_READ)
        while not reply.endswith(b"\n"):
            if not selector.select(max(0.0, deadline - time.monotonic())):
                raise TimeoutError
            part = os.read(process.stdout.fileno(), PART)
            if not part:
                return {}
            reply += part
    return dict(json.loads(reply))
