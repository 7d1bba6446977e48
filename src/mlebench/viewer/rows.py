"""A run as one row of the index: what `run.json` and its report say, or why they cannot be read."""

from __future__ import annotations

import json
import math
import os
from contextlib import suppress
from datetime import datetime
from typing import Any, NamedTuple

from mlebench.viewer.places import FOLDER, Absent, open_in, pread
from mlebench.viewer.text import one_line

MAX_RECORD = 4 << 20
MAX_REASON = 200
FINAL = ("finished", "failed", "cancelled")
WAITING = ("planned",)
SCHEMA = 1
STATES = ("planned", "starting", "running", "collecting", "grading", *FINAL)


class Row(NamedTuple):
    """One run; small, since there may be ten thousand."""

    run_id: str
    mtime: int
    size: int
    inode: int
    competition: str
    seed: int
    state: str
    """As in `run.json`, or `damaged`."""

    outcome: str
    """One letter: G S B medals, + above and - below the median, x invalid, ! failed, r running,
    . waiting, c cancelled."""

    score: float | None = None
    rank: int | None = None
    seconds: int | None = None
    started: int | None = None
    cost: float | None = None
    tokens: int | None = None
    validations: int = 0
    reason: str = ""
    flags: str = ""
    """`R` where the report is of a rehearsal, `D` of a demonstration."""


def read_row(group: int, run_id: str, competition: str, seed: int, known: Row | None) -> Row:
    """The row of a run in an open group folder; the known one where nothing was written since."""
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
        return _filled(row, _read(folder, "run.json"), folder)
    except Absent as error:
        return row._replace(reason=f"run.json: {error}")
    except ValueError as error:
        return row._replace(reason=one_line(f"run.json is damaged: {error}", MAX_REASON))
    finally:
        os.close(folder)


def _read(folder: int, name: str) -> dict[str, Any]:
    descriptor = open_in(folder, name)
    try:
        data = pread(descriptor, MAX_RECORD, 0)
    finally:
        os.close(descriptor)
    try:
        found = json.loads(data)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    if not isinstance(found, dict):
        raise ValueError("expected an object")
    return found


def _filled(row: Row, run: dict[str, Any], folder: int) -> Row:
    schema = run.get("schema", 0)
    if not isinstance(schema, int) or schema > SCHEMA:
        raise ValueError(f"it was written by a newer mlebench (schema {schema})")
    state = run.get("state")
    if state not in STATES:
        raise ValueError("it names no state that is known")
    model = run.get("model")
    model = model if isinstance(model, dict) else {}
    row = row._replace(
        state=state,
        outcome=_open_outcome(state),
        seconds=whole(run.get("seconds")),
        started=epoch(run.get("started_at")),
        cost=shortened(number(model.get("cost"))),
        tokens=_tokens(model),
        validations=whole(run.get("validations")) or 0,
        reason=_reason(run),
    )
    return _graded(row, folder) if state == "finished" else row


def _graded(row: Row, folder: int) -> Row:
    try:
        host = os.open("host", FOLDER, dir_fd=folder)
    except OSError:
        return row._replace(outcome="!", state="damaged", reason="its host folder is missing")
    try:
        report = _read(host, "report.json")
    except (Absent, ValueError) as error:
        reason = one_line(f"its report is damaged: {error}", MAX_REASON)
        return row._replace(outcome="!", state="damaged", reason=reason)
    finally:
        os.close(host)
    is_invalid = report.get("valid_submission") is not True
    why = report.get("reason") if is_invalid else None
    flags = ("R" if report.get("is_rehearsal") is True else "") + (
        "D" if report.get("is_demonstration") is True else ""
    )
    return row._replace(
        outcome=report_outcome(report),
        score=number(report.get("score")),
        rank=whole(report.get("rank")),
        reason=one_line(why, MAX_REASON) if isinstance(why, str) else row.reason,
        flags=flags,
    )


def report_outcome(report: dict[str, Any]) -> str:
    """The letter of a graded submission."""
    if report.get("valid_submission") is not True:
        return "x"
    for medal, letter in (("gold", "G"), ("silver", "S"), ("bronze", "B")):
        if report.get(f"{medal}_medal") is True:
            return letter
    return "+" if report.get("above_median") is True else "-"


def _open_outcome(state: str) -> str:
    return {"planned": ".", "failed": "!", "cancelled": "c", "finished": "!"}.get(state, "r")


def _reason(run: dict[str, Any]) -> str:
    """Whom to blame and why it ended, where there is something to say: `timeout: it ran …`."""
    reason, blame = run.get("reason"), run.get("blame")
    if not isinstance(reason, str) or (blame is None and run["state"] == "finished"):
        return ""
    return one_line(f"{blame}: {reason}" if isinstance(blame, str) else reason, MAX_REASON)


def _tokens(model: dict[str, Any]) -> int | None:
    parts = [whole(model.get(f"{kind}_tokens")) for kind in ("input", "output")]
    known = [part for part in parts if part is not None]
    return whole(shortened(float(sum(known)))) if known else None


def number(value: Any) -> float | None:
    """A finite number, or none."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    with suppress(OverflowError):
        return float(value) if math.isfinite(value) else None
    return None


def whole(value: Any) -> int | None:
    found = number(value)
    return None if found is None else round(found)


def shortened(value: float | None) -> float | None:
    """Four digits: as many as a table shows."""
    return None if value is None else float(f"{value:.4g}")


def epoch(moment: Any) -> int | None:
    """Seconds since 1970 of a time in ISO form."""
    if not isinstance(moment, str):
        return None
    try:
        return int(datetime.fromisoformat(moment).timestamp())
    except (ValueError, OverflowError, OSError):
        return None
