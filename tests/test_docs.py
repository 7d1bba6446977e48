"""What the pages in docs/ say about the code is true: names exist, and code blocks run."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "mlebench"
WALKS = re.split(r"^## ", (ROOT / "docs" / "architecture.md").read_text("utf-8"), flags=re.M)[1:]
HOP = re.compile(r"^\d+\. `([\w/]+\.py)` `([\w.]+)`: \S", re.M)


def names_in(path: Path) -> set[str]:
    """Functions and classes of a module, methods as `Class.method`."""
    found = set()
    for node in ast.parse(path.read_text("utf-8")).body:
        if isinstance(node, ast.ClassDef):
            inner = [child.name for child in node.body if isinstance(child, DEFINITIONS)]
            found |= {node.name, *(f"{node.name}.{name}" for name in inner)}
        elif isinstance(node, DEFINITIONS):
            found.add(node.name)
    return found


DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def test_there_are_four_walks() -> None:
    assert len(WALKS) == 4


@pytest.mark.parametrize("walk", WALKS, ids=lambda walk: walk.splitlines()[0])
def test_every_hop_of_a_walk_exists(walk: str) -> None:
    hops = HOP.findall(walk)
    assert len(hops) == len(re.findall(r"^\d+\.", walk, re.M))
    assert 8 <= len(hops) <= 12
    missing = [(file, name) for file, name in hops if name not in names_in(SOURCE / file)]
    assert missing == []


@pytest.mark.parametrize("page", sorted((ROOT / "docs").glob("*.md")), ids=lambda page: page.name)
def test_files_named_in_pages_exist(page: Path) -> None:
    text = page.read_text("utf-8")
    named = set(re.findall(r"`((?:src|tests|scripts|benchmarks|docs)/[\w/.-]+\.\w+)`", text))
    named |= {
        f"docs/{link}" for link in re.findall(r"\]\(([\w/-]+\.(?:md|svg|png))(?:#[\w-]*)?\)", text)
    }
    assert [name for name in sorted(named) if not (ROOT / name).exists()] == []
    modules = set(re.findall(r"`(mlebench(?:\.[a-z_0-9]+)+)`", text))
    assert [name for name in sorted(modules) if not has_name(name)] == []


def has_name(dotted: str) -> bool:
    """Whether a module exists, or a module with that name in it; entry-point groups count, too."""
    if dotted in (ROOT / "pyproject.toml").read_text("utf-8") or dotted in GROUPS:
        return True
    place = SOURCE.parent
    parts = dotted.split(".")
    for number, part in enumerate(parts):
        if (place / f"{part}.py").is_file():
            rest = parts[number + 1 :]
            return not rest or rest[0] in (place / f"{part}.py").read_text("utf-8")
        if not (place / part).is_dir():
            return part in (place / "__init__.py").read_text("utf-8")
        place = place / part
    return True


GROUPS = {f"mlebench.{kind}" for kind in ("agents", "commands", "competitions", "sandboxes")}


def listed(page: str, head: str) -> set[str]:
    """The names in the first column of the table with that heading."""
    text = (ROOT / "docs" / page).read_text("utf-8")
    rows = text.split(f"\n| {head} |", 1)[1].split("\n\n", 1)[0].splitlines()[2:]
    first = " ".join(row.split("|")[1] for row in rows)
    return {name.partition("(")[0] for name in re.findall(r"`([^`]+)`", first)}


def test_parts_of_a_competition_are_listed() -> None:
    from mlebench import formats, metrics
    from mlebench.audit import CHECKS as AUDITED
    from mlebench.checking.competition import CHECKS
    from mlebench.leaderboards.leaderboard import EXPECTED, OPTIONAL
    from mlebench.metrics import Metric

    page = "adding-a-competition.md"
    own = {name for name in formats.__all__ if isinstance(getattr(formats, name), type)}
    shapes = own - {"Aligned", "Format", "SomeAligned"} | {"MaskPerId", "BoxesPerId"}
    modules = {"formats.run_lengths", "formats.box_lists", "formats.class_labels"}
    assert listed(page, "format") - modules == shapes
    public = {
        node.name if isinstance(node, ast.FunctionDef) else ast.unparse(node.targets[0])
        for file in ("values.py", "class_labels.py")
        for node in ast.parse((SOURCE / "formats" / file).read_text("utf-8")).body
        if isinstance(node, (ast.FunctionDef, ast.Assign))
    }
    helpers = {"never_equal", "refuse", "require", "text_cells"}
    functions = {name for name in public - helpers if re.fullmatch("[a-z][a-z_]*", name)}
    assert listed(page, "values") - modules == functions
    made = {"laplace_log_likelihood", "log_mean_absolute_error_by_group", "weighted_roc_auc"}
    found = {name for name in metrics.__all__ if isinstance(getattr(metrics, name), Metric)}
    assert listed(page, "metric") == found | made | {"mean_average_precision_at"}
    assert listed(page, "field") == {*EXPECTED, *OPTIONAL}
    assert listed(page, "subject") == {"preparation", *CHECKS, *AUDITED}
