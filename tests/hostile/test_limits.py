"""Limits come from the kernel or are not claimed; GPUs are waited for."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from mlebench.catalogue import Catalogue
from mlebench.errors import UsageError
from mlebench.runner.workspace.own_disk import why_no_disk
from mlebench.sandbox import bubblewrap, scopes
from mlebench.sandbox.base import ResourceLimits
from mlebench.sandbox.cgroups import make_cgroup
from mlebench.sandbox.registry import get_sandbox
from tests.hostile.arena import COMPETITION, SAMPLE, Arena
from tests.sandbox.conftest import World, require_sandbox
from tests.sandbox.test_cgroups import LIMITS, _own, _tree

MB = 1 << 20
FILL = """
import shutil
shutil.copy(HOME_FOLDERS["data"] + "/sample_submission.csv",
            HOME_FOLDERS["submission"] + "/submission.csv")
try:
    with open(HOME_FOLDERS["code"] + "/fill", "wb", buffering=0) as file:
        for _ in range(200): file.write(bytes(1 << 20))
except OSError as error:
    print("STOPPED", error.strerror, flush=True)
"""


def has_kernel_limits() -> bool:
    """Whether this machine lets us make control groups with all limits."""
    group = make_cgroup(f"mlebench-test-{os.getpid()}", LIMITS)
    if group is not None:
        group.remove()
    return group is not None and len(group.controllers) == 3


def test_required_limits_are_enforced_by_the_kernel(arena: Arena) -> None:
    if reason := why_no_disk():
        pytest.skip(reason)
    if not has_kernel_limits():
        pytest.skip("no control group with all limits can be made here")
    limits = {"disk_bytes": 40 * MB, "memory_bytes": 400 * MB, "cpus": 1, "processes": 100}
    fight = arena.fight(arena.python(FILL), require_limits=True, **limits)
    fight.assert_invariant()
    assert "STOPPED No space left on device" in fight.log()
    for name in ("disk_bytes", "memory_bytes", "cpus", "processes"):
        assert fight.record.usage[name].enforced == "kernel", name
    assert fight.used("disk_bytes") <= 40 * MB
    assert fight.record.score is not None
    assert fight.group.plan.enforced["disk_bytes"] == "kernel"


@pytest.mark.defence("limits-are-required")
def test_a_limit_that_the_kernel_would_not_enforce_is_no_start(
    place: Path, prepared: Catalogue, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bubblewrap, "try_controllers", lambda limits: ("memory",))
    arena = Arena(get_sandbox("bubblewrap"), place, prepared)
    agent = arena.agent(SAMPLE)
    with pytest.raises(UsageError, match=r"the kernel would not enforce cpus \(not\)"):
        arena.plan(agent, require_limits=True)
    group, _ = arena.plan(agent)
    assert group.plan.enforced["cpus"] == "not"
    assert group.plan.enforced["memory_bytes"] == "kernel"


def test_the_plan_and_the_record_say_how_each_limit_is_enforced(arena: Arena) -> None:
    fight = arena.fight(arena.agent(SAMPLE))
    planned = fight.group.plan.enforced
    assert {name: used.enforced for name, used in fight.record.usage.items()} == planned


@pytest.mark.defence("climb-control-groups")
def test_limits_are_enforced_from_a_group_without_controllers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Root in a group that offers memory alone: nothing was enforced by the kernel."""
    _own(monkeypatch, **{"": "/api/session"})
    everything = "cpuset cpu io memory pids"
    _tree(tmp_path, {"api/session": ("memory", ""), "api": (everything, "memory")})
    _tree(tmp_path, {".": (everything, everything)})
    group = make_cgroup("run", LIMITS, tmp_path)
    assert group is not None
    assert group.controllers == ("memory", "pids", "cpu")
    assert group.folders == (tmp_path / "run",)


SYSTEMD_RUN = """#!/bin/sh
echo "$@" >> {log}
while [ "$1" != "--" ]; do shift; done
shift
exec "$@"
"""


