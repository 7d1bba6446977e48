"""Reading the runs folder into rows, again and again; what did not change is not read again."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mlebench.errors import DataError
from mlebench.records.group import GroupRecord, PlannedRun, decode_group
from mlebench.results.aggregate import Estimate
from mlebench.results.identity import AgentIdentity, distinct_names, identity_of
from mlebench.viewer.places import Absent, is_name, opened_folder, read_record, signature
from mlebench.viewer.rows import Row, read_row
from mlebench.viewer.text import one_line

METADATA = "metadata.json"
MAX_METADATA = 64 << 20
MAX_GROUPS = 10_000
MAX_RUNS = 200_000
WORDS = 200


@dataclass
class Group:
    """A group folder: its plan and its rows."""

    id: str
    mark: list[int]
    """Of `metadata.json`: time, size, inode."""

    facts: dict[str, Any]
    planned: list[tuple[str, str, int]] = field(default_factory=list)
    """Run id, competition, seed."""

    rows: list[Row] = field(default_factory=list)
    keys: dict[str, int] = field(default_factory=dict)
    """Short and whole names of runs → their row."""


def find_groups(root: Path, only: str | None = None) -> list[str]:
    """Names of the folders that may be groups, oldest first."""
    try:
        with os.scandir(root) as entries:
            names = [e.name for e in entries if e.is_dir(follow_symlinks=False)]
    except OSError:
        return []
    shown = [n for n in names if is_name(n) and (only is None or n == only)]
    return sorted(n for n in shown if _is_text(n))[-MAX_GROUPS:]


def _is_text(name: str) -> bool:
    """A name that is no UTF-8 cannot be asked for."""
    try:
        name.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def read_group(
    root: Path, name: str, known: Group | None, splits: Mapping[str, set[str]]
) -> Group | None:
    """The group as it is now: the known one itself where nothing changed; none where none is."""
    try:
        with opened_folder(root, [name]) as folder:
            mark = signature(os.stat(METADATA, dir_fd=folder, follow_symlinks=False))
            group = known
            if known is None or known.mark != mark:
                group = _read_plan(root, name, mark, splits)
                if known is not None:
                    group.rows = known.rows
            if group is None:
                return None
            rows = _read_rows(folder, group)
            if (
                group is known
                and len(rows) == len(group.rows)
                and all(a is b for a, b in zip(rows, group.rows, strict=True))
            ):
                return known
            return Group(group.id, group.mark, group.facts, group.planned, rows, group.keys)
    except (Absent, OSError):
        return None


def _read_plan(root: Path, name: str, mark: list[int], splits: Mapping[str, set[str]]) -> Group:
    try:
        plan = decode_group(read_record(root, [name, METADATA], MAX_METADATA), METADATA)
        planned = [_planned(run) for run in plan.runs[:MAX_RUNS]]
    except (Absent, DataError) as error:
        return Group(name, mark, _facts(None, one_line(str(error), WORDS), "", 0))
    competitions = {competition for _, competition, _ in planned}
    fitting = [split for split, ids in splits.items() if ids == competitions]
    count = f"{len(competitions)} competition{'' if len(competitions) == 1 else 's'}"
    split = fitting[0] if fitting else count
    group = Group(name, mark, _facts(plan, None, split, len(planned)), planned)
    group.keys = make_keys([run_id for run_id, _, _ in planned])
    return group


def _planned(run: PlannedRun) -> tuple[str, str, int]:
    if not is_name(run.run_id):
        raise DataError(f"{METADATA} is damaged: a planned run points outside the group")
    return run.run_id, one_line(run.competition_id, WORDS), run.seed


def _facts(plan: GroupRecord | None, problem: str | None, split: str, total: int) -> dict[str, Any]:
    settings = plan.settings if plan else None
    return {
        "agent": one_line(plan.agent_label, WORDS) if plan else "",
        "agent_name": one_line(plan.agent, WORDS) if plan else "",
        "identity": [one_line(part, WORDS) for part in identity_of(plan)] if plan else [],
        "created_at": one_line(plan.created_at, WORDS) if plan else "",
        "split": split,
        "revision": one_line(settings.revision, WORDS) if settings else "",
        "is_rehearsal": settings is not None and settings.is_rehearsal,
        "hours": settings.hours if settings else None,
        "sandbox": one_line(settings.sandbox, WORDS) if settings else "",
        "model": one_line(settings.model, WORDS) if settings and settings.model else None,
        "problem": problem,
        "total": total,
    }


def name_agents(groups: Collection[Group]) -> list[str]:
    """Give agents that differ although they have one name different ones; returns whose changed."""
    known = {
        group.id: AgentIdentity(*group.facts["identity"])
        for group in groups
        if group.facts["identity"]
    }
    names = distinct_names(known.values())
    changed = []
    for group in groups:
        name = names[known[group.id]] if group.id in known else group.facts["agent"]
        if group.facts["agent"] != name:
            group.facts["agent"] = name
            changed.append(group.id)
    return changed


def _read_rows(folder: int, group: Group) -> list[Row]:
    known = {row.run_id: row for row in group.rows}
    return [read_row(folder, *run, known.get(run[0])) for run in group.planned]


def make_keys(run_ids: Sequence[str]) -> dict[str, int]:
    """Short names: the first 8 digits of the uuid, more where two runs share them."""
    keys: dict[str, int] = {}
    tails = [run_id.rpartition("_")[2] for run_id in run_ids]
    for length in (8, 13, 18, 36):
        counts = Counter(tail[:length] for tail in tails)
        for place, tail in enumerate(tails):
            if counts[tail[:length]] == 1:
                keys.setdefault(tail[:length], place)
    return keys | {run_id: place for place, run_id in enumerate(run_ids)}


def short_names(group: Group) -> list[str]:
    """One key for each row: the shortest."""
    names = [run_id for run_id, _, _ in group.planned]
    for key, place in reversed(group.keys.items()):
        if len(key) < len(names[place]):
            names[place] = key
    return names


def describe(group: Group) -> dict[str, Any]:
    """The group's row on the first page; every share has its count beside it."""
    rows = group.rows
    letters = Counter(row.outcome for row in rows)
    reported = "".join(row.flags for row in rows)
    facts = {name: value for name, value in group.facts.items() if name != "identity"}
    facts["is_rehearsal"] = facts["is_rehearsal"] or "R" in reported
    counts = {
        "done": sum(row.state == "finished" for row in rows),
        "running": letters["r"],
        "failed": letters["!"],
        "waiting": letters["."],
        "cancelled": letters["c"],
    }
    medals = {"gold": letters["G"], "silver": letters["S"], "bronze": letters["B"]}
    return {
        "id": group.id,
        **facts,
        "is_demonstration": "D" in reported,
        "flags": _flags(facts, counts, "D" in reported, len(rows)),
        "counts": counts,
        "medals": medals,
        "graded": counts["done"],
        "total": len(rows),
        "invalid": letters["x"],
        "above_median": letters["+"] + sum(medals.values()),
        "any_medal": _any_medal(rows),
        "seconds": round(sum(row.seconds or 0 for row in rows), 1),
        "cost": _sum([row.cost for row in rows]),
        "tokens": _sum([row.tokens for row in rows]),
    }


def _sum(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return round(sum(known), 4) if known else None


def _flags(
    facts: Mapping[str, Any], counts: Mapping[str, int], is_demonstration: bool, total: int
) -> list[str]:
    holds = {
        "rehearsal": facts["is_rehearsal"],
        "demonstration": is_demonstration,
        "incomplete": counts["done"] < total,
        "no isolation": facts["sandbox"] == "process",
        "damaged": facts["problem"] is not None,
    }
    return [name for name, is_so in holds.items() if is_so]


def _any_medal(rows: Sequence[Row]) -> dict[str, float | None] | None:
    """Over seeds; what is not graded counts as no medal."""
    seeds: dict[int, list[bool]] = {}
    for row in rows:
        seeds.setdefault(row.seed, []).append(row.outcome in "GSB")
    if not seeds:
        return None
    estimate = Estimate(tuple(100 * sum(won) / len(won) for won in seeds.values()))
    error = estimate.standard_error
    return {"mean": round(estimate.mean, 4), "error": None if error is None else round(error, 4)}
