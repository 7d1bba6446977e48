"""How an agent worked: time to the first valid submission, validations, failed commands, its code.

The code is untrusted: it is read and linted, never run. The measures of a run are stored in its
`host/process.json`.
"""

from __future__ import annotations

import json
import os
import shutil
import statistics
import subprocess
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from msgspec import structs

from mlebench.errors import DataError, InvalidSubmissionError
from mlebench.grading.files import read_regular_file
from mlebench.records.folders import RunFolder
from mlebench.records.measures import WorkMeasures, read_measures, write_measures
from mlebench.results.activity import read_executions, read_validations
from mlebench.results.attempts import Attempt
from mlebench.results.progress import read_course

MAX_FILES = 50
MAX_FILE_BYTES = 1 << 20
MAX_ENTRIES = 10_000
MAX_DEPTH = 20
RULES = "E4,E7,E9,F,B,PL"
LINT_SECONDS = 20


def measure_process(attempts: Iterable[Attempt]) -> list[tuple[Attempt, WorkMeasures]]:
    """The measures of all attempts that have a folder, from the stored ones where they exist."""
    found = []
    linter = Linter.find()
    for attempt in attempts:
        if attempt.folder is None or attempt.run is None:
            continue
        process = read_process(attempt)
        if process is None:
            process = _measure(attempt, attempt.folder, linter)
            if attempt.report is not None and attempt.folder.host.is_dir():
                write_measures(process, attempt.folder)
        first = _first_valid(attempt, process)
        found.append((attempt, structs.replace(process, first_valid_hours=first)))
    return found


def read_processes(attempts: Iterable[Attempt]) -> list[tuple[Attempt, WorkMeasures]]:
    """The measures that are stored already."""
    return [(a, found) for a in attempts if (found := read_process(a)) is not None]


def read_process(attempt: Attempt) -> WorkMeasures | None:
    """The stored measures of a run."""
    if attempt.folder is None:
        return None
    try:
        return read_measures(attempt.folder)
    except (OSError, DataError):
        return None


def _measure(attempt: Attempt, folder: RunFolder, linter: Linter) -> WorkMeasures:
    validations = read_validations(folder.validations)
    accepted = [call.elapsed / 3600 for call in validations if call.valid]
    executions = read_executions(folder)
    sources = read_sources(folder.code)
    findings = linter.count(sources) if sources else None
    model = attempt.run.model if attempt.run else None
    return WorkMeasures(
        first_valid_hours=min(accepted, default=None),
        validations=len(validations),
        invalid_validations=sum(not call.valid for call in validations),
        executions=len(executions) if executions else None,
        failed_executions=sum(span.is_failure for span in executions) if executions else None,
        model_calls=model.calls if model else None,
        failed_model_calls=model.failed if model else None,
        code_files=len(sources),
        code_lines=sum(bool(line.strip()) for text in sources for line in text.splitlines()),
        lint_findings=findings,
        linter=linter.name if findings is not None else None,
    )


def _first_valid(attempt: Attempt, process: WorkMeasures) -> float | None:
    """The earlier of the first accepted validation and the first valid copy."""
    course = read_course(attempt)
    valid = [grade.hours for grade in course.grades if grade.is_valid] if course else []
    first = process.first_valid_hours
    return min(valid if first is None else [first, *valid], default=None)


def read_sources(folder: Path) -> list[str]:
    """The Python files of the final code, sorted by name; links are not followed."""
    files: list[Path] = []
    waiting, entries = [(folder, 0)], 0
    # Not os.walk: it has no limit of entries, and before Python 3.12 it recurses.
    while waiting and entries < MAX_ENTRIES:
        place, depth = waiting.pop()
        try:
            found = sorted(os.scandir(place), key=lambda entry: entry.name)
        except OSError:
            continue
        entries += len(found)
        for entry in found:
            if entry.is_dir(follow_symlinks=False) and depth < MAX_DEPTH:
                waiting.append((Path(entry.path), depth + 1))
            elif entry.name.endswith(".py"):
                files.append(Path(entry.path))
    sources = []
    for file in sorted(files)[:MAX_FILES]:
        try:
            data = read_regular_file(file, MAX_FILE_BYTES)
        except InvalidSubmissionError:
            continue
        sources.append(data.decode("utf-8", "replace"))
    return sources


@dataclass(frozen=True)
class Linter:
    """Counts the findings of ruff if it is installed, else the files with syntax errors."""

    name: str
    program: str | None = None

    @classmethod
    def find(cls) -> Linter:
        beside = os.pathsep.join((str(Path(sys.executable).parent), os.environ.get("PATH", "")))
        program = shutil.which("ruff", path=beside)
        if program is None:
            return cls("compile")
        done = subprocess.run([program, "--version"], capture_output=True, text=True, check=False)
        return cls(done.stdout.strip() or "ruff", program)

    def count(self, sources: Sequence[str]) -> int | None:
        """Findings in all files together; None if the linter failed on one."""
        try:
            return sum(self._count(text) for text in sources)
        except (OSError, subprocess.TimeoutExpired, ValueError):
            return None

    def _count(self, text: str) -> int:
        if self.program is None:
            # In a child, because deeply nested code can crash an interpreter.
            compiling = "import sys; compile(sys.stdin.buffer.read(), 'code.py', 'exec')"
            words = [sys.executable, "-I", "-S", "-W", "ignore", "-c", compiling]
            return int(_run(words, text).returncode != 0)
        # From standard input and with our settings only: ruff opens no file of the agent.
        words = [self.program, "check", "--isolated", "--no-cache", "--quiet", "--select", RULES]
        words += ["--output-format", "json", "--stdin-filename", "code.py", "-"]
        return len(json.loads(_run(words, text).stdout))


def _run(words: Sequence[str], text: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        words,
        input=text.encode("utf-8", "replace"),
        capture_output=True,
        timeout=LINT_SECONDS,
        cwd="/",
        check=False,
    )


def process_figures(measured: Sequence[WorkMeasures]) -> dict[str, Any]:
    """Medians and shares over runs, each with its number of runs."""
    first = [p.first_valid_hours for p in measured if p.first_valid_hours is not None]
    lines = [p.code_lines for p in measured if p.code_files]
    linted = [p for p in measured if p.lint_findings is not None and p.code_lines]
    per_line = _share(linted, "lint_findings", "code_lines")
    return {
        "runs": len(measured),
        "first_valid_hours_median": statistics.median(first) if first else None,
        "runs_with_valid": len(first),
        "validations_mean": statistics.fmean(p.validations for p in measured) if measured else None,
        "invalid_validations_share": _share(measured, "invalid_validations", "validations"),
        "executions": sum(p.executions or 0 for p in measured),
        "failed_executions_share": _share(measured, "failed_executions", "executions"),
        "model_calls": sum(p.model_calls or 0 for p in measured),
        "failed_model_calls_share": _share(measured, "failed_model_calls", "model_calls"),
        "code_lines_median": statistics.median(lines) if lines else None,
        "runs_with_code": len(lines),
        "lint_findings_per_100_lines": None if per_line is None else 100 * per_line,
        "linter": ", ".join(sorted({p.linter for p in linted if p.linter})) or None,
    }


def _share(measured: Sequence[WorkMeasures], part: str, whole: str) -> float | None:
    """A ratio of sums, so that each command counts alike, not each run; None without any."""
    total = sum(getattr(p, whole) or 0 for p in measured)
    return sum(getattr(p, part) or 0 for p in measured) / total if total else None
