"""The data of the page of a run; `run_views` has those of its tabs."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, Any, TypeVar

from mlebench.errors import DataError
from mlebench.records.activity import VALIDATIONS, ValidationCall
from mlebench.records.codec import to_json
from mlebench.records.group import GroupRecord, decode_group
from mlebench.records.integrity import decode_integrity
from mlebench.records.measures import decode_progress
from mlebench.records.report import CompetitionReport, decode_report
from mlebench.records.run import FINAL, RunRecord, decode_run
from mlebench.results.commands import run_command
from mlebench.viewer.boards import CompetitionIndex
from mlebench.viewer.figures import Drawn, Figures, draw_hours, draw_rank
from mlebench.viewer.index import Index, Place
from mlebench.viewer.places import (
    Absent,
    opened_file,
    opened_folder,
    read_bytes,
    read_record,
    split_path,
    walk,
)
from mlebench.viewer.rows import MAX_RECORD, Row
from mlebench.viewer.scan import MAX_METADATA, METADATA, short_names
from mlebench.viewer.text import clean_all, one_line

if TYPE_CHECKING:
    from mlebench.leaderboards.leaderboard import Leaderboard

MAX_LINES_BYTES = 4 << 20
MAX_LISTED = 1000
WORDS = 500
AGENT_LOG = "agent.log"
Record = TypeVar("Record")


def describe_run(index: Index, competitions: CompetitionIndex, place: Place) -> dict[str, Any]:
    """The records of a run, its plots, and what its tabs can show."""
    run, problem = read_run_of(place)
    report = read_report_of(place)
    integrity = read_host(place, "integrity.json", decode_integrity)
    plan = read_plan_of(index, place.group.id)
    settings = plan.settings if plan else None
    row = place.row
    board = competitions.board(row.competition)
    figures = Figures()
    if board is not None:
        others = [r for r in place.group.rows if r.competition == row.competition and r is not row]
        figures.add("rank", lambda: draw_rank(board, row, others))
    if run is not None:
        figures.add("hours", lambda: _draw_hours(place, run))
    return {
        "run": clean_all(to_json(run)) if run else None,
        "report": clean_all(report.to_dict()) if report else None,
        "integrity": clean_all(to_json(integrity)) if integrity else None,
        "command": one_line(
            run_command(place.group.facts["agent_name"], ["-c", row.competition], settings), 10_000
        ),
        "group": {"id": place.group.id, "agent": place.group.facts["agent"]},
        "key": short_names(place.group)[place.number],
        "outcome": row.outcome,
        "neighbours": _neighbours(place),
        "competition": competitions.describe(row.competition),
        "to_next_medal": _to_next_medal(board, row),
        "validations": _validations(place),
        "snapshots": _snapshots(place),
        "logs": list(_logs(place)),
        "has": {
            "trajectory": _is_file(place, "host", "trajectory.jsonl"),
            "tree": _is_file(place, "logs", "tree.json"),
            "files": True,
        },
        **figures.as_json(),
        "problem": problem or (row.reason if row.state == "damaged" else None),
    }


def live_facts(place: Place) -> dict[str, Any]:
    """The facts that a page updates during a run."""
    names = ("state", "outcome", "score", "seconds", "validations")
    facts = {name: getattr(place.row, name) for name in names}
    return facts | {"complete": place.row.state in FINAL}


def log_names(place: Place, name: str) -> tuple[str, ...]:
    """The path of the log with this name on the page."""
    if name == AGENT_LOG:
        return (*place.names, "host", AGENT_LOG)
    if not name.startswith("logs/"):
        raise Absent(f"there is no log {one_line(name, 80)!r}")
    return (*place.names, *split_path(name))


def read_run_of(place: Place) -> tuple[RunRecord | None, str | None]:
    """The run's record, or why it cannot be read."""
    try:
        data = read_record(place.root, [*place.names, "run.json"], MAX_RECORD)
        return decode_run(data, "run.json"), None
    except (Absent, DataError) as error:
        return None, one_line(f"run.json cannot be read: {error}", WORDS)


