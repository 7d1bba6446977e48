"""Workspaces over any sandbox of `mlebench.sandbox`: one start of the sandbox for each run.

Slower than `warm.py`, but works where bubblewrap does not: with Docker, Apptainer, or the sandbox
`process`, which isolates nothing and is for trials only.
"""

from __future__ import annotations

import asyncio
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import get_args

from mlebench.gym.files import FOLDER, FilesBelowHome, PathRefused, open_file, split_path
from mlebench.gym.limits import EpisodeLimits
from mlebench.gym.tasks import GymTask
from mlebench.gym.workspace import EpisodeProgram, HeadAndTail, Ran, RunEnd, WorkspaceLost
from mlebench.sandbox.base import Job, Outcome, Sandbox
from mlebench.sandbox.bubblewrap import uid_for
from mlebench.sandbox.mounts import WRITABLE, scratch_job
from mlebench.sandbox.process import WARNING
from mlebench.sandbox.registry import get_sandbox
from mlebench.system.trees import remove_tree

PROGRAM = "/home/agent/.program.py"
ENDS: dict[str, RunEnd] = {end: end for end in get_args(RunEnd)}


class PlainSource:
    """Makes workspaces over one kind of sandbox.

    Args:
        packages: a folder of Python libraries for the programs.
    """

    def __init__(self, sandbox: str, packages: Path | None) -> None:
        self._sandbox = get_sandbox(sandbox)
        self._packages = packages

    async def open(self, task: GymTask, limits: EpisodeLimits) -> PlainWorkspace:
        """See `WorkspaceSource.open`."""
        return PlainWorkspace(task, limits, self._sandbox, self._packages)

    async def close(self) -> None:
        """Each workspace is closed by its episode."""


class PlainWorkspace(FilesBelowHome):
    """Folders on the host, and a sandbox that sees them during each run."""

    def __init__(
        self, task: GymTask, limits: EpisodeLimits, sandbox: Sandbox, packages: Path | None
    ) -> None:
        self.sandbox = sandbox.name
        self._kind = sandbox
        self._place = Path(tempfile.mkdtemp(prefix="mlebench-gym-"))
        self._place.chmod(0o755)
        self._job = _make_job(self._place, task, limits, packages)
        is_handed_over = os.geteuid() == 0 and sandbox.name == "bubblewrap"
        self._owner = uid_for(self._job.run_id) if is_handed_over else None

    async def run(self, program: EpisodeProgram) -> Ran:
        """See `Workspace.run`."""
        if program.code is not None:
            self.write(PROGRAM, self._on_host(program.code).encode("utf-8", "replace"))
            command = ["python3", PROGRAM]
        else:
            command = ["sh", "-c", program.command or ""]
        environment = {**self._job.environment, "MLEBENCH_SEED": str(program.seed)}
        limits = replace(self._job.limits, wall_seconds=program.seconds)
        job = replace(self._job, command=command, limits=limits, environment=environment)
        outcome = await asyncio.to_thread(self._kind.run, job)
        if outcome.ended_by not in ENDS:
            raise WorkspaceLost(f"the sandbox ended: {outcome.reason}")
        output = self._output(job.log)
        return Ran(ENDS[outcome.ended_by], outcome.exit_code, output, _processor_seconds(outcome))

    def _on_host(self, code: str) -> str:
        """Without isolation there is no /home of the agent: the code gets the paths of the host."""
        if self._kind.isolation != "none":
            return code
        for name in ("data", *WRITABLE):
            source = self._job.folders.public if name == "data" else self._place / name
            code = code.replace(f"/home/{name}", str(source))
        return code

    def _output(self, log: Path) -> bytes:
        kept = HeadAndTail()
        with log.open("rb") as stream:
            while part := stream.read(1 << 20):
                kept.add(part)
        return kept.content().removeprefix(f"{WARNING}\n".encode())

    async def close(self) -> None:
        """See `Workspace.close`."""
        await asyncio.to_thread(remove_tree, self._place)

    @contextmanager
    def _open(self, path: str, flags: int = os.O_RDONLY) -> Iterator[int]:
        names = split_path(path)
        place = self._place / names[0]
        if names[0] == "data":
            place = self._job.folders.public
        elif names[0] not in WRITABLE:
            raise PathRefused(f"{path}: /home contains data, {', '.join(WRITABLE)}")
        try:
            folder = os.open(place, FOLDER)
        except OSError:
            raise PathRefused(f"/home/{names[0]} is gone or a symbolic link") from None
        try:
            with open_file(folder, names[1:], flags, owner=self._owner) as file:
                yield file
        finally:
            os.close(folder)


def _make_job(place: Path, task: GymTask, limits: EpisodeLimits, packages: Path | None) -> Job:
    job = scratch_job(place, [], limits.resources())
    return replace(
        job,
        folders=replace(job.folders, public=task.competition.public_dir),
        packages=packages,
        secrets=task.secrets,
        environment={"PYTHONHASHSEED": "0", "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"},
    )


def _processor_seconds(outcome: Outcome) -> float:
    used = outcome.usage["cpus"].used
    return round((used or 0.0) * outcome.seconds, 3)
