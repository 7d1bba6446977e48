"""What the page of one run shows first."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from mlebench.errors import DataError
from mlebench.records.activity import VALIDATIONS, ValidationCall
from mlebench.records.codec import to_json
from mlebench.records.group import GroupRecord, Settings, decode_group
from mlebench.records.measures import Grade, decode_progress
from mlebench.records.report import CompetitionReport, decode_report
from mlebench.records.run import FINAL, RunRecord, decode_run
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


def describe_run(index: Index, competitions: CompetitionIndex, place: Place) -> dict[str, Any]:
    """The run's record, its report, its neighbours, what there is to look at."""
    run, problem = read_run_of(place)
    report = read_report_of(place)
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
        "command": repeat_command(index, place),
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
    """What a page that follows a run wants to know at once."""
    row = place.row
    return {
        "state": row.state,
        "outcome": row.outcome,
        "score": row.score,
        "seconds": row.seconds,
        "validations": row.validations,
        "complete": row.state in FINAL,
    }


def log_names(place: Place, name: str) -> tuple[str, ...]:
    """The path of a log, by the name it has on the page."""
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
    """The run's report, where it has one that can be read."""
    try:
        data = read_record(place.root, [*place.names, "host", "report.json"], MAX_RECORD)
        return decode_report(data, "report.json")
    except (Absent, DataError):
        return None


def _draw_hours(place: Place, run: RunRecord) -> Drawn | None:
    with opened_folder(place.root, [*place.names, "logs"]):
        # The logs are a folder and no link: the plot may look into them.
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
    """How far the score is from the next better medal; the difference is never negative."""
    if board is None or row.score is None or row.outcome == "G":
        return None
    cuts = board.thresholds
    for medal in ("bronze", "silver", "gold"):
        cut = float(getattr(cuts, medal))
        if not cuts.reaches(row.score, cut):
            return {"medal": medal, "difference": round(abs(cut - row.score), 10), "score": cut}
    return None


def read_validations_of(place: Place) -> list[ValidationCall]:
    """The calls of validation, in the order of time."""
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
    """Copies over time, with their scores where `report --over-time` graded them."""
    graded = {round(grade.hours * 3600): grade for grade in reversed(_grades(place))}
    found = []
    for entry in walk(place.root, [*place.names, "host"], ("snapshots",), MAX_LISTED):
        stem, _, ending = entry.path.rpartition("/")[2].partition(".")
        if entry.kind == "file" and ending == "csv" and stem.isdigit():
            grade = graded.get(int(stem))
            score = grade.score if grade else None
            valid = None if grade is None else grade.is_valid
            found.append({"seconds": int(stem), "size": entry.size, "score": score, "valid": valid})
    return sorted(found, key=lambda snapshot: snapshot["seconds"])


def _grades(place: Place) -> tuple[Grade, ...]:
    try:
        data = read_record(place.root, [*place.names, "host", "progress.json"], MAX_RECORD)
        return decode_progress(data, "progress.json").grades
    except (Absent, DataError):
        return ()


def read_plan_of(index: Index, group_id: str) -> GroupRecord | None:
    """The plan of a group; None where it cannot be read."""
    try:
        data = read_record(index.root, [group_id, METADATA], MAX_METADATA)
        return decode_group(data, METADATA)
    except (Absent, DataError):
        return None


def repeat_command(index: Index, place: Place) -> str:
    """The command that does such a run again."""
    plan = read_plan_of(index, place.group.id)
    which = ["-c", place.row.competition]
    return run_command(place.group.facts["agent_name"], which, plan.settings if plan else None)


def run_command(agent: str, which: list[str], settings: Settings | None, seeds: int = 1) -> str:
    """`mlebench run …` with the settings of a group, quoted for a shell."""
    # Of an agent that is a command line the plan keeps a hash only.
    what = ["--command", "…"] if agent == "command" else ["--agent", agent]
    words = ["mlebench", "run", *what, *which]
    if seeds > 1:
        words += ["--seeds", str(seeds)]
    if settings is not None:
        for name in ("sandbox", "profile", "hours", "model", "image"):
            value = getattr(settings, name)
            if value not in (None, ""):
                words += [f"--{name}", f"{value:g}" if isinstance(value, float) else str(value)]
        words += ["--obfuscated"] * settings.is_obfuscated + ["--rehearsal"] * settings.is_rehearsal
    return one_line(shlex.join(words), 10_000)
