"""The index of a runs folder: all groups and runs by column, or those changed since a version."""

from __future__ import annotations

import difflib
import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from threading import Lock
from typing import Any
from uuid import uuid4

from mlebench.errors import UsageError
from mlebench.viewer.boards import CompetitionIndex
from mlebench.viewer.rows import Row
from mlebench.viewer.scan import Group, describe, find_groups, name_agents, read_group, short_names
from mlebench.viewer.store import index_file, load_groups, save_groups

SCHEMA = 1
LEAST_SECONDS = 0.5
SHARE = 10
"""Scans take at most 1/SHARE of the time, however slow the disk is."""

SAVE_SECONDS = 30.0
MAX_REASONS = 5000
MOST_NAMES = 2000
COPIED = ("seed", "state", "score", "rank", "seconds", "started", "cost", "tokens", "validations")
"""Fields of a row that are sent unchanged."""


class NotFoundError(UsageError):
    """There is no such group or run; the text suggests similar names."""

    kind = "absent"


def nearest(name: str, known: Sequence[str]) -> str:
    """The end of an error message: up to three similar names."""
    found = difflib.get_close_matches(name[:200], known[-MOST_NAMES:], n=3, cutoff=0.5)
    return f"; similar: {', '.join(found)}" if found else ""


@dataclass(frozen=True)
class Place:
    """A run of the index."""

    group: Group
    number: int
    root: Path

    @property
    def row(self) -> Row:
        return self.group.rows[self.number]

    @property
    def names(self) -> tuple[str, str]:
        """The path of its folder below the root."""
        return self.group.id, self.row.run_id

    @property
    def path(self) -> Path:
        return self.root.joinpath(*self.names)


