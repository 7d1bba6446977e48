"""Full text over logs and trajectories, bounded in time and hits."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from mlebench.viewer.index import Index, Place
from mlebench.viewer.lines import whole_lines
from mlebench.viewer.logs import Search
from mlebench.viewer.places import Absent, opened_file, pread, walk
from mlebench.viewer.run_page import AGENT_LOG, log_names
from mlebench.viewer.scan import short_names
from mlebench.viewer.steps import EXCHANGE
from mlebench.viewer.text import clean

MAX_HITS = 500
HITS_OF_ONE = 20
SECONDS = 2.0
AROUND = 100
SHORTEST = 2
LISTED = 200
OWN_LOGS = 10
ENDINGS = (".log", ".txt", ".out", ".err")


@dataclass
class FullText:
    """One search, newest groups first."""

    text: str
    hits: list[dict[str, Any]] = field(default_factory=list)
    searched_bytes: int = 0
    truncated: bool = False
    started: float = field(default_factory=time.monotonic)

    def run(self, index: Index) -> dict[str, Any]:
        """All runs, until time or room runs out."""
        if len(self.text) >= SHORTEST:
            for place, key in _places(index):
                if self._left() <= 0 or len(self.hits) >= MAX_HITS:
                    self.truncated = True
                    break
                for name in (AGENT_LOG, *_own_logs(place)):
                    self._search_log(place, key, name)
                self._search_trajectory(place, key)
        return {
            "hits": self.hits[:MAX_HITS],
            "truncated": self.truncated,
            "seconds": round(time.monotonic() - self.started, 3),
            "searched_bytes": self.searched_bytes,
        }

    def _left(self) -> float:
        return SECONDS - (time.monotonic() - self.started)

    def _search_log(self, place: Place, key: str, name: str) -> None:
        needle = self.text.encode("utf-8", "replace")
        try:
            with opened_file(place.root, log_names(place, name)) as descriptor:
                search = Search([needle], limit=HITS_OF_ONE, seconds=max(0.01, self._left()))
                search.run(descriptor)
                self.searched_bytes += os.fstat(descriptor).st_size
                for line, text in _texts(descriptor, needle, search.hits):
                    self._add(place, key, "log", name, line=line, text=text)
        except Absent:
            return
        self.truncated |= search.is_cut

    def _search_trajectory(self, place: Place, key: str) -> None:
        """A message comes again in every later request: only where it is new is a hit."""
        needle = json.dumps(self.text)[1:-1].encode()
        try:
            with opened_file(place.root, [*place.names, "host", "trajectory.jsonl"]) as descriptor:
                size = os.fstat(descriptor).st_size
                self.searched_bytes += size
                for step, text in self._steps(descriptor, size, needle):
                    name = "trajectory.jsonl"
                    self._add(place, key, "trajectory", name, step=step, text=text)
        except Absent:
            return

    def _steps(self, descriptor: int, size: int, needle: bytes) -> Iterator[tuple[int, str]]:
        step, found, was_hit, is_continued = -1, 0, False, False
        for piece, is_whole in whole_lines(descriptor, size):
            if self._left() <= 0 or found >= HITS_OF_ONE:
                self.truncated |= self._left() <= 0
                return
            for line in piece.split(b"\n") if is_whole else [piece]:
                if line.startswith(EXCHANGE) and not is_continued:
                    step += 1
                    place = line.find(needle)
                    if place >= 0 and not was_hit and found < HITS_OF_ONE:
                        found += 1
                        yield step, _around(line, place, len(needle)).replace("\\n", " ")
                    was_hit = place >= 0
                is_continued = False
            is_continued = not is_whole

    def _add(self, place: Place, key: str, where: str, name: str, **more: Any) -> None:
        facts = {"group": place.group.id, "key": key, "competition": place.row.competition}
        self.hits.append(facts | {"seed": place.row.seed, "where": where, "name": name, **more})


def _places(index: Index) -> Iterator[tuple[Place, str]]:
    for group in reversed(index.groups()):
        for number, key in enumerate(short_names(group)):
            if group.rows[number].state != "planned":
                yield Place(group, number, index.root), key


def _own_logs(place: Place) -> list[str]:
    """Logs that the agent wrote itself."""
    entries = walk(place.root, place.names, ("logs",), LISTED)
    return [entry.path for entry in entries if entry.path.endswith(ENDINGS)][:OWN_LOGS]


def _texts(descriptor: int, needle: bytes, lines: list[int]) -> Iterator[tuple[int, str]]:
    """The words around every hit."""
    from mlebench.viewer.lines import LineIndex

    if not lines:
        return
    index = LineIndex(0)
    index.advance(descriptor)
    for line in lines:
        bounds = index.bounds(descriptor, line, 1)
        if len(bounds) == 2:
            data = pread(descriptor, min(bounds[1] - bounds[0], 1 << 20), bounds[0])
            yield line, _around(data.rstrip(b"\r\n"), max(0, data.find(needle)), len(needle))


def _around(data: bytes, place: int, length: int) -> str:
    part = data[max(0, place - AROUND) : place + length + AROUND]
    return clean(part.decode("utf-8", "replace"))
