"""Child processes that grade with limits on time and memory, for untrusted files.

Each submission gets a fresh child (`worker.py`): a crash or an endless metric costs one submission
and nothing else, and what a hostile file does to its child cannot reach another score.
"""

from __future__ import annotations

import json
import os
import re
import signal
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from threading import BoundedSemaphore
from typing import TYPE_CHECKING, Any

from mlebench.errors import BenchError, SandboxError
from mlebench.grading.grade import Verdict, make_report
from mlebench.records.report import CompetitionReport
from mlebench.system.fork_server import ForkServer

if TYPE_CHECKING:
    from mlebench.catalogue import Catalogue

SECONDS_PER_SUBMISSION = 600
FOLDERS = re.compile(r"(?<![\w.…:/])/(?:[^\s/'\"]+/)*(?=[^\s/])")
TARGET = "mlebench.grading.worker:grade"
IMPORTS = ("mlebench.grading.worker", "mlebench.tables", "pandas", "mlebench.native:library")


@dataclass(frozen=True)
class Submission:
    """A file to grade for a competition; a run without a submission has no path."""

    competition_id: str
    path: Path | None
    renaming: Path | None = None
    """The map of a run with neutral names; a file that does not exist means none."""


@dataclass(frozen=True)
class GradingResult:
    """The result of grading one submission."""

    report: CompetitionReport | None
    """Missing only if the competition is unknown."""

    error: str | None = None
    """Why it could not be graded, through no fault of the submission; the report says it, too."""

    fault: str | None = None
    """A bug in mlebench, triggered by this submission; its report has no score."""


class GradingPool:
    """Grades in child processes.

    Args:
        server: starts the children, and is stopped with the pool; a new one by default.
    """

    def __init__(
        self,
        catalogue: Catalogue,
        *,
        jobs: int = 1,
        seconds: float = SECONDS_PER_SUBMISSION,
        server: ForkServer | None = None,
    ) -> None:
        self.catalogue = catalogue
        self.seconds = seconds
        self.jobs = max(1, jobs)
        self.server = server or ForkServer(IMPORTS)
        self._slots = BoundedSemaphore(self.jobs)

    def __enter__(self) -> GradingPool:
        return self

    def __exit__(self, *exception: object) -> None:
        self.server.stop()

    def grade_all(self, submissions: Sequence[Submission]) -> Iterator[GradingResult]:
        """Grade in parallel; the results keep the order."""
        with ThreadPoolExecutor(self.jobs) as threads:
            yield from threads.map(self.grade, submissions)

    def grade(self, submission: Submission) -> GradingResult:
        """Grade one submission in a child; threads may call at the same time."""
        try:
            with self._slots:
                reply = self._ask_child(submission)
        except TimeoutError:
            reason = f"too costly to grade: not done after {self.seconds:g} s"
            return self._too_costly(submission, reason)
        except SandboxError as error:
            reply = {"error": str(error)}
        if "report" in reply:
            return GradingResult(CompetitionReport.from_dict(reply["report"]))
        if "error" in reply:
            reason = without_folders(reply["error"])
            return GradingResult(self._report(submission, reason), error=reply["error"])
        if "fault" in reply:
            reason = without_folders(reply["fault"])
            return GradingResult(self._report(submission, reason), fault=reply["fault"])
        return self._too_costly(submission, f"too costly to grade: {reply['too_costly']}")

    def _ask_child(self, submission: Submission) -> dict[str, Any]:
        facts = {
            "competition_id": submission.competition_id,
            "submission_path": None if submission.path is None else str(submission.path),
            "renaming": str(found) if (found := submission.renaming) and found.exists() else None,
            "data_dir": str(self.catalogue.get_data_dir()),
            "competitions_dirs": [str(place) for place in self.catalogue.competitions_dirs],
            "revision": self.catalogue.revision,
            "seconds": self.seconds,
        }
        child = self.server.fork(TARGET, facts)
        try:
            line = child.receive(self.seconds)
        finally:
            status = child.end()
        if line is None:
            return {"too_costly": _cause_of_death(status)}
        reply = dict(json.loads(line))
        self.server.warm(reply.pop("imports", ()))
        return reply

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
    """Replace the folders of absolute paths by `…`: reports are published."""
    return FOLDERS.sub("…/", text)


def _cause_of_death(status: int) -> str:
    if status == -1:
        raise SandboxError("the process that starts graders has ended")
    if os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGXCPU:
        return "needs too much processor time"
    return "needs too much memory"
