"""How an agent worked: time to the first valid submission, validations, failed programs, its code.

The code is the agent's and hostile: it is read as plain files and looked at, never run. Measures of
a run lie beside it in `host/process.json` and are made once.
"""

from __future__ import annotations

import json
import os
import shutil
import statistics
import subprocess
import sys
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any

from mlebench.errors import InvalidSubmissionError
from mlebench.grading.sealed import read_regular_file
from mlebench.records.folders import RunFolder
from mlebench.results.activity import read_executions, read_validations
from mlebench.results.attempts import Attempt
from mlebench.results.progress import keep, read_course, read_kept
from mlebench.results.spending import number_of

SCHEMA = 1
MAX_FILES = 50
MAX_FILE_BYTES = 1 << 20
MAX_ENTRIES = 10_000
MAX_DEPTH = 20
RULES = "E4,E7,E9,F,B,PL"
LINT_SECONDS = 20


@dataclass(frozen=True)
class Process:
    """Measures of one run; None where its files do not tell."""

    first_valid_hours: float | None = None
    """Until validation first accepted a file, or, unseen by it, until a valid copy was kept."""

    validations: int = 0
    invalid_validations: int = 0
    executions: int | None = None
    """Programs that the agent ran, where it keeps a record of them."""

    failed_executions: int | None = None
    model_calls: int | None = None
    failed_model_calls: int | None = None
    code_files: int = 0
    code_lines: int = 0
    """Lines that are not blank."""

    lint_findings: int | None = None
    linter: str | None = None
    """What counted the findings: `ruff` and its version, or `compile` (syntax only)."""


def measure_process(attempts: Iterable[Attempt]) -> list[tuple[Attempt, Process]]:
    """The measures of all attempts that have a folder; those made before are read."""
    found = []
    linter = Linter.find()
    for attempt in attempts:
        if attempt.folder is None or attempt.run is None:
            continue
        process = read_process(attempt)
        if process is None:
            process = _measure(attempt, attempt.folder, linter)
            if attempt.report is not None and attempt.folder.host.is_dir():
                keep({"schema": SCHEMA, **asdict(process)}, attempt.folder.process)
        found.append((attempt, replace(process, first_valid_hours=_first_valid(attempt, process))))
    return found


def read_processes(attempts: Iterable[Attempt]) -> list[tuple[Attempt, Process]]:
    """The measures that are there already."""
    return [(a, found) for a in attempts if (found := read_process(a)) is not None]


def read_process(attempt: Attempt) -> Process | None:
    """The measures that lie beside a run."""
    if attempt.folder is None:
        return None
    try:
        data = read_kept(attempt.folder, "process.json")
        if data["schema"] != SCHEMA:
            return None
        return Process(**{f.name: data[f.name] for f in fields(Process)})
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _measure(attempt: Attempt, folder: RunFolder, linter: Linter) -> Process:
    validations = read_validations(folder.validations)
    accepted = [float(line["elapsed"]) / 3600 for line in validations if line.get("valid")]
    executions = read_executions(folder)
    sources = read_sources(folder.code)
    findings = linter.count(sources) if sources else None
    return Process(
        first_valid_hours=min(accepted, default=None),
        validations=len(validations),
        invalid_validations=sum(not line.get("valid") for line in validations),
        executions=len(executions) if executions else None,
        failed_executions=sum(span.is_failure for span in executions) if executions else None,
        model_calls=_count(attempt, "calls"),
        failed_model_calls=_count(attempt, "failed"),
        code_files=len(sources),
        code_lines=sum(bool(line.strip()) for text in sources for line in text.splitlines()),
        lint_findings=findings,
        linter=linter.name if findings is not None else None,
    )


def _count(attempt: Attempt, name: str) -> int | None:
    value = number_of(attempt.run, name)
    return None if value is None else int(value)


def _first_valid(attempt: Attempt, process: Process) -> float | None:
    """Grades of the copies may tell of a valid file that was never validated."""
    found = [process.first_valid_hours] if process.first_valid_hours is not None else []
    course = read_course(attempt)
    if course is not None:
        found += [grade.hours for grade in course.grades if grade.is_valid]
    return min(found, default=None)


def read_sources(folder: Path) -> list[str]:
    """The Python files of the final code, links not followed, in the order of their names."""
    files: list[Path] = []
    waiting, entries = [(folder, 0)], 0
    # By hand: os.walk calls itself for every level, and an agent may leave thousands of them.
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
    """Counts findings: ruff where it is installed, else files that are no Python at all."""

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
        """Findings in all files together; None when the linter cannot tell."""
        if self.program is None:
            return sum(not _is_python(text) for text in sources)
        counts = [self._ruff(text) for text in sources]
        return None if None in counts else sum(count or 0 for count in counts)

    def _ruff(self, text: str) -> int | None:
        """Through its input, with settings of ours only: no file of the agent is opened by it."""
        words = [self.program or "", "check", "--isolated", "--no-cache", "--quiet"]
        words += ["--select", RULES, "--output-format", "json", "--stdin-filename", "code.py", "-"]
        try:
            done = subprocess.run(
                words,
                input=text.encode("utf-8", "replace"),
                capture_output=True,
                timeout=LINT_SECONDS,
                cwd="/",
                check=False,
            )
            return len(json.loads(done.stdout))
        except (OSError, subprocess.TimeoutExpired, ValueError):
            return None


def _is_python(text: str) -> bool:
    """Asked of a child: deep nesting can bring an interpreter down."""
    program = "import sys; compile(sys.stdin.buffer.read(), 'code.py', 'exec')"
    try:
        done = subprocess.run(
            [sys.executable, "-I", "-S", "-W", "ignore", "-c", program],
            input=text.encode("utf-8", "replace"),
            capture_output=True,
            timeout=LINT_SECONDS,
            cwd="/",
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


def process_figures(measured: Sequence[Process]) -> dict[str, Any]:
    """Medians and shares over runs, each with the number of runs that it stands on."""
    first = [p.first_valid_hours for p in measured if p.first_valid_hours is not None]
    lines = [p.code_lines for p in measured if p.code_files]
    linted = [p for p in measured if p.lint_findings is not None and p.code_lines]
    return {
        "runs": len(measured),
        "first_valid_hours_median": statistics.median(first) if first else None,
        "runs_with_valid": len(first),
        "validations_mean": _mean([p.validations for p in measured]),
        "invalid_validations_share": _share(measured, "invalid_validations", "validations"),
        "executions": sum(p.executions or 0 for p in measured),
        "failed_executions_share": _share(measured, "failed_executions", "executions"),
        "model_calls": sum(p.model_calls or 0 for p in measured),
        "failed_model_calls_share": _share(measured, "failed_model_calls", "model_calls"),
        "code_lines_median": statistics.median(lines) if lines else None,
        "runs_with_code": len(lines),
        "lint_findings_per_100_lines": (
            100 * sum(p.lint_findings or 0 for p in linted) / sum(p.code_lines for p in linted)
            if linted
            else None
        ),
        "linter": ", ".join(sorted({p.linter for p in linted if p.linter})) or None,
    }


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None


def _share(measured: Sequence[Process], part: str, whole: str) -> float | None:
    """A ratio of sums, so that a run with one program does not weigh as much as one with many."""
    total = sum(getattr(p, whole) or 0 for p in measured)
    return sum(getattr(p, part) or 0 for p in measured) / total if total else None
