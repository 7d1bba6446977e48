"""H06-H08, D02 and P07 in the sandbox: what the host does with an agent's folders."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from mlebench.sandbox.seccomp import REFUSED, seccomp_filter
from tests.sandbox.conftest import World


def test_H06_python_files_of_the_agent_are_not_ours(any_world: World) -> None:
    """Modules in the agent's home must not be imported by what we start there."""
    sentinel = any_world.place / "submission" / "fired"
    for name in ("json.py", "socket.py", "threading.py", "sitecustomize.py", "contextlib.py"):
        code = f"open({str(sentinel)!r}, 'w'); open('/home/submission/fired', 'w')"
        (any_world.place / "agent" / name).write_text(code)
    any_world.shell("true")
    assert not sentinel.exists()


def test_H07_output_does_not_go_through_links_of_the_agent(any_world: World) -> None:
    target = any_world.place / "operator.txt"
    target.write_text("mine")
    for folder in ("logs", "code", "submission", "agent"):
        (any_world.place / folder / "agent.log").symlink_to(target)
    any_world.shell("echo output")
    assert target.read_text() == "mine"
    assert "output" in any_world.printed()


def test_H07_nothing_of_ours_is_written_into_the_agents_folders(any_world: World) -> None:
    any_world.shell("true")
    for name in ("submission", "logs", "code", "agent"):
        assert list((any_world.place / name).iterdir()) == []


def test_H08_log_of_the_host_is_no_link(world: World) -> None:
    target = world.place / "operator.txt"
    target.write_text("mine")
    world.log.symlink_to(target)
    with pytest.raises(OSError, match="symbolic links"):
        world.shell("echo output")
    assert target.read_text() == "mine"


def test_D02_setuid_files_belong_to_nobody_of_importance(world: World) -> None:
    outcome = world.shell("cp /bin/sh /home/submission/sh; chmod 4755 /home/submission/sh")
    found = (world.place / "submission" / "sh").stat()
    assert outcome.facts["uid"] == found.st_uid
    assert not found.st_mode & stat.S_ISUID or found.st_uid != 0


def test_hard_links_out_of_public_data_are_impossible(world: World) -> None:
    world.shell(
        "ln /home/data/train.csv /home/code/linked; touch -d 2001-01-01 /home/data/train.csv"
    )
    assert not (world.place / "code" / "linked").exists()
    assert (world.public / "train.csv").stat().st_mtime > 1_500_000_000


def test_submissions_may_be_anything_and_nothing_happens(any_world: World) -> None:
    """What it is, is judged at collection; the sandbox only has to end."""
    outcome = any_world.shell(
        "cd /home/submission; mkfifo fifo; mkdir folder; ln -s /etc/passwd link; ln -s . loop"
    )
    assert outcome.exit_code == 0


def test_filter_is_made_for_known_machines_only() -> None:
    assert seccomp_filter("riscv64") is None
    for machine in REFUSED:
        program = seccomp_filter(machine)
        assert program is not None
        assert len(program) % 8 == 0
        assert 60 < len(program) // 8 < 200


def test_crawler_and_bridge_use_the_standard_library_only() -> None:
    import ast
    import sys

    folder = Path(__file__).parents[2] / "src/mlebench/sandbox"
    for name in ("bridge.py", "crawler.py", "launcher.py"):
        tree = ast.parse((folder / name).read_text())
        for node in ast.walk(tree):
            modules = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            modules += [str(node.module)] if isinstance(node, ast.ImportFrom) else []
            assert {module.split(".")[0] for module in modules} <= set(sys.stdlib_module_names)
