"""The frame itself: an honest agent passes, and a test that shows nothing is found out."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from mlebench.runner import run
from mlebench.system.trees import remove_tree, walk_tree
from tests.hostile.arena import SAMPLE, Arena
from tests.hostile.switches import SWITCHES, load, without


def test_an_honest_agent_keeps_the_invariant(arena: Arena) -> None:
    fight = arena.fight(arena.agent(SAMPLE))
    fight.assert_invariant()
    assert fight.record.score is not None


def test_a_process_that_outlives_its_run_is_found(arena: Arena) -> None:
    fight = arena.fight(arena.agent(SAMPLE))
    left = [sys.executable, "-c", "print(flush=True); input()", arena.mark]
    with subprocess.Popen(left, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        assert child.stdout and child.stdout.readline(), "it has started"
        with pytest.raises(AssertionError, match="outlived"):
            fight.assert_invariant()
    fight.assert_invariant()


@pytest.mark.defence("frame")
def test_a_switch_removes_its_defence_and_the_test_must_fail() -> None:
    assert run.MAX_ATTEMPTS == 3


def test_a_switch_reaches_other_processes(arena: Arena) -> None:
    code = "import mlebench.runner.run as r; print(r.MAX_ATTEMPTS)"
    with without("frame"):
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout == "17\n", done.stderr


def test_every_switch_replaces_something_that_exists() -> None:
    load()
    for name in SWITCHES:
        with without(name):
            pass


def test_folders_of_any_depth_are_removed(place: Path) -> None:
    top = place / "deep"
    top.mkdir()
    folder = os.open(top, os.O_RDONLY)
    for _ in range(1200):
        os.mkdir("d" * 100, dir_fd=folder)
        below = os.open("d" * 100, os.O_RDONLY, dir_fd=folder)
        os.close(folder)
        folder = below
    os.close(os.open("last", os.O_CREAT | os.O_WRONLY, 0o600, dir_fd=folder))
    os.close(folder)
    (top / "link").symlink_to(place)
    assert sum(found is not None for found in walk_tree(top)) == 1202
    assert remove_tree(top)
    assert not top.exists()
    assert place.exists()
