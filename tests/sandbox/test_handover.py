"""H06-H08, D02 and P07 in the sandbox: what the host does with an agent's folders."""

from __future__ import annotations

import errno
import stat
import struct
import termios
from functools import partial
from pathlib import Path

import pytest

from mlebench.sandbox.seccomp import REFUSED, seccomp_filter
from mlebench.system.bpf import AUDIT_ARCH
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
    """What it is, is judged at collection; the sandbox ends and leaves it as the agent made it."""
    made = "mkfifo fifo && mkdir folder && ln -s /etc/passwd link && ln -s . loop"
    outcome = any_world.shell(f"cd /home/submission && {made}")
    assert (outcome.exit_code, outcome.ended_by) == (0, "exit")
    folder = any_world.place / "submission"
    kinds = {path.name: stat.S_IFMT(path.lstat().st_mode) for path in folder.iterdir()}
    links = {"link": stat.S_IFLNK, "loop": stat.S_IFLNK}
    assert kinds == {"fifo": stat.S_IFIFO, "folder": stat.S_IFDIR, **links}
    assert (folder / "link").readlink() == Path("/etc/passwd")


def verdict(program: bytes, audit_arch: int, number: int, *arguments: int) -> int:
    """What the kernel does with a system call: classic BPF, one instruction after the other."""
    data = struct.pack("=IIQ6Q", number, audit_arch, 0, *arguments, *[0] * (6 - len(arguments)))
    place, loaded = 0, 0
    for _ in range(len(program) // 8):
        code, if_true, if_false, value = struct.unpack_from("=HBBI", program, 8 * place)
        place += 1
        match code:
            case 0x20:  # load a word
                (loaded,) = struct.unpack_from("=I", data, value)
            case 0x06:  # return
                return int(value)
            case 0x15:
                place += if_true if loaded == value else if_false
            case 0x35:
                place += if_true if loaded >= value else if_false
            case 0x45:
                place += if_true if loaded & value else if_false
            case _:
                raise ValueError(f"unknown instruction {code:#x}")
    raise ValueError("the program does not end")


def test_no_filter_for_a_machine_whose_numbers_are_unknown() -> None:
    assert seccomp_filter("riscv64") is None
    assert list(AUDIT_ARCH) == list(MACHINES)
    assert all(len(numbers) == len(MACHINES) for numbers in REFUSED.values())


# AUDIT_ARCH of <linux/audit.h>; numbers of read, keyctl, mount, socket, ioctl and unshare.
MACHINES = {
    "x86_64": (
        0xC000003E,
        {"read": 0, "keyctl": 250, "mount": 165, "socket": 41, "ioctl": 16},
        272,
    ),
    "aarch64": (
        0xC00000B7,
        {"read": 63, "keyctl": 219, "mount": 40, "socket": 198, "ioctl": 29},
        97,
    ),
}
ALLOWED, KILLED = 0x7FFF0000, 0x80000000


def refused(errno_name: str) -> int:
    return 0x00050000 | getattr(errno, errno_name)


@pytest.mark.parametrize("machine", MACHINES)
def test_filter_refuses_what_it_names_and_nothing_else(machine: str) -> None:
    arch, calls, unshare = MACHINES[machine]
    program = seccomp_filter(machine)
    assert program is not None
    of_call = partial(verdict, program, arch)
    assert verdict(program, arch ^ 1, calls["read"]) == KILLED
    column = list(MACHINES).index(machine)
    assert {of_call(numbers[column]) for numbers in REFUSED.values()} == {refused("EPERM")}
    assert of_call(calls["keyctl"]) == of_call(calls["mount"]) == refused("EPERM")
    assert {of_call(number) for number in (425, 426, 427)} == {refused("ENOSYS")}  # io_uring
    assert of_call(calls["read"]) == of_call(59) == of_call(435) == ALLOWED
    sockets = {family: of_call(calls["socket"], family) for family in range(46)}
    assert {family for family, found in sockets.items() if found == ALLOWED} == {1, 2, 10, 16}
    assert set(sockets.values()) == {ALLOWED, refused("EAFNOSUPPORT")}
    assert of_call(calls["ioctl"], 0, termios.TIOCSTI) == refused("EPERM")
    assert of_call(calls["ioctl"], 0, termios.FIONREAD) == ALLOWED
    assert of_call(unshare, 0x10000000) == ALLOWED


@pytest.mark.parametrize("machine", MACHINES)
def test_filter_without_namespaces_refuses_new_users(machine: str) -> None:
    arch, _, unshare = MACHINES[machine]
    program = seccomp_filter(machine, namespaces=False)
    assert program is not None
    assert verdict(program, arch, unshare, 0x10000000) == refused("EPERM")
    assert verdict(program, arch, unshare, 0x20000000) == ALLOWED
    assert verdict(program, arch, 435) == refused("ENOSYS")  # clone3


def test_filter_refuses_the_other_numbering_of_x86() -> None:
    program = seccomp_filter("x86_64")
    assert program is not None
    assert verdict(program, 0xC000003E, 0x40000000) == refused("ENOSYS")


def test_programs_use_the_standard_library_only() -> None:
    import ast
    import sys

    folder = Path(__file__).parents[2] / "src/mlebench/sandbox/programs"
    programs = {file.name: file for file in folder.glob("[a-z]*.py")}
    names = {"bridge.py", "crawler.py", "keeper.py", "launcher.py", "mcp_server.py", "zygote.py"}
    assert set(programs) == names
    for file in programs.values():
        tree = ast.parse(file.read_text())
        for node in ast.walk(tree):
            modules = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            modules += [str(node.module)] if isinstance(node, ast.ImportFrom) else []
            assert {module.split(".")[0] for module in modules} <= set(sys.stdlib_module_names)
