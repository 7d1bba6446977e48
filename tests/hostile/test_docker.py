"""S15, D05: what the docker sandbox counts, blames and claims, on a stand-in container."""

from __future__ import annotations

import ast
import os
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import mlebench.sandbox
from mlebench.sandbox import disk
from mlebench.sandbox.engines.docker_engine import Engine
from mlebench.sandbox.mounts import Mount
from mlebench.sandbox.registry import get_sandbox
from tests.sandbox.conftest import World

docker = pytest.importorskip("docker", reason="the docker package is not installed")

MB = 1 << 20


class Container:
    """A container that runs until its time is over."""

    image = None

    def __init__(self) -> None:
        self.attrs: dict[str, Any] = {"State": {"Running": True, "Pid": 0}, "HostConfig": {}}

    def reload(self) -> None:
        pass


def container_run(place: Path, seconds: float, disk_bytes: int) -> Any:
    from mlebench.sandbox.docker import _ContainerRun

    world = World(place, get_sandbox("process"))
    job = world.job("true", seconds=seconds, disk_bytes=disk_bytes)
    mounts = [Mount(place / "code", "/home/code", writable=True)]
    return _ContainerRun(Container(), job, mounts, Engine("25.0", False, False), has_filter=False)


@pytest.mark.defence("disk-is-summed-once")
def test_many_folders_are_summed_once(tmp_path: Path) -> None:
    """46 MB in 1,500 folders were 160 GB, because running totals were added up."""
    (tmp_path / "code").mkdir()
    for number in range(300):
        folder = tmp_path / "code" / str(number)
        folder.mkdir()
        (folder / "x").write_bytes(bytes(30_000))
    run = container_run(tmp_path, 2, 40 * MB)
    ended_by, reason = run._until_end(time.monotonic(), lambda: False)
    assert ended_by == "time", reason
    assert 9 * MB < run.disk.peak < 20 * MB


def test_a_full_disk_is_seen_and_blamed_on_who_filled_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = container_run(tmp_path, 60, 400 * MB)
    run.disk.reserve = 8 * MB
    monkeypatch.setattr(disk.DiskMeter, "free", lambda self: 1 * MB)
    (tmp_path / "code" / "x").write_bytes(bytes(4 * MB))
    ended_by, reason = run._until_end(time.monotonic(), lambda: False)
    assert ended_by == "disk"
    assert "1,048,576 bytes are free" in reason


def test_no_limit_is_claimed_that_nobody_enforces(tmp_path: Path) -> None:
    run = container_run(tmp_path, 5, 400 * MB)
    run.job = replace(run.job, limits=replace(run.job.limits, memory_bytes=MB, cpus=1))
    how = {name: used.enforced for name, used in run._usage(1.0).items()}
    assert how["wall_seconds"] == "polled"
    assert how["disk_bytes"] == "polled"
    assert how["memory_bytes"] == how["cpus"] == "not", "the engine took no limit on"


def test_nothing_is_ever_copied_out_of_a_container() -> None:
    """The folders are mounted, and the submission is opened without following links: no archive
    of the engine is read, in which a link or a device could arrive."""
    for file in Path(os.fspath(mlebench.sandbox.__file__)).parent.glob("docker*.py"):
        names = {
            n.attr for n in ast.walk(ast.parse(file.read_text())) if isinstance(n, ast.Attribute)
        }
        assert not names & {"get_archive", "put_archive", "export", "commit", "exec_run"}
