"""Two to six groups or agents side by side, paired by competition."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

from mlebench.errors import UsageError
from mlebench.records.codec import to_json
from mlebench.viewer.figures import DAMAGE
from mlebench.viewer.index import Index, NotThere, nearest
from mlebench.viewer.run_page import read_plan_of
from mlebench.viewer.scan import Group, short_names
from mlebench.viewer.text import clean_all, one_line

if TYPE_CHECKING:
    from mlebench.records.group import GroupRecord
    from mlebench.results.attempts import Attempt, Conditions

MAX_SIDES = 6


def find_side(index: Index, name: str) -> list[Group]:
    """The groups that a name means: one, or all of an agent."""
    groups = index.groups()
    found = [g for g in groups if g.id == name] or [g for g in groups if g.facts["agent"] == name]
    if not found:
        known = [*sorted({g.facts["agent"] for g in groups}), *(g.id for g in groups)]
        raise NotThere(f"there is no group or agent {name[:200]!r}{nearest(name, known)}")
    return found


def compare_sides(index: Index, names: Sequence[str]) -> dict[str, Any]:
    """Every further side against the first."""
    if not 2 <= len(names) <= MAX_SIDES:
        raise UsageError(f"a comparison has 2 to {MAX_SIDES} sides, found {len(names)}")
    sides = [find_side(index, name) for name in names]
    settings = [_settings(index, groups[0]) for groups in sides]
    attempts = [_attempts(index, groups) for groups in sides]
    described = [
        {
            "name": name,
            "groups": [group.id for group in groups],
            "agent": groups[0].facts["agent"],
            "settings": own,
        }
        for name, groups, own in zip(names, sides, settings, strict=True)
    ]
    pairs = [
        _pair((sides[0], attempts[0], settings[0]), (sides[k], attempts[k], settings[k]))
        for k in range(1, len(names))
    ]
    return {
        "sides": described,
        **pairs[0],
        "pairs": [{"b": names[k + 1], **pair} for k, pair in enumerate(pairs)]
        if len(pairs) > 1
        else [],
    }


Side = tuple[list[Group], "list[Attempt]", dict[str, Any]]


def _pair(first: Side, second: Side) -> dict[str, Any]:
    from mlebench.results.attempts import differences
    from mlebench.results.statistics import compare

    problem, overall, per_competition = None, None, {}
    try:
        medals = _medals_won(first[0]) | _medals_won(second[0])
        found = compare(first[1], second[1], value=lambda attempt: float(_place(attempt) in medals))
    except DAMAGE as error:
        problem = one_line(str(error), 500)
    else:
        per_competition = dict(found.per_competition)
        overall = {
            **asdict(found.difference),
            "difference": found.difference.value,
            "p_value": found.p_value,
            "seeds_needed": found.seeds_needed,
            "competitions": found.competitions,
            "wins": found.wins,
            "losses": found.losses,
            "ties": found.ties,
        }
        if mixed := differences([*first[1], *second[1]]):
            name, values = next(iter(mixed.items()))
            shown = " and ".join(value[:80] for value in values[:3])
            problem = f"the two differ in {', '.join(mixed)} ({name}: {shown})"
    return {
        "differing_settings": _differing(first[2], second[2]),
        "rows": _rows(first[0], second[0], per_competition),
        "overall": overall,
        "problem": problem,
    }


def _rows(
    first: Sequence[Group], second: Sequence[Group], differences: dict[str, float]
) -> list[dict[str, Any]]:
    from mlebench.results.statistics import rate_difference

    ours, theirs = _cells(first), _cells(second)
    rows = []
    for name in sorted({*ours, *theirs}):
        a, b = ours.get(name, []), theirs.get(name, [])
        gap = rate_difference(_medals(a), _medals(b)) if a and b else None
        rows.append(
            {
                "competition": name,
                "a": a,
                "b": b,
                "difference": differences.get(name),
                "low": gap.low if gap else None,
                "high": gap.high if gap else None,
            }
        )
    return sorted(rows, key=lambda row: (row["difference"] is None, row["difference"] or 0.0))


def _medals(cells: Sequence[dict[str, Any]]) -> tuple[int, int]:
    return sum(cell["outcome"] in "GSB" for cell in cells), len(cells)


def _cells(groups: Sequence[Group]) -> dict[str, list[dict[str, Any]]]:
    found: dict[str, list[dict[str, Any]]] = {}
    for group in groups:
        for key, row in zip(short_names(group), group.rows, strict=True):
            cell = {"outcome": row.outcome, "score": row.score, "group": group.id, "key": key}
            found.setdefault(row.competition, []).append(cell | {"seed": row.seed})
    return found


def _settings(index: Index, group: Group) -> dict[str, Any]:
    plan = read_plan_of(index, group.id)
    names = ("agent", "agent_version", "agent_digest")
    if plan is None:
        return dict.fromkeys(names)
    facts = {name: getattr(plan, name) for name in names}
    return dict(clean_all(facts | to_json(plan.settings)))


def _differing(ours: dict[str, Any], theirs: dict[str, Any]) -> list[dict[str, Any]]:
    names = sorted({*ours, *theirs})
    return [
        {"name": name, "a": ours.get(name), "b": theirs.get(name)}
        for name in names
        if ours.get(name) != theirs.get(name)
    ]


def _attempts(index: Index, groups: Sequence[Group]) -> list[Attempt]:
    """From the index alone: thousands of runs are compared without reading them again."""
    from mlebench.results.attempts import Attempt

    found = []
    for group in groups:
        conditions = _conditions(read_plan_of(index, group.id))
        agent = group.facts["agent"]
        found += [
            Attempt(row.competition, row.seed, agent, group.id, conditions=conditions)
            for row in group.rows
        ]
    return found


def _place(attempt: Attempt) -> tuple[str, str, int]:
    return attempt.source, attempt.competition_id, attempt.seed


def _medals_won(groups: Sequence[Group]) -> set[tuple[str, str, int]]:
    return {
        (group.id, row.competition, row.seed)
        for group in groups
        for row in group.rows
        if row.outcome in "GSB"
    }


def _conditions(plan: GroupRecord | None) -> Conditions:
    """What must be alike for a fair comparison, as far as the plan tells."""
    from mlebench.results.attempts import Conditions, planned_conditions

    if plan is None:
        return Conditions()
    isolation = "none" if plan.settings.sandbox == "process" else "a sandbox"
    return replace(planned_conditions(plan), isolation=isolation)
