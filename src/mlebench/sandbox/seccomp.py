"""The system-call filter of the bubblewrap and docker sandboxes, as classic BPF made with `struct`.

It refuses calls that need no privilege and that namespaces do not cover: keyrings, io_uring, other
socket families, input into a terminal. Everything else is allowed.
"""

from __future__ import annotations

import os
import struct

AUDIT_ARCH = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
X32_BIT = 0x40000000

ALLOW = 0x7FFF0000
KILL = 0x80000000
EPERM, ENOSYS, EAFNOSUPPORT = (0x00050000 | number for number in (1, 38, 97))

LOAD, JUMP_EQUAL, JUMP_AT_LEAST, JUMP_IF_SET, RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
NUMBER, ARCH, FIRST_ARGUMENT, SECOND_ARGUMENT = 0, 4, 16, 24

TIOCSTI, TIOCLINUX = 0x5412, 0x541C
FAMILIES = (1, 2, 10, 16)  # UNIX, INET, INET6, NETLINK

REFUSED = {
    "x86_64": {
        "keyctl": 250, "add_key": 248, "request_key": 249, "bpf": 321, "perf_event_open": 298,
        "userfaultfd": 323, "open_by_handle_at": 304, "mount": 165, "umount2": 166,
        "pivot_root": 155, "move_mount": 429, "open_tree": 428, "fsopen": 430, "fsmount": 432,
        "mount_setattr": 442, "setns": 308, "kexec_load": 246, "kexec_file_load": 320,
        "init_module": 175, "finit_module": 313, "delete_module": 176, "quotactl": 179,
        "acct": 163, "swapon": 167, "swapoff": 168, "reboot": 169, "syslog": 103,
        "fanotify_init": 300, "sethostname": 170, "setdomainname": 171,
    },
    "aarch64": {
        "keyctl": 219, "add_key": 217, "request_key": 218, "bpf": 280, "perf_event_open": 241,
        "userfaultfd": 282, "open_by_handle_at": 265, "mount": 40, "umount2": 39,
        "pivot_root": 41, "move_mount": 429, "open_tree": 428, "fsopen": 430, "fsmount": 432,
        "mount_setattr": 442, "setns": 268, "kexec_load": 104, "kexec_file_load": 294,
        "init_module": 105, "finit_module": 273, "delete_module": 106, "quotactl": 60,
        "acct": 89, "swapon": 224, "swapoff": 225, "reboot": 142, "syslog": 116,
        "fanotify_init": 262, "sethostname": 161, "setdomainname": 162,
    },
}  # fmt: skip
IO_URING = (425, 426, 427)
SOCKETS = {"x86_64": (41, 53), "aarch64": (198, 199)}
IOCTL = {"x86_64": 16, "aarch64": 29}
CLONE_NEWUSER = 0x10000000
MAKE_NAMESPACES = {"x86_64": (56, 272), "aarch64": (220, 97)}  # clone, unshare
CLONE3 = 435


def seccomp_filter(machine: str | None = None, *, namespaces: bool = True) -> bytes | None:
    """The filter for a processor architecture; none if its call numbers are unknown.

    Args:
        namespaces: whether user namespaces may be created; false if nothing else forbids them.
    """
    machine = machine or os.uname().machine
    if machine not in AUDIT_ARCH:
        return None
    program = [
        _step(LOAD, ARCH),
        _step(JUMP_EQUAL, AUDIT_ARCH[machine], 1, 0),
        _step(RETURN, KILL),
        _step(LOAD, NUMBER),
    ]
    if machine == "x86_64":
        program += [_step(JUMP_AT_LEAST, X32_BIT, 0, 1), _step(RETURN, ENOSYS)]
    for number in sorted(REFUSED[machine].values()):
        program += _refuse(number, EPERM)
    for number in IO_URING:
        program += _refuse(number, ENOSYS)
    for number in SOCKETS[machine]:
        program += _only_if_argument(number, FIRST_ARGUMENT, FAMILIES, EAFNOSUPPORT)
    program += _unless_argument(IOCTL[machine], SECOND_ARGUMENT, (TIOCSTI, TIOCLINUX), EPERM)
    if not namespaces:
        program += _refuse(
            CLONE3, ENOSYS
        )  # its flags are in memory; the C library falls back to clone
        for number in MAKE_NAMESPACES[machine]:
            program += _refuse_flag(number, CLONE_NEWUSER)
    program.append(_step(RETURN, ALLOW))
    return b"".join(program)


def _step(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("=HBBI", code, if_true, if_false, value)


def _refuse(number: int, verdict: int) -> list[bytes]:
    return [_step(JUMP_EQUAL, number, 0, 1), _step(RETURN, verdict)]


def _refuse_flag(number: int, flag: int) -> list[bytes]:
    """Refuse the call if the flag is set in its first argument, else allow it."""
    body = [_step(LOAD, FIRST_ARGUMENT), _step(JUMP_IF_SET, flag, 0, 1), _step(RETURN, EPERM)]
    body.append(_step(RETURN, ALLOW))
    return [_step(JUMP_EQUAL, number, 0, len(body)), *body]


def _only_if_argument(
    number: int, argument: int, values: tuple[int, ...], verdict: int
) -> list[bytes]:
    """Allow the call with one of the values in the low 32 bits of an argument, else refuse it."""
    count = len(values)
    compare = [_step(JUMP_EQUAL, value, count - place, 0) for place, value in enumerate(values)]
    body = [_step(LOAD, argument), *compare, _step(RETURN, verdict), _step(RETURN, ALLOW)]
    return [_step(JUMP_EQUAL, number, 0, len(body)), *body]


def _unless_argument(
    number: int, argument: int, values: tuple[int, ...], verdict: int
) -> list[bytes]:
    """Refuse the call with one of the values in the low 32 bits of an argument, else allow it."""
    count = len(values)
    compare = [_step(JUMP_EQUAL, value, count - place, 0) for place, value in enumerate(values)]
    body = [_step(LOAD, argument), *compare, _step(RETURN, ALLOW), _step(RETURN, verdict)]
    return [_step(JUMP_EQUAL, number, 0, len(body)), *body]