class Index:
    """The data of the first page, kept up to date."""

    def __init__(
        self,
        root: Path,
        competitions: CompetitionIndex,
        cache_dir: Path,
        *,
        only: str | None = None,
    ) -> None:
        self.root = root
        self.competitions = competitions
        self.only = only
        self._file = index_file(cache_dir, root / only if only else root)
        self._lock = Lock()
        self._groups: dict[str, Group] = load_groups(self._file)
        self._order: list[str] = []
        self._changed: dict[str, int] = {}
        """The version in which each group changed last."""

        self._start = uuid4().hex[:8]
        self._number = 0
        self._is_scanned = False
        self._is_saved = True
        self._saved_at = 0.0
        self._scanned_at = -1e9
        self._scan_seconds = 0.0
        self._whole: tuple[str, dict[str, Any]] | None = None
        self._competitions: dict[str, int] = {}
        self._reasons: dict[str, int] = {}
        """The number of each text that columns refer to; it never changes."""

        self._rows_sent: dict[str, list[tuple[int, Row]]] = {}
        self.updated_at = ""

    @property
    def version(self) -> str:
        return f"{self._start}-{self._number}"

    def refresh(self, *, is_forced: bool = False) -> str:
        """Scan the folder unless that was done a moment ago; returns the version."""
        with self._lock:
            rest = max(LEAST_SECONDS, SHARE * self._scan_seconds)
            if is_forced or time.monotonic() - self._scanned_at >= rest:
                start = time.monotonic()
                self._scan()
                self._scan_seconds = time.monotonic() - start
                self._scanned_at = time.monotonic()
            if not self._is_saved and time.monotonic() - self._saved_at > SAVE_SECONDS:
                self._save()
            return self.version

    def close(self) -> None:
        """Save the index for the next start."""
        with self._lock:
            if not self._is_saved:
                self._save()

    def _save(self) -> None:
        save_groups(self._groups.values(), self._file)
        self._is_saved, self._saved_at = True, time.monotonic()

    def _scan(self) -> None:
        found: dict[str, Group] = {}
        changed = []
        for name in find_groups(self.root, self.only):
            known = self._groups.get(name)
            group = read_group(self.root, name, known, self.competitions.splits)
            if group is None:
                continue
            found[name] = group
            if group is not known:
                changed.append(name)
                self._is_saved = False
            elif not self._is_scanned:
                changed.append(name)
        self._is_saved = self._is_saved and len(found) == len(self._groups)
        gone = [name for name in self._order if name not in found]
        self._groups = found
        changed += [name for name in name_agents(found.values()) if name not in changed]
        self._note(changed, gone)
        self._is_scanned = True

    def _note(self, changed: Sequence[str], gone: Sequence[str]) -> None:
        if not changed and not gone and self._is_scanned:
            return
        self._number += 1
        if gone or any(self._has_moved(name) for name in changed):
            # The numbers of rows have changed: pages must load all of them again.
            self._start, self._order = uuid4().hex[:8], []
        self._order += [name for name in self._groups if name not in self._order]
        for name in changed:
            self._changed[name] = self._number
            before = dict(enumerate(self._rows_sent.get(name, ())))
            self._rows_sent[name] = [
                before[k] if k in before and before[k][1] is row else (self._number, row)
                for k, row in enumerate(self._groups[name].rows)
            ]
        self.updated_at = datetime.now(UTC).isoformat(timespec="seconds")

    def _has_moved(self, name: str) -> bool:
        before = self._rows_sent.get(name)
        return before is not None and len(before) != len(self._groups[name].rows)

    def as_json(self, since: str | None = None) -> dict[str, Any]:
        """The whole index, or the changes since a version of this process."""
        with self._lock:
            start, _, number = (since or "").partition("-")
            if start == self._start and number.isdigit():
                return self._part(int(number))
            if self._whole is None or self._whole[0] != self.version:
                self._whole = (self.version, self._part(None))
            return self._whole[1]

    def _part(self, since: int | None) -> dict[str, Any]:
        groups, rows, at, position = [], [], [], 0
        for place, name in enumerate(self._order):
            group = self._groups[name]
            if since is None or self._changed[name] > since:
                groups.append(describe(group))
                keys = short_names(group)
                for k, (number, row) in enumerate(self._rows_sent[name]):
                    if since is None or number > since:
                        rows.append((place, keys[k], row))
                        at.append(position + k)
            position += len(group.rows)
        runs = self._columns(rows)
        if since is not None:
            runs["at"] = at
        return {
            "schema": SCHEMA,
            "version": self.version,
            "root": str(self.root),
            "updated_at": self.updated_at,
            "replaces": since is None,
            "groups": groups,
            "competitions": [self.competitions.describe(i) for i in self._competitions],
            "reasons": list(self._reasons),
            "runs": runs,
        }

    def _columns(self, rows: Sequence[tuple[int, str, Row]]) -> dict[str, Any]:
        return {
            "group": [place for place, _, _ in rows],
            "competition": [_place(row.competition, self._competitions) for _, _, row in rows],
            "key": [key for _, key, _ in rows],
            "outcome": "".join(row.outcome for _, _, row in rows),
            "synthetic": [int(self._is_synthetic(place, row)) for place, _, row in rows],
            "uncertain": [int("U" in row.flags) for _, _, row in rows],
            "reason": [self._reason(row.reason) for _, _, row in rows],
            **{name: [getattr(row, name) for _, _, row in rows] for name in COPIED},
        }

    def _is_synthetic(self, place: int, row: Row) -> bool:
        return "R" in row.flags or self._groups[self._order[place]].facts["is_rehearsal"]

    def _reason(self, reason: str) -> int:
        if not reason:
            return -1
        if len(self._reasons) >= MAX_REASONS and reason not in self._reasons:
            reason = "another reason"
        return _place(reason, self._reasons)

    def groups(self) -> list[Group]:
        """All groups in the order of their rows."""
        with self._lock:
            return [self._groups[name] for name in self._order]

    def group(self, name: str) -> Group:
        """A group by its folder's name."""
        groups = self._groups
        if name not in groups:
            raise NotFoundError(f"there is no group {name[:200]!r}{nearest(name, list(groups))}")
        return groups[name]

    def run(self, group_name: str, key: str) -> Place:
        """A run by its short or whole name."""
        group = self.group(group_name)
        if key not in group.keys:
            names = nearest(key, short_names(group))
            raise NotFoundError(f"there is no run {key[:200]!r} in group {group.id!r}{names}")
        return Place(group, group.keys[key], self.root)

    def row_numbers(self, competition_id: str) -> list[int]:
        """The numbers of the rows of a competition."""
        rows = (row for group in self.groups() for row in group.rows)
        return [k for k, row in enumerate(rows) if row.competition == competition_id]


def _place(name: str, known: dict[str, int]) -> int:
    """The number of a name, the next one if it is new."""
    return known.setdefault(name, len(known))