def read_report_of(place: Place) -> CompetitionReport | None:
    """The run's report; None if there is none that can be read."""
    return read_host(place, "report.json", decode_report)


def read_host(place: Place, name: str, decode: Callable[[bytes, str], Record]) -> Record | None:
    """A record in the run's host folder; None if there is none that can be read."""
    try:
        return decode(read_record(place.root, [*place.names, "host", name], MAX_RECORD), name)
    except (Absent, DataError):
        return None


def _draw_hours(place: Place, run: RunRecord) -> Drawn | None:
    # Opening it raises Absent if the folder that the plot reads is a link.
    with opened_folder(place.root, [*place.names, "logs"]):
        return draw_hours(place, run)


def _is_file(place: Place, *names: str) -> bool:
    with suppress(Absent), opened_file(place.root, [*place.names, *names]):
        return True
    return False


def _logs(place: Place) -> Iterator[dict[str, Any]]:
    with suppress(Absent), opened_file(place.root, log_names(place, AGENT_LOG)) as descriptor:
        yield {"name": AGENT_LOG, "size": os.fstat(descriptor).st_size}
    for entry in walk(place.root, place.names, ("logs",), MAX_LISTED):
        if entry.kind == "file":
            yield {"name": entry.path, "size": entry.size}


def _neighbours(place: Place) -> dict[str, str | None]:
    names = short_names(place.group)
    here = place.number
    return {
        "previous": names[here - 1] if here > 0 else None,
        "next": names[here + 1] if here + 1 < len(names) else None,
    }


def _to_next_medal(board: Leaderboard | None, row: Row) -> dict[str, Any] | None:
    """The next better medal, its threshold, and the absolute difference to the score."""
    if board is None or row.score is None or row.outcome == "G":
        return None
    cuts = board.thresholds
    for medal in ("bronze", "silver", "gold"):
        cut = float(getattr(cuts, medal))
        if not cuts.reaches(row.score, cut):
            return {"medal": medal, "difference": round(abs(cut - row.score), 10), "score": cut}
    return None


def read_validations_of(place: Place) -> list[ValidationCall]:
    """The calls of the validation server in chronological order."""
    try:
        names = [*place.names, "host", "validations.jsonl"]
        data = read_bytes(place.root, names, MAX_LINES_BYTES)
    except Absent:
        return []
    return list(VALIDATIONS.decode(data))


def _validations(place: Place) -> list[dict[str, Any]]:
    return [
        {
            "seconds": call.elapsed,
            "valid": call.valid,
            "message": one_line(call.reason, WORDS) if call.reason else None,
            "size": call.size,
            "sha256": str(call.sha256)[:64],
        }
        for call in read_validations_of(place)[-MAX_LISTED:]
    ]


def _snapshots(place: Place) -> list[dict[str, Any]]:
    """The copies of the submission, with scores if `report --over-time` graded them."""
    progress = read_host(place, "progress.json", decode_progress)
    grades = progress.grades if progress else ()
    graded = {round(grade.hours * 3600): grade for grade in reversed(grades)}
    found = []
    for entry in walk(place.root, [*place.names, "host"], ("snapshots",), MAX_LISTED):
        stem, _, ending = entry.path.rpartition("/")[2].partition(".")
        if entry.kind == "file" and ending == "csv" and stem.isdigit():
            grade = graded.get(int(stem))
            score = grade.score if grade else None
            valid = None if grade is None else grade.is_valid
            found.append({"seconds": int(stem), "size": entry.size, "score": score, "valid": valid})
    return sorted(found, key=lambda snapshot: snapshot["seconds"])


def read_plan_of(index: Index, group_id: str) -> GroupRecord | None:
    """The plan of a group; None if it cannot be read."""
    try:
        data = read_record(index.root, [group_id, METADATA], MAX_METADATA)
        return decode_group(data, METADATA)
    except (Absent, DataError):
        return None
