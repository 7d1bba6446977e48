"""The system-call filter of the bubblewrap and docker sandboxes, as classic BPF made with `struct`.

It refuses calls that need no privilege and that namespaces do not cover: keyrings, io_uring, other
socket families, input into a terminal. Everything else is allowed.
"""

from __future__ import annotations

import os

from mlebench.system import bpf

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
    if machine not in bpf.AUDIT_ARCH:
        return None
    program = bpf.beginning(machine)
    for number in sorted(REFUSED[machine].values()):
        program += bpf.refuse(number)
    for number in IO_URING:
        program += bpf.refuse(number, bpf.ENOSYS)
    for number in SOCKETS[machine]:
        program += bpf.only_if_argument(number, bpf.FIRST_ARGUMENT, FAMILIES, bpf.EAFNOSUPPORT)
    program += bpf.unless_argument(IOCTL[machine], bpf.SECOND_ARGUMENT, (TIOCSTI, TIOCLINUX))
    if not namespaces:
        # Its flags are in memory; the C library falls back to clone.
        program += bpf.refuse(CLONE3, bpf.ENOSYS)
        for number in MAKE_NAMESPACES[machine]:
            program += bpf.refuse_flags(number, bpf.FIRST_ARGUMENT, CLONE_NEWUSER)
    program.append(bpf.step(bpf.RETURN, bpf.ALLOW))
    return b"".join(program)
