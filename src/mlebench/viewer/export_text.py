"""File names and texts of the static copy."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from markupsafe import Markup

from mlebench.results.page.rendering import PageTable
from mlebench.viewer.scan import Group, describe


def file_names(names: list[str]) -> dict[str, str]:
    """A file name for each name; equal file names get numbers."""
    found: dict[str, str] = {}
    for name in names:
        wanted = safe_name(name)
        number = sum(other.partition("~")[0] == wanted for other in found.values())
        found[name] = f"{wanted}~{number}" if number else wanted
    return found


def safe_name(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9._-]", "-", name).strip(".")[:120] or "unnamed"


def group_cells(group: Group) -> list[Any]:
    facts = describe(group)
    data = "synthetic" if facts["is_rehearsal"] else "real"
    return [
        facts["agent"] or group.id,
        "demonstration" if facts["is_demonstration"] else data,
        facts["split"],
        facts["revision"],
        medal_sentence(facts),
        *(facts["medals"][name] for name in ("gold", "silver", "bronze")),
        facts["invalid"],
        facts["counts"]["failed"],
        facts["created_at"][:16].replace("T", " "),
    ]


def badges_of(facts: Mapping[str, Any]) -> list[str]:
    long = {"rehearsal": "rehearsal: synthetic data"}
    return [long.get(flag, flag) for flag in facts["flags"]]


def medal_sentence(facts: Mapping[str, Any]) -> str:
    estimate = facts["any_medal"]
    missing = facts["total"] - facts["graded"]
    mark = " synthetic" if facts["is_rehearsal"] else ""
    if estimate is None:
        return f"({missing:,} not graded){mark}"
    kind = "scored" if estimate["is_scored"] else "not scored"
    return (
        f"{mean_text(estimate)} ({estimate['won']:,} of {estimate['runs']:,}:"
        f" {estimate['competitions']:,} {kind} × {estimate['seeds']:,},"
        f" {missing:,} not graded){mark}"
    )


def mean_text(estimate: Mapping[str, Any]) -> str:
    error = estimate.get("error", estimate.get("standard_error"))
    return f"{estimate['mean']:.1f} %" + ("" if error is None else f" ± {error:.1f}")


def figures_of(found: Mapping[str, Any]) -> dict[str, Any]:
    """The plots as markup, because `results.plots` has escaped them, and their tables."""
    tables = {
        name: PageTable(facts["head"], facts["rows"]) for name, facts in found["tables"].items()
    }
    return {"plots": {n: Markup(p) for n, p in found["plots"].items()}, "tables": tables}


def one_value(value: Any) -> Any:
    """A value of a record on one line."""
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {one_value(part)}" for name, part in value.items()) or None
    if isinstance(value, list | tuple):
        return ", ".join(str(one_value(part)) for part in value) or None
    return value
