"""The data of the page that compares two to six groups or agents, paired by competition."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from mlebench.errors import UsageError
from mlebench.records.codec import to_json
from mlebench.version import REVISION
from mlebench.viewer.figures import DAMAGE
from mlebench.viewer.index import Index, NotFoundError, nearest
from mlebench.viewer.run_page import read_plan_of
from mlebench.viewer.scan import Group, short_names, unscored_in
from mlebench.viewer.text import clean_all, one_line

if TYPE_CHECKING:
    from mlebench.results.attempts import Conditions

MAX_SIDES = 6
Cells = Mapping[str, Sequence[dict[str, Any]]]
"""The runs of each competition, as the page shows them."""


def find_side(index: Index, name: str) -> list[Group]:
    """The group with this id, or all groups of the agent with this name."""
    groups = index.groups()
    found = [g for g in groups if g.id == name] or [g for g in groups if g.facts["agent"] == name]
    if not found:
        known = [*sorted({g.facts["agent"] for g in groups}), *(g.id for g in groups)]
        raise NotFoundError(f"there is no group or agent {name[:200]!r}{nearest(name, known)}")
    return found


class Side(NamedTuple):
    """What is compared: the groups of an agent."""

    name: str
    groups: list[Group]
    settings: dict[str, Any]
    """Of the first group."""

    cells: Cells

    @property
    def revisions(self) -> set[str]:
        return {group.facts["revision"] or REVISION for group in self.groups}


def compare_sides(index: Index, names: Sequence[str]) -> dict[str, Any]:
    """Compare every side with the first.

    Raises:
        UsageError: there are fewer than 2 or more than 6 names, or one is unknown.
    """
    if not 2 <= len(names) <= MAX_SIDES:
        raise UsageError(f"a comparison has 2 to {MAX_SIDES} sides, found {len(names)}")
    sides = []
    for name in names:
        groups = find_side(index, name)
        sides.append(Side(name, groups, _settings(index, groups[0]), _cells(groups)))
    pairs = [{"b": side.name, **_pair(index, sides[0], side)} for side in sides[1:]]
    described = [
        {
            "name": side.name,
            "groups": [group.id for group in side.groups],
            "agent": side.groups[0].facts["agent"],
            "revision": " and ".join(sorted(side.revisions)),
            "settings": side.settings,
        }
        for side in sides
    ]
    first = {name: value for name, value in pairs[0].items() if name != "b"}
    return {"sides": described, **first, "pairs": pairs if len(pairs) > 1 else []}


def _pair(index: Index, first: Side, second: Side) -> dict[str, Any]:
    from mlebench.results.attempts import differences
    from mlebench.results.statistics import compare_values

    revisions = sorted(first.revisions | second.revisions)
    settings = _differing(first.settings, second.settings)
    if len(revisions) > 1:
        return {
            "differing_settings": settings,
            "rows": _rows(first.cells, second.cells),
            "overall": None,
            "problem": f"the two differ in revision ({' and '.join(revisions)})"
            " and are not compared",
        }
    problem, overall, per_competition = None, None, {}
    (revision,) = revisions
    unscored = unscored_in(revision)
    try:
        # From the index alone: thousands of runs are compared without reading their files.
        ours, theirs = (
            {name: _won(own) for name, own in side.cells.items() if name not in unscored}
            for side in (first, second)
        )
        found = compare_values(ours, theirs)
    except DAMAGE as error:
        problem = one_line(str(error), 500)
    else:
        overall = asdict(found)
        per_competition = overall.pop("per_competition")
        interval = overall.pop("difference")
        of = f"{found.competitions} scored competitions, revision {revision}"
        overall |= {**interval, "difference": interval["value"], "denominator": of}
        conditions = (_conditions(index, group) for group in (*first.groups, *second.groups))
        if mixed := differences(conditions):
            name, values = next(iter(mixed.items()))
            shown = " and ".join(value[:80] for value in values[:3])
            problem = f"the two differ in {', '.join(mixed)} ({name}: {shown})"
    return {
        "differing_settings": settings,
        "rows": _rows(first.cells, second.cells, per_competition),
        "overall": overall,
        "problem": problem,
    }


def _won(cells: Sequence[dict[str, Any]]) -> list[bool]:
    return [cell["outcome"] in "GSB" for cell in cells]


def _rows(
    first: Cells, second: Cells, differences: Mapping[str, float] | None = None
) -> list[dict[str, Any]]:
    """The cells of both sides; without `differences` the two are not compared."""
    from mlebench.results.statistics import rate_difference

    is_compared, differences = differences is not None, differences or {}
    rows = []
    for name in sorted({*first, *second}):
        a, b = first.get(name, []), second.get(name, [])
        gap = None
        if is_compared and a and b:
            gap = rate_difference((sum(_won(a)), len(a)), (sum(_won(b)), len(b)))
        facts = {"competition": name, "a": a, "b": b, "difference": differences.get(name)}
        rows.append(facts | {"low": gap and gap.low, "high": gap and gap.high})
    return sorted(rows, key=lambda row: (row["difference"] is None, row["difference"] or 0.0))


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


def _conditions(index: Index, group: Group) -> Conditions:
    """The planned conditions of a group; all unknown if its plan cannot be read."""
    from mlebench.results.attempts import Conditions, planned_conditions

    plan = read_plan_of(index, group.id)
    if plan is None:
        return Conditions()
    isolation = "none" if plan.settings.sandbox == "process" else "a sandbox"
    return replace(planned_conditions(plan), isolation=isolation)
