"""Confine a process that parses what an agent wrote: limits, a system-call filter, few files.

If an agent exploits a parser, it gains a process without network, other programs and writable
files, and with limited memory and time.
"""

from __future__ import annotations

import ctypes
import os
import resource
import struct
import sys
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from mlebench.system import bpf

PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP, SECCOMP_MODE_FILTER = 38, 22, 2
OPEN_FILES = 256
CLONE_THREAD = 0x10000
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC
TIOCSTI, TIOCLINUX = 0x5412, 0x541C

PROCESSES = {
    "execve": (59, 221), "execveat": (322, 281), "ptrace": (101, 117),
    "process_vm_readv": (310, 270), "process_vm_writev": (311, 271),
    "tkill": (200, 130), "pidfd_send_signal": (424, 424), "pidfd_getfd": (438, 438),
    "rt_sigqueueinfo": (129, 138), "rt_tgsigqueueinfo": (297, 240), "unshare": (272, 97),
    "setns": (308, 268), "chroot": (161, 51), "setuid": (105, 146), "setgid": (106, 144),
    "setreuid": (113, 145), "setregid": (114, 143), "setresuid": (117, 147),
    "setresgid": (119, 149), "keyctl": (250, 219), "add_key": (248, 217),
    "request_key": (249, 218), "bpf": (321, 280), "perf_event_open": (298, 241),
    "userfaultfd": (323, 282), "shmget": (29, 194), "msgget": (68, 186), "semget": (64, 190),
    "open_by_handle_at": (304, 265),
    "io_uring_setup": (425, 425), "io_uring_enter": (426, 426), "io_uring_register": (427, 427),
}  # fmt: skip
NETWORK = {"socket": (41, 198), "connect": (42, 203), "bind": (49, 200), "listen": (50, 201)}
ACCEPTING = {"accept": (43, 202), "accept4": (288, 242)}
FILES = {
    "rename": (82, None), "renameat": (264, 38), "renameat2": (316, 276), "link": (86, None),
    "linkat": (265, 37), "symlink": (88, None), "symlinkat": (266, 36), "unlink": (87, None),
    "unlinkat": (263, 35), "mkdir": (83, None), "mkdirat": (258, 34), "rmdir": (84, None),
    "mknod": (133, None), "mknodat": (259, 33), "chmod": (90, None), "fchmod": (91, 52),
    "fchmodat": (268, 53), "fchmodat2": (452, 452), "chown": (92, None), "fchown": (93, 55),
    "lchown": (94, None), "fchownat": (260, 54), "truncate": (76, 45), "creat": (85, None),
    "utime": (132, None), "utimes": (235, None), "utimensat": (280, 88), "setxattr": (188, 5),
    "lsetxattr": (189, 6), "fsetxattr": (190, 7), "removexattr": (197, 14),
    "lremovexattr": (198, 15), "fremovexattr": (199, 16),
}  # fmt: skip
CHILDREN = {
    "fork": (57, None), "vfork": (58, None), "kill": (62, 129), "memfd_create": (319, 279),
    "memfd_secret": (447, 447), "socketpair": (53, 199),
}  # fmt: skip
CLONE, CLONE3, OPEN, OPENAT, OPENAT2 = (56, 220), 435, (2, None), (257, 56), 437
TGKILL, PRLIMIT, IOCTL = (234, 131), (302, 261), (16, 29)

LANDLOCK_CREATE, LANDLOCK_ADD, LANDLOCK_RESTRICT = 444, 445, 446
LANDLOCK_ALL = 0x1FFF
LANDLOCK_READ_FILE, LANDLOCK_READ_FOLDER = 0x5, 0xD
SYSTEM_FILES = """/usr/lib /usr/lib64 /usr/local/lib /lib /lib64 /usr/share/zoneinfo
/etc/ld.so.cache /etc/localtime /proc /sys/devices/system /sys/fs/cgroup /dev/null
/dev/urandom""".split()


@dataclass(frozen=True)
class Confinement:
    """What a process may use."""

    memory_bytes: int
    """Address space, including what the process uses already."""

    cpu_seconds: int
    """Of all its threads together."""

    readable: tuple[str, ...] | None = None
    """Files and folders that may be opened, besides those of the interpreter; None means all."""