def test_a_user_asks_systemd_for_a_scope(
    tmp_path: Path, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A stand-in for the user manager: it logs what it is asked for and starts the command."""
    require_sandbox("bubblewrap")
    program, mount, log = tmp_path / "bin" / "systemd-run", tmp_path / "cgroup", tmp_path / "log"
    program.parent.mkdir()
    program.write_text(SYSTEMD_RUN.format(log=log))
    program.chmod(0o755)
    mount.mkdir()
    for name, text in {"memory.max": "300000000", "pids.max": "100", "cpu.max": "150000"}.items():
        (mount / name).write_text(text)
    (mount / "memory.current").write_text("1234")
    (mount / "memory.peak").write_text("5678")
    (mount / "pids.current").write_text("3")
    monkeypatch.setenv("PATH", f"{program.parent}:{os.environ['PATH']}")
    monkeypatch.setattr(scopes, "MOUNT", mount)
    monkeypatch.setattr(scopes, "_group_folder", lambda file, mount_point: mount)
    monkeypatch.setattr(bubblewrap, "make_cgroup", lambda *args: None)
    monkeypatch.setattr(bubblewrap, "try_controllers", lambda limits: ())
    world = World(place, get_sandbox("bubblewrap"))
    with monkeypatch.context() as as_user:
        as_user.setattr(scopes.os, "geteuid", lambda: 1000)
        scope = scopes.find_scope("mlebench-run", LIMITS)
        assert scope is not None
    monkeypatch.setattr(bubblewrap, "find_scope", lambda name, limits: scope)
    outcome = world.run("true", memory_bytes=300_000_000, processes=100, cpus=1.5)
    assert outcome.exit_code == 0, world.printed()
    asked = log.read_text()
    for words in ("--user --scope", "MemoryMax=1073741824", "MemorySwapMax=0", "TasksMax=100"):
        assert words in asked
    assert "CPUQuota=150%" in asked
    assert {n: outcome.usage[n].enforced for n in ("memory_bytes", "cpus", "processes")} == {
        "memory_bytes": "kernel",
        "cpus": "kernel",
        "processes": "kernel",
    }
    assert outcome.usage["memory_bytes"].used == 5678
    enforced = world.sandbox.enforcement(ResourceLimits(wall_seconds=1, cpus=1))
    assert enforced["cpus"] == "kernel"


ONE_GPU = "0, GPU-hostile, H200, 143771, 0, 570.1"
TIMES = 'date +%s.%N > "$LOGS/start"; sleep 3; date +%s.%N > "$LOGS/end"\n'


@pytest.mark.defence("gpus-are-waited-for")
def test_two_runs_wait_for_one_gpu(
    place: Path, prepared: Catalogue, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second run failed at once, three times: "1 GPUs were requested, only 0 are free"."""
    smi = place / "bin" / "nvidia-smi"
    smi.parent.mkdir()
    smi.write_text(f'#!/bin/sh\ncase "$1" in *compute-apps*) ;; *) echo "{ONE_GPU}";; esac\n')
    smi.chmod(0o755)
    monkeypatch.setenv("PATH", f"{smi.parent}:{os.environ['PATH']}")
    monkeypatch.setenv("TMPDIR", str(place))  # of the leases
    arena = Arena(get_sandbox("process"), place, prepared)
    agent = arena.agent(TIMES + SAMPLE)
    done = arena.command(
        *("run", "--agent", str(agent.folder), "-c", COMPETITION, "--seeds", "2", "-j", "2"),
        *("--sandbox", "process", "--profile", "small", "--hours", "0.01", "--gpus", "1"),
    )
    (group,) = arena.groups()
    runs = [json.loads(file.read_text()) for file in group.path.glob("*/run.json")]
    assert done.returncode == 0, done.stderr
    assert [run["attempt"] for run in runs] == [1, 1]
    assert "(waits: " in done.stderr
    spans = sorted(
        (float((logs / "start").read_text()), float((logs / "end").read_text()))
        for logs in group.path.glob(f"{COMPETITION}_*/logs")
    )
    assert spans[0][1] <= spans[1][0], "both runs had the GPU at once"
