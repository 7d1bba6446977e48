"""S09-S12, S17, D08: sandboxes and mount plans that must not come to life."""

from __future__ import annotations

import os
import stat
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from mlebench.errors import SandboxError, UsageError
from mlebench.sandbox import mounts as mounts_module
from mlebench.sandbox.bubblewrap import BubblewrapSandbox
from mlebench.sandbox.engines.bubblewrap_arguments import bwrap_arguments
from mlebench.sandbox.mounts import Mount, check_plan, plan_mounts
from mlebench.sandbox.registry import best_sandbox, get_sandbox, sandbox_names
from tests.sandbox.conftest import World


def _fake_bwrap(folder: Path, message: str, version: str = "0.8.0") -> BubblewrapSandbox:
    """A bwrap that records how it was called and fails with a message."""
    program = folder / "bwrap"
    program.write_text(
        f"""#!/bin/sh
if [ "$1" = --version ]; then echo "bubblewrap {version}"; exit 0; fi
tr '\\0' ' ' </proc/self/fd/"$2" >>{folder}/calls; echo >>{folder}/calls
echo "bwrap: {message}" >&2
exit 1
"""
    )
    program.chmod(0o755)
    folder.chmod(0o777)
    (folder / "calls").touch()
    (folder / "calls").chmod(0o666)
    return BubblewrapSandbox(str(program))


@pytest.fixture
def open_place() -> Iterator[Path]:
    """Reachable for an unprivileged uid, as programs of the system are."""
    with tempfile.TemporaryDirectory(prefix="fake-", dir="/var/tmp") as place:
        yield Path(place)


@pytest.mark.parametrize(
    ("message", "remedy"),
    [
        ("Can't mount proc on /newroot/proc: Operation not permitted", "systempaths=unconfined"),
        ("setting up uid map: Permission denied", "apparmor_restrict_unprivileged_userns"),
        ("loopback: Failed RTM_NEWADDR: Operation not permitted", "apparmor"),
        ("No permissions to creating new namespace, likely because…", "userns_clone"),
    ],
)
def test_S09_S10_a_sandbox_that_cannot_be_made_is_an_error_and_nothing_else(
    tmp_path: Path, open_place: Path, message: str, remedy: str
) -> None:
    world = World(tmp_path, _fake_bwrap(open_place, message))
    with pytest.raises(SandboxError) as raised:
        world.shell("touch /home/submission/started")
    assert message.split(":")[0] in str(raised.value)
    assert remedy in (raised.value.hint or "")
    assert not list((tmp_path / "submission").iterdir())
    calls = (open_place / "calls").read_text().splitlines()
    assert len(calls) == 1
    assert "--proc /proc" in calls[0]
    assert "bind /proc" not in calls[0]


def test_S10_best_sandbox_never_falls_back_to_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "mlebench.sandbox.registry.OWN", {"process": "mlebench.sandbox.process:ProcessSandbox"}
    )
    with pytest.raises(SandboxError, match="no sandbox with isolation"):
        best_sandbox()


def test_sandboxes_by_name() -> None:
    assert {"bubblewrap", "process"} <= set(sandbox_names())
    assert get_sandbox("process").isolation == "none"
    with pytest.raises(UsageError, match="bubblewrap"):
        get_sandbox("bubble")


def test_sandboxes_of_other_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    class Cellar:
        name = "cellar"
        isolation = "container"

    point = EntryPoint("cellar", "somewhere:Cellar", "mlebench.sandboxes")
    monkeypatch.setattr(EntryPoint, "load", lambda self: Cellar)
    monkeypatch.setattr("mlebench.sandbox.registry.entry_points", lambda group: [point])
    assert "cellar" in sandbox_names()
    assert get_sandbox("cellar").name == "cellar"


def test_D08_setuid_bwrap_is_refused(tmp_path: Path, open_place: Path) -> None:
    sandbox = _fake_bwrap(open_place, "")
    program = open_place / "bwrap"
    program.chmod(program.stat().st_mode | stat.S_ISUID)
    found = sandbox.availability()
    assert not found.works
    assert "setuid" in found.reason


def test_D08_old_bwrap_is_refused(tmp_path: Path, open_place: Path) -> None:
    found = _fake_bwrap(open_place, "", version="0.4.1").availability()
    assert not found.works
    assert "0.8.0" in found.reason


