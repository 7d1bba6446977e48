"""What the page of one run shows first."""

from __future__ import annotations

import json
import os
import shlex
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from mlebench.viewer.boards import CompetitionIndex
from mlebench.viewer.figures import Figures, draw_hours, draw_rank
from mlebench.viewer.index import Index, Place
from mlebench.viewer.places import (
    Absent,
    opened_file,
    opened_folder,
    read_bytes,
    read_json,
    split_path,
    walk,
)
from mlebench.viewer.rows import FINAL, MAX_RECORD, Row, number
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
    run, problem = _record(place, "run.json")
    report, _ = _record(place, "host", "report.json")
    row = place.row
    board = competitions.board(row.competition)
    figures = Figures()
    if board is not None:
        others = [r for r in place.group.rows if r.competition == row.competition and r is not row]
        figures.add("rank", lambda: draw_rank(board, row, others))
    if run is not None:
        figures.add("hours", lambda: draw_hours(place, _run_record(place)))
    return {
        "run": run,
        "report": report,
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
    """Where a log lies, by the name it has on the page."""
    if name == AGENT_LOG:
        return (*place.names, "host", AGENT_LOG)
    if not name.startswith("logs/"):
        raise Absent(f"there is no log {one_line(name, 80)!r}")
    return (*place.names, *split_path(name))


def _record(place: Place, *names: str) -> tuple[dict[str, Any] | None, str | None]:
    try:
        found = read_json(place.root, [*place.names, *names], MAX_RECORD)
    except (Absent, ValueError) as error:
        return None, one_line(f"{names[-1]} cannot be read: {error}", WORDS)
    if not isinstance(found, dict):
        return None, f"{names[-1]} is damaged: expected an object"
    return clean_all(found), None


def _run_record(place: Place) -> Any:
    from mlebench.records.folders import RunFolder
    from mlebench.records.runs import read_run

    with opened_folder(place.root, [*place.names, "logs"]):
        # The logs are a folder and no link: the plot may look into them.
        return read_run(RunFolder(place.path).state)


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


def read_lines(place: Place, *names: str) -> Iterator[dict[str, Any]]:
    """The objects of a JSONL file of ours; damaged lines are left out."""
    try:
        data = read_bytes(place.root, [*place.names, *names], MAX_LINES_BYTES)
    except Absent:
        return
    for line in data.splitlines():
        with suppress(ValueError, RecursionError):
            entry = json.loads(line)
            if isinstance(entry, dict):
                yield entry


def _validations(place: Place) -> list[dict[str, Any]]:
    found = []
    for line in read_lines(place, "host", "validations.jsonl"):
        reason = line.get("reason")
        found.append(
            {
                "seconds": number(line.get("elapsed")),
                "valid": line.get("valid") is True,
                "message": one_line(reason, WORDS) if isinstance(reason, str) else None,
                "size": number(line.get("size")),
                "sha256": str(line.get("sha256"))[:64],
            }
        )
    return found[-MAX_LISTED:]


def _snapshots(place: Place) -> list[dict[str, Any]]:
    """Copies over time, with their scores where `report --over-time` graded them."""
    progress, _ = _record(place, "host", "progress.json")
    grades = (progress or {}).get("grades")
    graded: dict[int, Any] = {}
    for grade in grades if isinstance(grades, list) else ():
        if isinstance(grade, dict) and (hours := number(grade.get("hours"))) is not None:
            graded.setdefault(round(hours * 3600), grade)
    found = []
    for entry in walk(place.root, [*place.names, "host"], ("snapshots",), MAX_LISTED):
        stem, _, ending = entry.path.rpartition("/")[2].partition(".")
        if entry.kind == "file" and ending == "csv" and stem.isdigit():
            grade = graded.get(int(stem))
            score = number(grade.get("score")) if grade else None
            valid = None if grade is None else score is not None
            found.append({"seconds": int(stem), "size": entry.size, "score": score, "valid": valid})
    return sorted(found, key=lambda snapshot: snapshot["seconds"])


def read_metadata(index: Index, group_id: str) -> dict[str, Any]:
    """The plan of a group as it lies on disk; empty where it cannot be read."""
    try:
        found = read_json(index.root, [group_id, METADATA], MAX_METADATA)
    except (Absent, ValueError):
        return {}
    return clean_all(found) if isinstance(found, dict) else {}


def repeat_command(index: Index, place: Place) -> str:
    """The command that does such a run again."""
    settings = read_metadata(index, place.group.id).get("settings")
    return run_command(
        place.group.facts["agent"],
        ["-c", place.row.competition],
        settings if isinstance(settings, dict) else {},
    )


def run_command(agent: str, which: list[str], settings: Mapping[str, Any], seeds: int = 1) -> str:
    """`mlebench run …` with the settings of a group, quoted for a shell."""
    # Of an agent that is a command line the plan keeps a hash only.
    what = ["--command", "…"] if agent == "command" else ["--agent", agent]
    words = ["mlebench", "run", *what, *which]
    if seeds > 1:
        words += ["--seeds", str(seeds)]
    for name in ("sandbox", "profile", "hours", "model", "image"):
        value = settings.get(name)
        if isinstance(value, str | int | float) and not isinstance(value, bool) and value != "":
            words += [f"--{name}", f"{value:g}" if isinstance(value, float) else str(value)]
    for name, option in (("is_obfuscated", "--obfuscated"), ("is_rehearsal", "--rehearsal")):
        if settings.get(name) is True:
            words.append(option)
    return one_line(shlex.join(words), 10_000)
