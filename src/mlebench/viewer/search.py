"""Full-text search in logs and trajectories, with limits of time and hits."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from mlebench.records.trajectory import EXCHANGE_START
from mlebench.viewer.index import Index
from mlebench.viewer.lines import LineIndex, StillReading, whole_lines
from mlebench.viewer.logs import Search
from mlebench.viewer.places import Absent, opened_file, opened_folder, pread, split_path, walk
from mlebench.viewer.run_page import AGENT_LOG
from mlebench.viewer.scan import Group, short_names
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
    """One search; newest groups first."""

    text: str
    hits: list[dict[str, Any]] = field(default_factory=list)
    searched_bytes: int = 0
    truncated: bool = False
    started: float = field(default_factory=time.monotonic)

    def run(self, index: Index) -> dict[str, Any]:
        """Search all runs until a limit is reached."""
        if len(self.text) >= SHORTEST:
            for group in reversed(index.groups()):
                with suppress(Absent), opened_folder(index.root, [group.id]) as folder:
                    self._search_group(group, folder)
        return {
            "hits": self.hits[:MAX_HITS],
            "truncated": self.truncated,
            "seconds": round(time.monotonic() - self.started, 3),
            "searched_bytes": self.searched_bytes,
        }

    def _search_group(self, group: Group, folder: int) -> None:
        for key, row in zip(short_names(group), group.rows, strict=True):
            if self._left() <= 0 or len(self.hits) >= MAX_HITS:
                self.truncated = True
                return
            if row.state == "planned":
                continue
            facts = {"group": group.id, "key": key, "seed": row.seed}
            facts |= {"competition": row.competition}
            with suppress(Absent), opened_folder(folder, [row.run_id]) as run:
                self._search_log(run, ("host", AGENT_LOG), facts | {"name": AGENT_LOG})
                for name in _own_logs(run):
                    self._search_log(run, split_path(name), facts | {"name": name})
                self._search_trajectory(run, facts | {"name": "trajectory.jsonl"})

    def _left(self) -> float:
        return SECONDS - (time.monotonic() - self.started)

    def _search_log(self, run: int, names: tuple[str, ...], facts: dict[str, Any]) -> None:
        needle = self.text.encode("utf-8", "replace")
        with suppress(Absent), opened_file(run, names) as descriptor:
            search = Search([needle], limit=HITS_OF_ONE, seconds=max(0.01, self._left()))
            search.run(descriptor)
            self.truncated |= search.is_cut
            self.searched_bytes += os.fstat(descriptor).st_size
            for line, text in _texts(descriptor, needle, search.hits):
                self.hits.append(facts | {"where": "log", "line": line, "text": text})

    def _search_trajectory(self, run: int, facts: dict[str, Any]) -> None:
        """Requests repeat earlier messages: consecutive steps with the text are one hit."""
        needle = json.dumps(self.text)[1:-1].encode()
        names = ("host", "trajectory.jsonl")
        with suppress(Absent), opened_file(run, names) as descriptor:
            size = os.fstat(descriptor).st_size
            self.searched_bytes += size
            for step, text in self._steps(descriptor, size, needle):
                self.hits.append(facts | {"where": "trajectory", "step": step, "text": text})

    def _steps(self, descriptor: int, size: int, needle: bytes) -> Iterator[tuple[int, str]]:
        step, found, was_hit, is_continued = -1, 0, False, False
        for piece, is_whole in whole_lines(descriptor, size):
            if self._left() <= 0 or found >= HITS_OF_ONE:
                self.truncated |= self._left() <= 0
                return
            for line in piece.split(b"\n") if is_whole else [piece]:
                if line.startswith(EXCHANGE_START) and not is_continued:
                    step += 1
                    place = line.find(needle)
                    if place >= 0 and not was_hit and found < HITS_OF_ONE:
                        found += 1
                        yield step, _around(line, place, len(needle)).replace("\\n", " ")
                    was_hit = place >= 0
                is_continued = False
            is_continued = not is_whole


def _own_logs(run: int) -> list[str]:
    """The first logs that the agent itself wrote."""
    entries = walk(run, (), ("logs",), LISTED)
    return [entry.path for entry in entries if entry.path.endswith(ENDINGS)][:OWN_LOGS]


def _texts(descriptor: int, needle: bytes, lines: list[int]) -> Iterator[tuple[int, str]]:
    """The lines with hits, and the text around each hit."""
    if not lines:
        return
    index = LineIndex()
    try:
        index.advance(descriptor)
    except StillReading:  # gigabytes: only the numbers of the lines
        yield from ((line, "") for line in lines)
        return
    for line in lines:
        bounds = index.bounds(descriptor, line, 1)
        if len(bounds) == 2:
            data = pread(descriptor, min(bounds[1] - bounds[0], 1 << 20), bounds[0])
            yield line, _around(data.rstrip(b"\r\n"), max(0, data.find(needle)), len(needle))


def _around(data: bytes, place: int, length: int) -> str:
    part = data[max(0, place - AROUND) : place + length + AROUND]
    return clean(part.decode("utf-8", "replace"))
