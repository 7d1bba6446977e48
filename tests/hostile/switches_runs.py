"""Switches for the defences of sandboxes and runs."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Any

from msgspec import structs

from mlebench.records.run import read_run, write_run
from mlebench.sandbox.gpus import leased_gpus
from tests.hostile.switches import switch


def _remove_recursively(path: Path) -> bool:
    shutil.rmtree(path)
    return True


def _files_by_name(folder: Path, excluded: object = ()) -> Any:
    """As it was: only names tell what stays out."""
    for home, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if name not in ("data", "runs")]
        yield from (Path(home) / name for name in names)


def _nothing(*args: object, **kwargs: object) -> None:
    return None


def _nothing_held(self: object, devices: object) -> dict[Any, Any]:
    return {}


def _no_excess(self: object, found: Any) -> Any:
    return found


def _plain_walk(path: Path, *, is_unlocked: bool = False) -> Any:
    for home, folders, names in os.walk(path):
        for name in folders + names:
            yield (Path(home) / name).lstat()


switch("trees-of-any-depth", **{"mlebench.runner.folders:remove_tree": _remove_recursively})
switch(
    "secrets-stay-out",
    **{
        "mlebench.agents.commands:program_files": _files_by_name,
        "mlebench.agents.base:program_files": _files_by_name,
        "mlebench.runner.group:find_answers": _nothing,
    },
)
switch("answers-by-content", **{"mlebench.runner.group:find_answers": _nothing})
switch("unlinked-files-count", **{"mlebench.sandbox.held_files:HeldFiles.on": _nothing_held})
switch(
    "blame-by-release",
    **{
        "mlebench.sandbox.held_files:HeldFiles.on": _nothing_held,
        "mlebench.sandbox.disk:DiskMeter.settle": _no_excess,
    },
)
switch(
    "hidden-folders-count",
    **{
        "mlebench.sandbox.disk:walk_tree": _plain_walk,
        "mlebench.sandbox.disk:DiskMeter.settle": _no_excess,
    },
)
switch("memory-files-count", **{"mlebench.sandbox.memory:MemoryMeter._unmapped": lambda s, m: 0})
switch("folders-are-emptied", **{"mlebench.runner.run:empty_folders": _nothing})
switch(
    "pid-namespace",
    **{
        "mlebench.sandbox.process:_namespace_options": lambda job: [],
        "mlebench.sandbox.process:make_cgroup": _nothing,
    },
)
switch(
    "climb-control-groups",
    **{"mlebench.sandbox.cgroups:_ancestors": lambda own, mount: [own]},
)


def _advance_anyway(self: Any, record: Any, **changes: Any) -> Any:
    record = structs.replace(record, **changes)
    write_run(record, self.run.state)
    return record


def _complete_or_raise(self: Any) -> Any:
    record = self.recover(read_run(self.run.state))
    while not record.is_final:
        record = self.step(record)
    return record


switch("late-writers-are-fenced", **{"mlebench.runner.run:Execution._advance": _advance_anyway})
switch("errors-end-one-run", **{"mlebench.runner.run:Execution.complete": _complete_or_raise})
switch("limits-are-required", **{"mlebench.runner.group:require_enforced": _nothing})
switch(
    "gpus-are-waited-for",
    **{
        "mlebench.runner.run:leased_gpus": lambda wanted, goes_on: leased_gpus(wanted),
        "mlebench.runner.run:GpusBusyError": ZeroDivisionError,
    },
)


def _add_running_totals(self: Any, seconds: float) -> None:
    self.peak += sum(self._measure())


switch("disk-is-summed-once", **{"mlebench.sandbox.disk:DiskMeter._advance": _add_running_totals})
