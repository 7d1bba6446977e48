"""Earlier runs of other agents from which a submission may have been copied."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any

from mlebench.integrity.context import OtherRun
from mlebench.integrity.evidence import Evidence
from mlebench.integrity.likeness import (
    Resemblance,
    Sketch,
    find_blend,
    is_comparable,
    misplaced,
    resemblance,
)
from mlebench.integrity.sources import RunSource
from mlebench.results.attempts import grouped
from mlebench.results.identity import AgentIdentity

EARLIEST = datetime(1970, 1, 1, tzinfo=UTC)
LATEST = datetime(9000, 1, 1, tzinfo=UTC)
MAX_EARLIER = 6
MAX_USUAL = 30
"""Other runs that show how alike independent submissions of a competition are."""


def earlier_files(source: RunSource) -> list[Path]:
    """Copies of a run's submission that were made while it ran, the last ones."""
    return Evidence(source).snapshots[-MAX_EARLIER:]


class CopySearch:
    """Compares the submissions of runs with each other; all must have been sketched before."""

    def __init__(
        self, sources: Sequence[RunSource], compared: Mapping[Path, Mapping[str, Any]]
    ) -> None:
        self._compared = compared
        self._neighbours = grouped(sources, lambda s: (s.record.competition_id, s.revision))
        self._sketch = cache(self._sketched)
        self._by_path = {source.folder.path: source for source in sources}
        self._validated = cache(lambda path: _validated(self._by_path[path]))

    def find(self, source: RunSource) -> Iterator[OtherRun]:
        """The runs of which a submission is a copy, or may be one."""
        ours = self._sketch(source.folder.path)
        known = [
            other
            for other in self._neighbours[source.record.competition_id, source.revision]
            if other.identity != source.identity and _began(other) < _ended(source, LATEST)
        ]
        usual = self._usual(source, ours) if ours and known else []
        found = []
        for other in known:
            # Without those of the other run's own agent, whose seeds may be equal.
            counts = [count for agent, count in usual if agent != other.identity]
            found.append((other, self._resemblance(source, other, ours, counts)))
        yield from (_other(other, how) for other, how in found if how)
        if ours is not None and not any(how and how.is_sure for _, how in found):
            yield from self._blended(source, ours, known)

    def _resemblance(
        self, source: RunSource, other: RunSource, ours: Sketch | None, usual: Sequence[int]
    ) -> Resemblance | None:
        digest = source.record.submission.sha256
        # Of a run that had not ended, only the files that it had at that time can be copied.
        has_ended = _ended(other, EARLIEST) <= _began(source)
        if digest and has_ended and digest == other.record.submission.sha256:
            return Resemblance("the same bytes")
        seconds = self._validated(other.folder.path).get(digest or "")
        if seconds is not None and _is_before(other, seconds, source):
            return Resemblance("the same bytes as a file that it had validated")
        if ours is None:
            return None
        theirs = self._sketch(other.folder.path) if has_ended else None
        how = resemblance(ours, theirs, usual) if theirs else None
        if how and how.is_sure:
            return how
        return self._earlier(source, other, ours, usual) or how

    def _earlier(
        self, source: RunSource, other: RunSource, ours: Sketch, usual: Sequence[int]
    ) -> Resemblance | None:
        """Likeness with a file that the other run had while it ran."""
        for name, columns in self._compared.get(other.folder.path, {}).get("earlier", {}).items():
            if columns and _is_before(other, float(Path(name).stem), source):
                how = resemblance(ours, Sketch(columns), usual)
                if how and how.is_sure:
                    return Resemblance(f"{how.reason} (its file {Path(name).name})")
        return None

    def _usual(self, source: RunSource, ours: Sketch) -> list[tuple[AgentIdentity, int]]:
        """Agents of other runs, with the rows that are misplaced in comparison with these runs."""
        beside = [
            (run.identity, sketch)
            for run in self._neighbours[source.record.competition_id, source.revision]
            if run.folder != source.folder
            if (sketch := self._sketch(run.folder.path)) and is_comparable(ours, sketch)
        ]
        step = max(1, len(beside) // MAX_USUAL)
        return [(agent, misplaced(ours, sketch)) for agent, sketch in beside[::step][:MAX_USUAL]]

    def _blended(
        self, source: RunSource, ours: Sketch, known: Sequence[RunSource]
    ) -> Iterator[OtherRun]:
        """The two runs of which a submission is the weighted mean."""
        ended = [other for other in known if _ended(other, EARLIEST) <= _began(source)]
        pairs = [(other, s) for other in ended if (s := self._sketch(other.folder.path))]
        if (blend := find_blend(ours, [sketch for _, sketch in pairs])) is None:
            return
        one, two = (pairs[number][0] for number in blend)
        for other, rest in ((one, two), (two, one)):
            yield _other(other, Resemblance(f"a weighted mean with {rest.record.run_id}"))

    def _sketched(self, path: Path) -> Sketch | None:
        columns = self._compared.get(path, {}).get("sketch")
        return Sketch(columns) if columns else None


def _other(other: RunSource, how: Resemblance) -> OtherRun:
    return OtherRun(
        run_id=other.record.run_id,
        group=other.plan.group,
        agent=" ".join(other.identity),
        likeness=how.reason,
        is_sure=how.is_sure,
    )


def _validated(source: RunSource) -> dict[str, float]:
    """The hashes of the valid files that a run validated, with the seconds since its start."""
    calls = Evidence(source).validations
    return {c.sha256: float(c.elapsed) for c in reversed(calls) if c.valid and c.sha256}


def _is_before(other: RunSource, seconds: float, source: RunSource) -> bool:
    """Whether a file that a run had after these seconds could be copied by another run."""
    return _began(other) + timedelta(seconds=seconds) < _ended(source, LATEST)


def _began(source: RunSource) -> datetime:
    return _time(source.record.started_at, EARLIEST)


def _ended(source: RunSource, default: datetime) -> datetime:
    return _time(source.record.ended_at, default)


def _time(text: str | None, default: datetime) -> datetime:
    if not text:
        return default
    time = datetime.fromisoformat(text)
    return time if time.tzinfo else time.replace(tzinfo=UTC)
