"""The runs to check: groups, folders of groups, or single runs, with their plans."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from mlebench.errors import DataError, UsageError
from mlebench.records.folders import GroupFolder, RunFolder
from mlebench.records.group import GroupRecord, read_group
from mlebench.records.run import RunRecord, read_run
from mlebench.results.identity import AgentIdentity, identity_of


@dataclass(frozen=True)
class RunSource:
    """A run with the plan that it belongs to."""

    folder: RunFolder
    group: GroupFolder
    plan: GroupRecord
    record: RunRecord

    @property
    def revision(self) -> str:
        return self.plan.settings.revision

    @property
    def identity(self) -> AgentIdentity:
        """Runs of one identity may resemble each other: they are seeds of one agent."""
        return identity_of(self.plan)


def find_runs(paths: Sequence[Path]) -> list[RunSource]:
    """Every run that has ended, below groups, folders of groups and run folders.

    Raises UsageError if there is none.
    """
    found: dict[Path, RunSource] = {}
    for path in paths:
        for source in _below(path.resolve()):
            found.setdefault(source.folder.path, source)
    if not found:
        raise UsageError(f"no runs that have ended in {', '.join(map(str, paths))}")
    return list(found.values())


def _below(path: Path) -> Iterator[RunSource]:
    if (path / "run.json").is_file():
        yield from _of_group(GroupFolder(path.parent), [path.name])
    elif (path / "metadata.json").is_file():
        yield from _of_group(GroupFolder(path))
    elif groups := sorted(file.parent for file in path.glob("*/metadata.json")):
        for group in groups:
            yield from _of_group(GroupFolder(group))
    else:
        raise UsageError(f"{path} is neither a run nor a group nor a folder of groups")


def _of_group(group: GroupFolder, only: Iterable[str] = ()) -> Iterator[RunSource]:
    plan = read_group(group.metadata)
    wanted = set(only)
    for planned in plan.runs:
        if wanted and planned.run_id not in wanted:
            continue
        folder = group.run(planned.run_id)
        try:
            record = read_run(folder.state)
        except DataError:
            continue
        if record.is_final and record.state != "cancelled":
            yield RunSource(folder, group, plan, record)
