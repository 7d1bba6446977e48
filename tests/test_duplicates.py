"""No two functions of the source share ten identical lines in a row."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

SOURCE = Path(__file__).parents[1] / "src"
RUN = 10
Function = ast.FunctionDef | ast.AsyncFunctionDef


def shared_runs(sources: dict[str, str], run: int = RUN) -> list[tuple[str, str]]:
    """Pairs of functions, as `file:line`, that share `run` lines in a row.

    Indentation, blank lines, comments, docstrings, imports and lines of mere brackets do not count.
    """
    places: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for name, text in sources.items():
        lines = text.splitlines()
        for function in _functions(ast.parse(text)):
            kept = list(_statement_lines(function, lines))
            for start in range(len(kept) - run + 1):
                window = tuple(line for _, line in kept[start : start + run])
                place = f"{name}:{function.lineno} {function.name}"
                if place not in places[window]:
                    places[window].append(place)
    return sorted({(found[0], other) for found in places.values() for other in found[1:]})


def _functions(tree: ast.AST) -> Iterator[Function]:
    """Every function that is not inside another one, whose lines already count there."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, Function):
            yield node
        else:
            yield from _functions(node)


def _statement_lines(function: Function, lines: list[str]) -> Iterator[tuple[int, str]]:
    skipped: set[int] = set()
    for node in ast.walk(function):
        is_text = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if is_text or isinstance(node, ast.Import | ast.ImportFrom):
            skipped |= set(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    for number in range(function.lineno, (function.end_lineno or function.lineno) + 1):
        line = " ".join(lines[number - 1].split())
        if number not in skipped and any(map(str.isalnum, line)) and not line.startswith("#"):
            yield number, line


def test_no_two_functions_share_ten_lines() -> None:
    files = sorted(SOURCE.rglob("*.py"))
    assert len(files) > 300
    sources = {str(file.relative_to(SOURCE)): file.read_text("utf-8") for file in files}
    assert shared_runs(sources) == []


def test_a_copied_function_is_found() -> None:
    body = "".join(f"    step_{number}()\n" for number in range(RUN - 1))
    one = f"def one():\n    '''Docs.'''\n    import this\n{body}    return 1\n"
    inner = body.replace("    step", "        # why\n        step")
    other = f"class It:\n    def other(self):\n{inner}        return 1\n"
    different = f"def different():\n{body}    return 2\n"
    found = shared_runs({"a.py": one, "b.py": other, "c.py": different})
    assert found == [("a.py:1 one", "b.py:2 other")]
