"""Control groups on a folder tree that looks like the kernel's."""

from __future__ import annotations

import os
import signal
import subprocess
from pathlib import Path

import pytest

from mlebench.sandbox import cgroups
from mlebench.sandbox.base import ResourceLimits
from mlebench.sandbox.cgroups import make_cgroup

LIMITS = ResourceLimits(wall_seconds=1, memory_bytes=1 << 30, processes=100, cpus=1.5)


def _own(monkeypatch: pytest.MonkeyPatch, **groups: str) -> None:
    monkeypatch.setattr(cgroups, "_own_groups", lambda: groups)


def _tree(place: Path, groups: dict[str, tuple[str, str]]) -> None:
    """Groups with the controllers that each offers and that each has enabled below it."""
    for name, (offered, enabled) in groups.items():
        folder = place / name
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "cgroup.controllers").write_text(offered)
        (folder / "cgroup.subtree_control").write_text(enabled)


def test_version_2_where_it_is_delegated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _own(monkeypatch, **{"": "/scope"})
    everything = "cpu memory pids"
    _tree(tmp_path, {"scope": (everything, everything), ".": (everything, "")})
    own = tmp_path / "scope"
    group = make_cgroup("run", LIMITS, tmp_path)
    assert group is not None
    assert group.folders == (own / "run",)
    assert (own / "run" / "memory.max").read_text() == str(1 << 30)
    assert (own / "run" / "memory.oom.group").read_text() == "1"
    assert (own / "run" / "pids.max").read_text() == "100"
    assert (own / "run" / "cpu.max").read_text() == "150000 100000"
    (own / "run" / "memory.events").write_text("oom 1\noom_kill 3\n")
    (own / "run" / "pids.events").write_text("max 2\n")
    assert (group.oom_kills(), group.refused_forks()) == (3, 2)


def test_version_2_climbs_to_the_nearest_group_with_all_controllers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Root in a group that offers memory alone, as a service manager makes them."""
    _own(monkeypatch, **{"": "/services/session/ours"})
    everything = "cpuset cpu io memory pids"
    _tree(
        tmp_path,
        {
            "services/session/ours": ("memory", ""),
            "services/session": ("memory", "memory"),
            "services": (everything, everything),
            ".": (everything, everything),
        },
    )
    group = make_cgroup("run", LIMITS, tmp_path)
    assert group is not None
    assert group.folders == (tmp_path / "services" / "run",)
    assert group.controllers == ("memory", "pids", "cpu")


def test_version_2_enables_controllers_in_the_nearest_group_that_offers_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _own(monkeypatch, **{"": "/a/b"})
    _tree(
        tmp_path,
        {
            "a/b": ("memory", ""),
            "a": ("cpu memory pids", "memory"),
            ".": ("cpu memory pids", ""),
        },
    )
    set_values = cgroups._set

    def kernel(folder: Path, values: dict[str, str]) -> bool:
        """The kernel adds what is written to the file."""
        if order := values.get("cgroup.subtree_control"):
            file = folder / "cgroup.subtree_control"
            file.write_text(f"{file.read_text()} {order.replace('+', '')}")
            return True
        return set_values(folder, values)

    monkeypatch.setattr(cgroups, "_set", kernel)
    group = make_cgroup("run", LIMITS, tmp_path)
    assert group is not None
    assert group.folders == (tmp_path / "a" / "run",)
    assert group.controllers == ("memory", "pids", "cpu")
    assert (tmp_path / "cgroup.subtree_control").read_text() == ""
    assert not (tmp_path / "a" / "b" / "run").exists()


def test_version_2_takes_what_there_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What no group offers is not limited, and is not claimed to be."""
    _own(monkeypatch, **{"": "/a"})
    _tree(tmp_path, {"a": ("memory", "memory"), ".": ("memory", "memory")})
    group = make_cgroup("run", LIMITS, tmp_path)
    assert group is not None
    assert group.controllers == ("memory",)
    assert group.folders == (tmp_path / "a" / "run",)


def test_version_2_moves_only_our_own_processes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before controllers are on, nothing is limited; other processes in our group stay."""
    _own(monkeypatch, **{"": "/scope"})
    _tree(tmp_path, {"scope": ("memory", ""), ".": ("memory", "")})
    own = tmp_path / "scope"
    monkeypatch.setattr(
        cgroups, "_set", lambda folder, values: "cgroup.subtree_control" not in values
    )
    with subprocess.Popen(["sleep", "60"], start_new_session=True) as other:
        (own / "cgroup.procs").write_text(f"{os.getpid()} {other.pid}")
        assert make_cgroup("run", LIMITS, tmp_path) is None
        other.kill()
    assert not (own / "harness").exists()


def test_version_2_moves_nothing_out_of_the_session_of_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Started by an init without a session of its own, we cannot tell whose a process is."""
    _own(monkeypatch, **{"": "/"})
    monkeypatch.setattr(os, "getsid", lambda pid: 0)
    _tree(tmp_path, {".": ("memory", "")})
    (tmp_path / "cgroup.procs").write_text("1")
    monkeypatch.setattr(
        cgroups, "_set", lambda folder, values: "cgroup.subtree_control" not in values
    )
    assert make_cgroup("run", LIMITS, tmp_path) is None
    assert not (tmp_path / "harness").exists()


def test_nothing_delegated_is_no_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _own(monkeypatch)
    assert make_cgroup("run", LIMITS, tmp_path) is None
    assert make_cgroup("run", ResourceLimits(wall_seconds=1)) is None


def test_version_1_has_a_folder_per_controller(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _own(monkeypatch, memory="/a", pids="/", cpu="/")
    for folder in ("memory/a", "pids", "cpu"):
        (tmp_path / folder).mkdir(parents=True)
    group = make_cgroup("run", LIMITS, tmp_path)
    assert group is not None
    assert (tmp_path / "memory/a/run/memory.limit_in_bytes").read_text() == str(1 << 30)
    assert (tmp_path / "pids/run/pids.max").read_text() == "100"
    assert (tmp_path / "cpu/run/cpu.cfs_quota_us").read_text() == "150000"


def test_what_an_earlier_attempt_left_is_killed(tmp_path: Path) -> None:
    with subprocess.Popen(["sleep", "60"]) as stray:
        (tmp_path / "cgroup.procs").write_text(f"{stray.pid}\n")
        cgroups.Cgroup(1, {"pids": tmp_path}).kill_strays()
        assert stray.wait(30) == -signal.SIGKILL