def address_space() -> int:
    """What this process has mapped already, in bytes."""
    if sys.platform != "linux":
        return 0
    with open("/proc/self/statm", encoding="ascii") as stream:
        return int(stream.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")


def confine_child(*, memory_bytes: int, cpu_seconds: int, readable: Iterable[str]) -> None:
    """Confine this process; the memory is what it may use in addition to what it has mapped."""
    confine(Confinement(address_space() + memory_bytes, cpu_seconds, tuple(readable)))


def confine(limits: Confinement) -> None:
    """Confine this process and its threads irrevocably; outside Linux only limits are set."""
    for name, value in (
        ("RLIMIT_AS", limits.memory_bytes),
        ("RLIMIT_CPU", limits.cpu_seconds),
        ("RLIMIT_FSIZE", 0),
        ("RLIMIT_CORE", 0),
        ("RLIMIT_NOFILE", OPEN_FILES),
    ):
        lower_limit(getattr(resource, name), value)
    prefer_for_oom_kill()
    if limits.readable is not None:
        read_only_below([*interpreter_files(), *limits.readable])
    install_filter(child_filter())


def lower_limit(kind: int, value: int) -> None:
    """Set a limit that cannot be raised again; a lower one is kept."""
    _, hard = resource.getrlimit(kind)
    value = value if hard == resource.RLIM_INFINITY else min(value, hard)
    # At the hard CPU limit the kernel kills with SIGKILL, which does not show the reason.
    spare = 1 if kind == resource.RLIMIT_CPU and hard == resource.RLIM_INFINITY else 0
    resource.setrlimit(kind, (value, value + spare))


def prefer_for_oom_kill() -> None:
    """Let the kernel kill this process before its parent if the machine runs out of memory."""
    with suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text("1000")


def child_filter(machine: str | None = None, *, is_server: bool = False) -> bytes | None:
    """The filter for a processor architecture; None if its call numbers are unknown.

    Args:
        is_server: whether connections may be accepted, files written and children forked.
    """
    machine = machine or os.uname().machine
    if sys.platform != "linux" or machine not in bpf.AUDIT_ARCH:
        return None
    column = list(bpf.AUDIT_ARCH).index(machine)
    refused = PROCESSES | NETWORK | ({} if is_server else ACCEPTING | FILES | CHILDREN)
    program = bpf.beginning(machine)
    for numbers in refused.values():
        if (number := numbers[column]) is not None:
            program += bpf.refuse(number)
    if not is_server:
        program += _writing_and_forks(column)
        program += bpf.only_if_argument(TGKILL[column], bpf.FIRST_ARGUMENT, (os.getpid(),))
    program += bpf.only_if_argument(PRLIMIT[column], bpf.FIRST_ARGUMENT, (0,))
    program += bpf.unless_argument(IOCTL[column], bpf.SECOND_ARGUMENT, (TIOCSTI, TIOCLINUX))
    return b"".join([*program, bpf.step(bpf.RETURN, bpf.ALLOW)])


def _writing_and_forks(column: int) -> list[bytes]:
    """Refuse opening files for writing and new processes; threads are allowed."""
    program = []
    for numbers, argument in ((OPEN, bpf.SECOND_ARGUMENT), (OPENAT, bpf.THIRD_ARGUMENT)):
        if (number := numbers[column]) is not None:
            program += bpf.refuse_flags(number, argument, WRITING)
    # The arguments of these two are in memory, where a filter cannot look.
    program += bpf.refuse(OPENAT2, bpf.ENOSYS) + bpf.refuse(CLONE3, bpf.ENOSYS)
    return program + bpf.require_flags(CLONE[column], bpf.FIRST_ARGUMENT, CLONE_THREAD)


def install_filter(program: bytes | None) -> None:
    """Filter the system calls of this process; does nothing without a program."""
    if program is None:
        return
    libc = ctypes.CDLL(None, use_errno=True)
    buffer = ctypes.create_string_buffer(program, len(program))
    header = struct.pack("=H6xQ", len(program) // 8, ctypes.addressof(buffer))
    libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    if libc.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, header, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "the system-call filter cannot be installed")


def interpreter_files() -> list[str]:
    """The paths of Python, its libraries and this package."""
    return [*SYSTEM_FILES, sys.prefix, sys.base_prefix, sys.exec_prefix, *filter(None, sys.path)]


def read_only_below(paths: Iterable[str]) -> bool:
    """Let this process read only these files and folders; false if the kernel cannot do that."""
    if sys.platform != "linux":
        return False
    libc = ctypes.CDLL(None, use_errno=True)
    rules = struct.pack("=Q", LANDLOCK_ALL)
    ruleset = libc.syscall(LANDLOCK_CREATE, rules, ctypes.c_size_t(len(rules)), 0)
    if ruleset < 0:
        return False
    try:
        for path in {path for path in paths if Path(path).exists()}:
            _allow_reading(libc, ruleset, path)
        libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
        return bool(libc.syscall(LANDLOCK_RESTRICT, ruleset, 0) == 0)
    finally:
        os.close(ruleset)


def _allow_reading(libc: ctypes.CDLL, ruleset: int, path: str) -> None:
    descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
    try:
        access = LANDLOCK_READ_FOLDER if Path(path).is_dir() else LANDLOCK_READ_FILE
        rule = struct.pack("=Qi", access, descriptor)
        libc.syscall(LANDLOCK_ADD, ruleset, 1, rule, 0)
    finally:
        os.close(descriptor)