def test_S11_nothing_is_mounted_below_a_writable_folder(world: World) -> None:
    job = world.job("true")
    arguments = bwrap_arguments(job, plan_mounts(job), status=0)
    for descriptor in arguments.descriptors:
        os.close(descriptor)
    targets = [item for item in arguments.items if isinstance(item, str) and item.startswith("/")]
    writable = ("/home/submission", "/home/logs", "/home/code", "/home/agent")
    assert not [t for t in targets if t.startswith(tuple(f"{w}/" for w in writable))]
    with pytest.raises(SandboxError, match="below the writable"):
        check_plan([_mount("/a", "/home/code", True), _mount("/b", "/home/code/data")])


def test_S11_link_left_in_a_folder_is_not_written_through(world: World, tmp_path: Path) -> None:
    host = tmp_path / "operator"
    host.mkdir()
    for name in ("data", "submission", "instructions.txt"):
        world.shell(f"ln -sfn /oldroot{host} /home/agent/{name}; ln -sfn {host} /home/code/{name}")
    world.shell("true")
    assert list(host.iterdir()) == []


@pytest.mark.parametrize("name", ["submission", "logs", "code", "agent"])
def test_S12_link_in_place_of_a_folder_is_refused(world: World, name: str) -> None:
    folder = world.place / name
    folder.rename(world.place / "old")
    folder.symlink_to(world.answers.parent)
    with pytest.raises(SandboxError, match="symbolic link"):
        world.shell(f"cat /home/{name}/answers.csv")
    assert not world.log.exists() or "the-answer" not in world.printed()


def test_S12_folder_exchanged_after_it_was_judged_is_refused(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    judged = plan_mounts

    def exchange(job):  # type: ignore[no-untyped-def]
        found = judged(job)
        (world.place / "submission").rename(world.place / "old")
        (world.place / "submission").mkdir()
        return found

    monkeypatch.setattr("mlebench.sandbox.bubblewrap.plan_mounts", exchange)
    with pytest.raises(SandboxError, match="exchanged"):
        world.shell("true")


def _mount(source: str, target: str, writable: bool = False) -> Mount:
    return Mount(Path(source), target, writable)


@pytest.mark.parametrize(
    ("source", "target", "secret"),
    [
        ("/usr", "/usr", "/usr/local/share/mlebench-data/x/prepared/private"),
        ("/data/x/prepared", "/home/data", "/data/x/prepared/private"),
        ("/data/x/prepared/private", "/home/data", "/data/x/prepared/private"),
        ("/data/x/prepared/private/test", "/home/data", "/data/x/prepared/private"),
        ("/home/alice", "/opt/agent", "/home/alice/runs"),
        ("/home/alice/runs/other/code", "/opt/agent", "/home/alice/runs"),
        ("/home/alice/.config", "/opt/agent", "/home/alice/.config/mlebench"),
        ("/", "/opt/agent", "/home/alice/runs"),
    ],
)
def test_S17_plan_that_shows_a_secret_is_refused(source: str, target: str, secret: str) -> None:
    with pytest.raises(SandboxError) as raised:
        check_plan([_mount(source, target)], secrets=[Path(secret)])
    assert source in str(raised.value)
    assert secret in str(raised.value)


def test_S17_package_itself_is_never_shown(world: World) -> None:
    package = Path(mounts_module.__file__).parents[1]
    for folder in (package, package.parent, package / "competitions"):
        job = world.job("true")
        with pytest.raises(SandboxError, match="overlaps"):
            plan_mounts(replace(job, folders=replace(job.folders, package=folder)))


def test_S17_agents_of_the_package_may_be_shown() -> None:
    package = Path(mounts_module.__file__).parents[1]
    check_plan([_mount(str(package / "agents" / "dummy"), "/opt/agent")])
    for hidden in ("agents", "competitions/spaceship_titanic", "grading", "."):
        with pytest.raises(SandboxError, match="overlaps"):
            check_plan([_mount(str(package / hidden), "/opt/agent")])


def test_S17_writable_folders_lie_in_the_runs_folder_as_leaves() -> None:
    check_plan([_mount("/runs/a/code", "/home/code", True)], secrets=[Path("/runs")])
    with pytest.raises(SandboxError, match="overlaps"):
        check_plan([_mount("/runs", "/home/code", True)], secrets=[Path("/runs/b")])
    with pytest.raises(SandboxError, match="agents can write"):
        check_plan([_mount("/r", "/home/code", True), _mount("/r/data", "/home/data")])


def test_S17_wrong_public_folder_is_refused_by_the_sandbox(world: World) -> None:
    job = world.job("cat", "/home/data/private/answers.csv")
    wrong = replace(job, folders=replace(job.folders, public=world.answers.parent.parent))
    with pytest.raises(SandboxError, match="overlaps"):
        world.sandbox.run(wrong)
