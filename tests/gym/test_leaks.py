"""What many episodes leave behind, and how it is measured."""

from __future__ import annotations

import gc
import mmap
import os
import subprocess
from collections import Counter
from pathlib import Path

import pytest

from mlebench.gym import GymTask, Info, Run, Submit
from mlebench.gym.bench import Figure, Sizes, run_bench
from mlebench.gym.leaks import count, growth, memory_of_each
from mlebench.sandbox.procfs import start_time
from tests.gym.conftest import Ground
from tests.sandbox.conftest import require_sandbox

SIZE = 64 << 20
SPARE = 8 << 20
"""More than the interpreter takes meanwhile."""


def own() -> int:
    return memory_of_each()[os.getpid(), start_time(os.getpid())]


def test_mapped_files_are_no_growth(tmp_path: Path) -> None:
    """Libraries are mapped files: how much of them a process is charged depends on others."""
    file = tmp_path / "library"
    file.write_bytes(bytes(SIZE))
    before = own()
    with file.open("rb") as stream:
        mapped = mmap.mmap(stream.fileno(), 0, prot=mmap.PROT_READ)
    assert sum(mapped[:: mmap.PAGESIZE]) == 0  # every page is read
    assert own() - before < SPARE
    held = bytearray(b"x") * SIZE
    assert SIZE <= own() - before < SIZE + SPARE
    del held


def test_growth_of_processes_that_were_there_all_the_time() -> None:
    before = {(1, 5): 100, (2, 6): 10, (3, 7): 5, (4, 8): 0}
    now = {(1, 5): 110, (2, 9): 50, (3, 7): 5, (4, 8): 7, (5, 9): 1}
    assert growth(before, now) == pytest.approx({1: 0.1, 3: 0.0})


def test_a_mount_of_a_sandbox_is_counted_and_no_other(tmp_path: Path) -> None:
    def mounts(target: Path) -> int:
        target.mkdir()
        before = count()
        if subprocess.run(["mount", "-t", "tmpfs", "none", str(target)]).returncode:
            pytest.skip("nothing can be mounted here")
        try:
            return count().above(before).get("mounts", 0)
        finally:
            subprocess.run(["umount", str(target)], check=True)

    assert mounts(tmp_path / "mlebench-gym-x") == 1
    assert mounts(tmp_path / "disk") == 0


def kinds() -> Counter[str]:
    gc.collect()
    return Counter(type(found).__name__ for found in gc.get_objects())


@pytest.mark.long
def test_closed_episodes_leave_nothing(warm: Ground, task: GymTask) -> None:
    """Not one object for each episode, in no process."""
    episodes = 15
    actions = (Info(), Run(command="true"), Submit())

    def play() -> None:
        for _ in range(episodes):
            warm.play(task, *actions)

    play()
    kinds()  # what the first look itself makes
    play()
    before = kinds()
    play()
    grown = kinds() - before
    assert {kind: more for kind, more in grown.items() if more >= episodes} == {}


@pytest.mark.long
@pytest.mark.timeout(1800)
def test_the_benchmark_has_the_measures_of_the_specification() -> None:
    require_sandbox("bubblewrap")
    before = count()
    seen: list[Figure] = []
    sizes = Sizes(
        cold_resets=1,
        resets=4,
        runs=4,
        trivial_steps=40,
        submits=2,
        idle=3,
        active=4,
        episodes=4,
        leak_episodes=40,
        stand_in_steps=5,
    )
    assert run_bench(sizes, seen.append) == seen
    values = {figure.name: figure.value for figure in seen}
    measured = (
        "cold reset, p50",
        "warm reset, p50",
        "warm reset, p99",
        "trivial steps",
        "trivial step, p99",
        "run of an empty program, p50",
        "runs of empty programs at once",
        "submit of 10,000 rows, p50",
        "memory of an idle episode (PSS)",
        "5-step episodes",
        "stand-in: run that imports what ours has imported, p50",
        "stand-in: 5-step episodes",
    )
    assert all(values[name] > 0 for name in measured)
    assert (values["idle episodes"], values["active episodes"]) == (3, 4)
    assert values["5-step episodes with equal results"] == 4
    assert values["stand-in: answers readable"] == 1
    assert {v for name, v in values.items() if name.startswith("leaked")} == {0}
    assert values["memory growth of the policy process"] < 5
    assert values["memory growth of other processes, largest"] < 5
    assert count().above(before) == {}
