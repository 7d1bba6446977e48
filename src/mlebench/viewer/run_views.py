"""The data of the tabs of a run: log, trajectory, tree, files, submission."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import parse_qs

from mlebench.errors import DataError, UsageError
from mlebench.records.run import FINAL
from mlebench.viewer.boards import CompetitionIndex
from mlebench.viewer.folders import describe_submission, list_files, show_file
from mlebench.viewer.index import Index, Place
from mlebench.viewer.lines import Lines
from mlebench.viewer.logs import ERRORS, Search, read_page, read_tail
from mlebench.viewer.places import Absent, opened_file, read_json
from mlebench.viewer.rows import number
from mlebench.viewer.run_page import AGENT_LOG, describe_run, log_names
from mlebench.viewer.steps import Trajectories, outline, read_steps
from mlebench.viewer.text import one_line, show_text

MAX_TREE_BYTES = 32 << 20
MAX_NODES = 5000
NODE_TEXT = 20_000
TREE_CHARACTERS = 1_500_000
"""Limit of all texts of a tree together; the more nodes, the less text of each."""

MAX_NEEDLE = 1000
TREE_WORDS = ("evaluation", "model", "agent")
MAX_FIELDS = 50
STAGES = ("draft", "debug", "improve")


class Query:
    """The query string of a request."""

    def __init__(self, text: str) -> None:
        try:
            self._found = parse_qs(text, keep_blank_values=True, max_num_fields=MAX_FIELDS)
        except ValueError:
            raise UsageError(f"the address has more than {MAX_FIELDS} parameters") from None

    def text(self, name: str, default: str = "") -> str:
        return self._found.get(name, [default])[0]

    def has(self, name: str) -> bool:
        return name in self._found

    def number(self, name: str, default: int) -> int:
        text = self.text(name, str(default))
        if not text.isascii() or not text.isdigit() or len(text) > 15:
            raise UsageError(f"{name} must be a whole number, found {text[:40]!r}")
        return int(text)


class RunViews:
    """Reads the data of the tabs; caches the offsets of lines and steps."""

    def __init__(self, index: Index, competitions: CompetitionIndex, lines: Lines) -> None:
        self.index = index
        self.competitions = competitions
        self.lines = lines
        self.trajectories = Trajectories()
        self.named: dict[str, Callable[[Place, Query], Any]] = {
            "log": self.log,
            "trajectory": self.trajectory,
            "tree": self.tree,
            "files": lambda place, query: list_files(place),
            "file": self.file,
            "submission": self.submission,
        }

    def run(self, place: Place) -> dict[str, Any]:
        return describe_run(self.index, self.competitions, place)

    def log(self, place: Place, query: Query) -> dict[str, Any]:
        """A page of a log, or the numbers of the lines that contain a text."""
        name = query.text("name", AGENT_LOG)
        missing = f"this run has no log {one_line(name, 80)!r}"
        names = log_names(place, name)
        with _replaced(missing), opened_file(place.root, names) as descriptor:
            index = self.lines.of(descriptor)
            facts = {"name": name, "complete": place.row.state in FINAL}
            if query.has("search") or query.has("errors"):
                search = Search(*_needles(query))
                search.run(descriptor)
                hits = {"hits": search.hits, "total_hits": search.total, "total": index.total}
                return facts | hits | {"truncated": search.is_cut}
            if query.has("from"):
                page = read_page(descriptor, index, query.number("from", 0), _count(query, 500))
            else:
                page = read_tail(descriptor, index, query.number("tail", 500))
            return facts | page

    def trajectory(self, place: Place, query: Query) -> dict[str, Any]:
        """Some steps, or the outline of all."""
        names = (*place.names, "host", "trajectory.jsonl")
        missing = "this run has no record of model calls"
        with _replaced(missing), opened_file(place.root, names) as descriptor:
            index = self.trajectories.of(descriptor)
            if query.text("outline") == "1":
                return outline(index)
            host = place.path / "host"
            return read_steps(descriptor, index, host, query.number("from", 0), _count(query, 50))

    def tree(self, place: Place, query: Query) -> dict[str, Any]:
        """The search tree of a `tree` agent; fields with unexpected types are None."""
        try:
            data = read_json(place.root, (*place.names, "logs", "tree.json"), MAX_TREE_BYTES)
        except DataError as error:
            raise Absent(one_line(str(error), 200)) from None
        except Absent:
            raise Absent("this run has no search tree") from None
        nodes = data.get("nodes") if isinstance(data, dict) else None
        if not isinstance(nodes, list):
            raise Absent("tree.json is damaged: it has no list of nodes")
        best = data.get("best")
        limit = min(NODE_TEXT, TREE_CHARACTERS // max(1, 2 * len(nodes[:MAX_NODES])))
        shown = [_node(node, limit) for node in nodes[:MAX_NODES] if isinstance(node, dict)]
        return {
            "schema": 1,
            "lower_is_better": data.get("lower_is_better") is True,
            "best": best if isinstance(best, int) else None,
            **{name: _words(data.get(name), NODE_TEXT) for name in TREE_WORDS},
            "seconds": number(data.get("seconds")),
            "nodes": [node for node in shown if node is not None],
            "truncated": len(nodes) > MAX_NODES,
        }

    def file(self, place: Place, query: Query) -> dict[str, Any]:
        first, count = query.number("from", 0), _count(query, 2000)
        return show_file(place, query.text("path"), self.lines, first, count)

    def submission(self, place: Place, query: Query) -> dict[str, Any]:
        return describe_submission(place, self.competitions.catalogue, self.lines)


@contextmanager
def _replaced(missing: str) -> Iterator[None]:
    """Replace the text of an `Absent`."""
    try:
        yield
    except Absent:
        raise Absent(missing) from None


def _count(query: Query, default: int) -> int:
    return max(1, query.number("count", default))


def _needles(query: Query) -> tuple[tuple[bytes, ...], bool]:
    if not query.has("search"):
        return ERRORS, False
    needle = query.text("search").encode("utf-8", "replace")
    if not 0 < len(needle) <= MAX_NEEDLE:
        raise UsageError(f"a search text has 1 to {MAX_NEEDLE} bytes, found {len(needle):,}")
    return (needle,), query.text("ignore_case") == "1"


def _node(node: dict[str, Any], limit: int) -> dict[str, Any] | None:
    number_of, parent = node.get("id"), node.get("parent")
    if not isinstance(number_of, int):
        return None
    return {
        "id": number_of,
        "parent": parent if isinstance(parent, int) else None,
        "stage": node.get("stage") if node.get("stage") in STAGES else None,
        "code": _words(node.get("code"), limit),
        **{name: _words(node.get(name), limit // 3) for name in ("plan", "output", "problem")},
        "score": number(node.get("score")),
        "seconds": number(node.get("seconds")),
        "created_at": number(node.get("created_at")),
        "debug_depth": number(node.get("debug_depth")),
        "is_good": node.get("is_good") is True,
    }


def _words(value: Any, limit: int) -> str | None:
    """A text, with an ellipsis if its end is left out."""
    if not isinstance(value, str):
        return None
    shown = show_text(value, limit)
    return f"{shown.text} …" if shown.cut else shown.text
