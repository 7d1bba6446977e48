"""Set limits, a fresh keyring and an unprivileged uid, then exec bwrap.

Run as `python -I -S -P launcher.py FD`, because code between fork and exec is not safe in a program
with threads. FD contains the order as JSON, written by `bubblewrap_run.py`. As root it first binds
the sources in its own mount namespace, because bwrap's uid may be unable to reach them (in a home
with mode 0700).
"""

from __future__ import annotations

import ctypes
import json
import os
import resource
import signal
import sys

TYPE_CHECKING = False  # as in typing, whose import would take longer than all others
if TYPE_CHECKING:
    from typing import Any

CLONE_NEWNS = 0x00020000
MS_BIND, MS_REC, MS_PRIVATE, MS_NOSUID, MS_NODEV = 4096, 16384, 1 << 18, 2, 4
PR_SET_PDEATHSIG, PR_SET_DUMPABLE = 1, 4
KEYCTL_JOIN_SESSION_KEYRING = 1
KEYCTL_NUMBERS = {"x86_64": 250, "aarch64": 219}
STAGE = "/tmp"
FAILED = 125

libc = ctypes.CDLL(None, use_errno=True)


def main() -> None:
    """Read the order and exec bwrap; errors go to stderr."""
    descriptor = int(sys.argv[1])
    with open(descriptor, "rb") as file:
        order = json.load(file)
    launch(order)  # with the order closed: what is open now stays open in the sandbox


def launch(order: dict[str, Any]) -> None:
    """Become bwrap."""
    keep = order["keep"]
    if os.getppid() != order["parent"]:
        sys.exit(FAILED)  # the harness died before we could ask to die with it
    for folder in order["cgroups"]:
        with open(f"{folder}/cgroup.procs", "w") as file:
            file.write("0")
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    _fresh_keyring()
    if order["uid"] is None:
        sources = [_open_source(source) for source in order["sources"]]
        keep += sources
        args = _with_descriptors(order["args"], sources)
    else:
        if libc.unshare(CLONE_NEWNS) != 0:
            raise _os_error("a mount namespace")
        _mount(b"none", b"/", MS_REC | MS_PRIVATE)
        program = os.open(order["bwrap"], os.O_PATH | os.O_CLOEXEC)
        _stage([_open_source(source) for source in order["sources"]])
        if order["bwrap"].startswith(f"{STAGE}/"):  # hidden by the stage
            order["bwrap"] = _show(program, "bwrap")
        os.close(program)
        args = [f"{STAGE}/{item}" if isinstance(item, int) else item for item in order["args"]]
        _drop_privileges(order["uid"])
    os.umask(0o077)
    os.chdir("/")
    _become_bwrap(order, args, keep)


def _become_bwrap(order: dict[str, Any], args: list[str], keep: list[int]) -> None:
    listing = memory_file(b"".join(os.fsencode(item) + b"\0" for item in args))
    for descriptor in [*keep, listing]:
        os.set_inheritable(descriptor, True)
    # As `mlebench.system.children.die_with_parent`, which cannot be imported here (`-I -S`); after
    # the change of uid, which clears the setting.
    libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != order["parent"]:
        sys.exit(FAILED)
    command = [order["bwrap"], "--args", str(listing), "--", *order["command"]]
    os.execve(order["bwrap"], command, {"PATH": "/usr/local/bin:/usr/bin:/bin"})


def memory_file(content: bytes) -> int:
    """A descriptor of a file in memory, at its start."""
    descriptor = os.memfd_create("part")
    with open(descriptor, "wb", closefd=False) as file:
        file.write(content)
    os.lseek(descriptor, 0, os.SEEK_SET)
    return descriptor


def _open_source(source: dict[str, Any]) -> int:
    """Open exactly the file that was checked: no link, the same inode."""
    kind = os.O_DIRECTORY if source["folder"] else 0
    descriptor = os.open(source["path"], os.O_PATH | os.O_NOFOLLOW | os.O_CLOEXEC | kind)
    found = os.fstat(descriptor)
    if [found.st_dev, found.st_ino] != source["inode"]:
        sys.exit(f"launcher: {source['path']} was exchanged")
    return descriptor


def _stage(sources: list[int]) -> None:
    """Bind the sources where an unprivileged uid can reach them, visible to our children only."""
    _mount(b"tmpfs", STAGE.encode(), MS_NOSUID | MS_NODEV, b"tmpfs", b"mode=0755,size=1m")
    for number, descriptor in enumerate(sources):
        _show(descriptor, str(number))
        os.close(descriptor)


def _show(descriptor: int, name: str) -> str:
    """Bind what is open below the stage; its path there."""
    place = f"{STAGE}/{name}"
    if os.path.isdir(f"/proc/self/fd/{descriptor}"):  # noqa: PTH112 (no pathlib)
        os.mkdir(place)  # noqa: PTH102 (no pathlib)
    else:
        os.close(os.open(place, os.O_CREAT | os.O_WRONLY, 0o644))
    _mount(f"/proc/self/fd/{descriptor}".encode(), place.encode(), MS_BIND | MS_REC)
    return place


def _with_descriptors(args: list[Any], sources: list[int]) -> list[str]:
    """`--bind N` becomes `--bind-fd`, with which bwrap checks the inode that it mounted."""
    made: list[str] = []
    for item in args:
        if isinstance(item, int):
            made[-1] += "-fd"
            made.append(str(sources[item]))
        else:
            made.append(item)
    return made


def _drop_privileges(uid: int) -> None:
    os.setgroups([])
    os.setresgid(uid, uid, uid)
    os.setresuid(uid, uid, uid)
    libc.prctl(PR_SET_DUMPABLE, 1, 0, 0, 0)


def _fresh_keyring() -> None:
    number = KEYCTL_NUMBERS.get(os.uname().machine)
    if number is not None:
        libc.syscall(number, KEYCTL_JOIN_SESSION_KEYRING, None)


def _mount(source: bytes, target: bytes, flags: int, kind: bytes = b"", data: bytes = b"") -> None:
    if libc.mount(source, target, kind or None, ctypes.c_ulong(flags), data or None) != 0:
        raise _os_error(os.fsdecode(target))


def _os_error(what: str) -> OSError:
    number = ctypes.get_errno()
    return OSError(number, os.strerror(number), what)


if __name__ == "__main__":
    try:
        main()
    except OSError as error:
        sys.stderr.write(f"launcher: {error}\n")
        sys.exit(FAILED)
