"""A run as a row of the index, from `run.json` and its report, or why they cannot be read."""

from __future__ import annotations

import math
import os
from contextlib import suppress
from datetime import datetime
from typing import Annotated, Any, NamedTuple

import msgspec

from mlebench.errors import DataError
from mlebench.records.report import CompetitionReport, decode_report
from mlebench.records.run import ModelTotals, RunRecord, decode_run
from mlebench.viewer.places import FOLDER, Absent, open_in, pread
from mlebench.viewer.text import one_line

MAX_RECORD = 4 << 20
MAX_REASON = 200
OPEN_OUTCOMES = {"planned": ".", "failed": "!", "cancelled": "c", "finished": "!"}
LETTERS = {"gold": "G", "silver": "S", "bronze": "B"}


class Row(NamedTuple):
    """One run; small, because there may be ten thousand."""

    run_id: str
    mtime: int
    size: int
    inode: int
    competition: str
    seed: int
    state: str
    """The state in `run.json`, or `damaged`."""

    outcome: Annotated[str, msgspec.Meta(min_length=1, max_length=1)]
    """One letter: G S B medals, + above and - below the median, x invalid, ! failed, r running,
    . waiting, c cancelled."""

    score: float | None = None
    rank: int | None = None
    seconds: float | None = None
    """The wall time, rounded down."""

    started: int | None = None
    cost: float | None = None
    tokens: int | None = None
    validations: int = 0
    reason: str = ""
    flags: str = ""
    """`R` if the report is of a rehearsal, `D` of a demonstration, `U` if it is uncertain."""


def read_row(group: int, run_id: str, competition: str, seed: int, known: Row | None) -> Row:
    """The row of a run in an open group folder; `known` if `run.json` has not changed."""
    name = f"{run_id}/run.json"
    try:
        found = os.stat(name, dir_fd=group, follow_symlinks=False)
    except (OSError, ValueError):
        return Row(run_id, 0, 0, 0, competition, seed, "damaged", "!", reason="it has no run.json")
    mark = (found.st_mtime_ns, found.st_size, found.st_ino)
    if known is not None and known[1:4] == mark:
        return known
    row = Row(run_id, *mark, competition, seed, "damaged", "!")
    try:
        folder = os.open(run_id, FOLDER, dir_fd=group)
    except OSError:
        return row._replace(reason="its folder is a link or cannot be opened")
    try:
        return _filled(row, decode_run(_read(folder, "run.json"), "run.json"), folder)
    except Absent as error:
        return row._replace(reason=f"run.json: {error}")
    except DataError as error:
        return row._replace(reason=one_line(str(error), MAX_REASON))
    finally:
        os.close(folder)


def _read(folder: int, name: str) -> bytes:
    descriptor = open_in(folder, name)
    try:
        return pread(descriptor, MAX_RECORD, 0)
    finally:
        os.close(descriptor)


def _filled(row: Row, run: RunRecord, folder: int) -> Row:
    row = row._replace(
        state=run.state,
        outcome=OPEN_OUTCOMES.get(run.state, "r"),
        seconds=rounded_down(run.seconds),
        started=epoch(run.started_at),
        cost=shortened(run.model.cost) if run.model else None,
        tokens=_tokens(run.model),
        validations=run.validations,
        reason=_reason(run),
    )
    return _graded(row, folder) if run.state == "finished" else row


def _graded(row: Row, folder: int) -> Row:
    try:
        host = os.open("host", FOLDER, dir_fd=folder)
    except OSError:
        return row._replace(outcome="!", state="damaged", reason="its host folder is missing")
    try:
        report = decode_report(_read(host, "report.json"), "report.json")
    except (Absent, DataError) as error:
        reason = one_line(f"its report cannot be read: {error}", MAX_REASON)
        return row._replace(outcome="!", state="damaged", reason=reason)
    finally:
        os.close(host)
    why = None if report.valid_submission else report.reason
    return row._replace(
        outcome=report_outcome(report),
        score=report.score,
        rank=_rank(report),
        reason=one_line(why, MAX_REASON) if why else row.reason,
        flags="R" * report.is_rehearsal + "D" * report.is_demonstration + "U" * report.is_uncertain,
    )


def _rank(report: CompetitionReport) -> int | None:
    """Never above the number of teams; reports of earlier versions counted one more."""
    if report.rank is None or report.teams is None:
        return report.rank
    return min(report.rank, report.teams)


def report_outcome(report: CompetitionReport) -> str:
    """The letter of a graded submission."""
    if not report.valid_submission:
        return "x"
    if report.medal:
        return LETTERS[report.medal]
    return "+" if report.above_median else "-"


def _reason(run: RunRecord) -> str:
    """The blame and the reason of a run that did not end normally: `timeout: it ran …`."""
    if not run.reason or (run.blame is None and run.state == "finished"):
        return ""
    return one_line(f"{run.blame}: {run.reason}" if run.blame else run.reason, MAX_REASON)


def _tokens(model: ModelTotals | None) -> int | None:
    found = shortened(model.input_tokens + model.output_tokens) if model else None
    return None if found is None else round(found)


def number(value: Any) -> float | None:
    """The value if it is a finite number, else None."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    with suppress(OverflowError):
        return float(value) if math.isfinite(value) else None
    return None


def rounded_down(seconds: Any) -> float | None:
    """Whole seconds; tenths of a second below a hundred."""
    found = number(seconds)
    if found is None:
        return None
    return math.floor(found) if found >= 100 else math.floor(found * 10) / 10


def shortened(value: Any) -> float | None:
    """Four significant digits, as many as a table shows."""
    found = number(value)
    return None if found is None else float(f"{found:.4g}")


def epoch(moment: str | None) -> int | None:
    """The seconds since 1970 of a time in ISO format."""
    try:
        return int(datetime.fromisoformat(moment or "").timestamp())
    except (ValueError, OverflowError, OSError):
        return None
