"""One class, one name: a reader who meets a name can tell which class is meant."""

from __future__ import annotations

import ast
from collections import defaultdict
from pathlib import Path

SOURCE = Path(__file__).parents[1] / "src"


def repeated_classes(sources: dict[str, str]) -> dict[str, list[str]]:
    """The public classes that occur more than once, each with its places."""
    places: dict[str, list[str]] = defaultdict(list)
    for name, text in sources.items():
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places[node.name].append(f"{name}:{node.lineno}")
    return {name: found for name, found in places.items() if len(found) > 1}


def _is_ours(file: Path) -> bool:
    """Whether it is imported by the package; programs of single agents run alone in a sandbox."""
    parts = file.relative_to(SOURCE).parts
    return not (parts[:2] == ("mlebench", "agents") and len(parts) > 3)


def test_each_class_name_occurs_once() -> None:
    files = [file for file in sorted(SOURCE.rglob("*.py")) if _is_ours(file)]
    assert len(files) > 300
    sources = {str(file.relative_to(SOURCE)): file.read_text("utf-8") for file in files}
    assert repeated_classes(sources) == {}


def test_a_repeated_class_is_found() -> None:
    one = "class Limits: ...\nclass _Private: ...\n"
    other = "def make():\n    class Limits: ...\nclass _Private: ...\nclass Other: ...\n"
    assert repeated_classes({"a.py": one, "b.py": other}) == {"Limits": ["a.py:1", "b.py:2"]}
