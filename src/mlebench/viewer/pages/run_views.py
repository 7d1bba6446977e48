"""The data of the tabs of a run: log, trajectory, tree, files, submission, similarity."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

from mlebench.errors import UsageError
from mlebench.records.run import FINAL
from mlebench.viewer.boards import CompetitionIndex
from mlebench.viewer.folders import describe_submission, list_files, show_file
from mlebench.viewer.index import Index, Place
from mlebench.viewer.logs import ERRORS, Search, read_page, read_tail
from mlebench.viewer.pages.similarity import describe_similarity
from mlebench.viewer.places import Absent, opened_file
from mlebench.viewer.previews import Readers
from mlebench.viewer.run_page import AGENT_LOG, describe_run, log_names
from mlebench.viewer.steps import Trajectories, outline, read_steps
from mlebench.viewer.text import one_line

MAX_NEEDLE = 1000
MAX_FIELDS = 50


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

    def __init__(
        self,
        index: Index,
        competitions: CompetitionIndex,
        readers: Readers,
        kernels: Path | None = None,
    ) -> None:
        self.kernels = kernels
        self.index = index
        self.competitions = competitions
        self.readers = readers
        self.trajectories = Trajectories(readers.previews)
        self.named: dict[str, Callable[[Place, Query], Any]] = {
            "log": self.log,
            "trajectory": self.trajectory,
            "tree": self.tree,
            "files": lambda place, query: list_files(place),
            "file": self.file,
            "submission": lambda place, query: self.submission(place),
            "similarity": self.similarity,
        }

    def run(self, place: Place) -> dict[str, Any]:
        return describe_run(self.index, self.competitions, place)

    def log(self, place: Place, query: Query) -> dict[str, Any]:
        """A page of a log, or the numbers of the lines that contain a text."""
        name = query.text("name", AGENT_LOG)
        missing = f"this run has no log {one_line(name, 80)!r}"
        names = log_names(place, name)
        with _replaced(missing), opened_file(place.root, names) as descriptor:
            index = self.readers.lines.of(descriptor)
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

    def tree(self, place: Place, query: Query) -> Any:
        """The search tree of a `tree` agent; fields with unexpected types are None."""
        names = (*place.names, "logs", "tree.json")
        with _replaced("this run has no search tree"), opened_file(place.root, names) as descriptor:
            return self.readers.previews.ask("tree", {}, [descriptor])

    def file(self, place: Place, query: Query) -> dict[str, Any]:
        first, count = query.number("from", 0), _count(query, 2000)
        passage = None
        if query.has("offset"):
            passage = query.number("offset", 0), query.number("length", 0)
        return show_file(
            place, query.text("path"), self.readers, first=first, count=count, passage=passage
        )

    def submission(self, place: Place) -> dict[str, Any]:
        return describe_submission(place, self.competitions.catalogue, self.readers)

    def similarity(self, place: Place, query: Query) -> dict[str, Any]:
        number = query.number("match", 0)
        return describe_similarity(place, self.readers.previews, self.kernels, number)


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
