"""Read the runs folder into rows; files that have not changed are not read again."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

from mlebench.catalogue import Catalogue
from mlebench.errors import DataError
from mlebench.records.group import GroupRecord, PlannedRun, decode_group
from mlebench.results.aggregate import Estimate
from mlebench.results.attempts import grouped
from mlebench.results.identity import AgentIdentity, distinct_names, identity_of
from mlebench.version import REVISION
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
    """The plan and the rows of a group."""

    id: str
    mark: list[int]
    """The `signature` of `metadata.json`."""

    facts: dict[str, Any]
    planned: list[tuple[str, str, int]] = field(default_factory=list)
    """Run id, competition and seed of each run."""

    rows: list[Row] = field(default_factory=list)
    keys: dict[str, int] = field(default_factory=dict)
    """The row of each run, by its short and its whole name."""


def find_groups(root: Path, only: str | None = None) -> list[str]:
    """Names of the folders that may be groups, oldest first."""
    try:
        with os.scandir(root) as entries:
            names = [e.name for e in entries if e.is_dir(follow_symlinks=False)]
    except OSError:
        return []
    return sorted(n for n in names if is_name(n) and only in (None, n))[-MAX_GROUPS:]


def read_group(
    root: Path, name: str, known: Group | None, splits: Mapping[str, set[str]]
) -> Group | None:
    """The current state of a group: `known` if nothing changed, None if it is not a group."""
    try:
        with opened_folder(root, [name]) as folder:
            mark = signature(os.stat(METADATA, dir_fd=folder, follow_symlinks=False))
            is_same = known is not None and known.mark == mark
            group = known if known and is_same else _read_plan(root, name, mark, splits)
            before = known.rows if known else []
            by_id = {row.run_id: row for row in before}
            rows = [read_row(folder, *run, by_id.get(run[0])) for run in group.planned]
    except (Absent, OSError):
        return None
    if is_same and list(map(id, rows)) == list(map(id, before)):
        return known
    return replace(group, rows=rows)


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
    """Give different agents different names; returns the ids of the groups that were renamed.

    Where the folder has groups of several revisions, an agent is another one in each of them:
    whatever is shown or averaged by the name of an agent has one revision.
    """
    known = {
        group.id: AgentIdentity(*group.facts["identity"])
        for group in groups
        if group.facts["identity"]
    }
    names = distinct_names(known.values())
    is_mixed = len({group.facts["revision"] for group in groups if group.id in known}) > 1
    changed = []
    for group in groups:
        name = names[known[group.id]] if group.id in known else group.facts["agent"]
        if is_mixed and group.id in known:
            name += f" ({group.facts['revision']})"
        if group.facts["agent"] != name:
            group.facts["agent"] = name
            changed.append(group.id)
    return changed


def make_keys(run_ids: Sequence[str]) -> dict[str, int]:
    """Names of runs: 8 digits of the uuid, more if two runs share them; and the run ids."""
    keys: dict[str, int] = {}
    tails = [run_id.rpartition("_")[2] for run_id in run_ids]
    for length in (8, 13, 18, 36):
        counts = Counter(tail[:length] for tail in tails)
        for place, tail in enumerate(tails):
            if counts[tail[:length]] == 1:
                keys.setdefault(tail[:length], place)
    return keys | {run_id: place for place, run_id in enumerate(run_ids)}


def short_names(group: Group) -> list[str]:
    """The shortest key of each row."""
    names = [run_id for run_id, _, _ in group.planned]
    for key, place in reversed(group.keys.items()):
        if len(key) < len(names[place]):
            names[place] = key
    return names


def describe(group: Group) -> dict[str, Any]:
    """The group's row on the first page."""
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
        "any_medal": _any_medal(rows, unscored_in(facts["revision"])),
        "uncertain": sum("U" in row.flags for row in rows),
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


@cache
def unscored_in(revision: str) -> frozenset[str]:
    """The competitions that a revision does not score."""
    return frozenset(Catalogue().unscored(revision or REVISION))


def _any_medal(rows: Sequence[Row], unscored: Collection[str]) -> dict[str, Any] | None:
    """Mean and error over seeds, and what the rate is a share of; not graded means no medal."""
    scored = [row for row in rows if row.competition not in unscored]
    rows = scored or rows
    seeds = grouped(rows, lambda row: row.seed).values()
    if not seeds:
        return None
    rates = (100 * sum(row.outcome in "GSB" for row in own) / len(own) for own in seeds)
    estimate = Estimate(tuple(rates))
    error = estimate.standard_error
    return {
        "mean": round(estimate.mean, 4),
        "error": None if error is None else round(error, 4),
        "won": sum(row.outcome in "GSB" for row in rows),
        "runs": len(rows),
        "competitions": len({row.competition for row in rows}),
        "seeds": len(seeds),
        "is_scored": bool(scored),
    }
