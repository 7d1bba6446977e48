"""The system-call filter of the bubblewrap and docker sandboxes, as classic BPF made with `struct`.

It refuses calls that need no privilege and that namespaces do not restrict: keyrings, io_uring,
other socket families, input into a terminal. Everything else is allowed.
"""

from __future__ import annotations

import os

from mlebench.system import bpf
from mlebench.system.confinement import CLONE, CLONE3, IOCTL, TIOCLINUX, TIOCSTI

FAMILIES = (1, 2, 10, 16)  # UNIX, INET, INET6, NETLINK
REFUSED = {
    "keyctl": (250, 219), "add_key": (248, 217), "request_key": (249, 218), "bpf": (321, 280),
    "perf_event_open": (298, 241), "userfaultfd": (323, 282), "open_by_handle_at": (304, 265),
    "mount": (165, 40), "umount2": (166, 39), "pivot_root": (155, 41), "move_mount": (429, 429),
    "open_tree": (428, 428), "fsopen": (430, 430), "fsmount": (432, 432),
    "mount_setattr": (442, 442), "setns": (308, 268), "kexec_load": (246, 104),
    "kexec_file_load": (320, 294), "init_module": (175, 105), "finit_module": (313, 273),
    "delete_module": (176, 106), "quotactl": (179, 60), "acct": (163, 89), "swapon": (167, 224),
    "swapoff": (168, 225), "reboot": (169, 142), "syslog": (103, 116),
    "fanotify_init": (300, 262), "sethostname": (170, 161), "setdomainname": (171, 162),
}  # fmt: skip
"""Call numbers on the architectures of `bpf.AUDIT_ARCH`, in that order."""

IO_URING = (425, 426, 427)
SOCKET, SOCKETPAIR, UNSHARE = (41, 198), (53, 199), (272, 97)
CLONE_NEWUSER = 0x10000000


def seccomp_filter(machine: str | None = None, *, namespaces: bool = True) -> bytes | None:
    """The filter for a processor architecture; None if its call numbers are unknown.

    Args:
        namespaces: whether user namespaces may be created; false if nothing else forbids them.
    """
    machine = machine or os.uname().machine
    if machine not in bpf.AUDIT_ARCH:
        return None
    column = list(bpf.AUDIT_ARCH).index(machine)
    program = bpf.beginning(machine)
    for number in sorted(numbers[column] for numbers in REFUSED.values()):
        program += bpf.refuse(number)
    for number in IO_URING:
        program += bpf.refuse(number, bpf.ENOSYS)
    for numbers in (SOCKET, SOCKETPAIR):
        program += bpf.only_if_argument(
            numbers[column], bpf.FIRST_ARGUMENT, FAMILIES, bpf.EAFNOSUPPORT
        )
    program += bpf.unless_argument(IOCTL[column], bpf.SECOND_ARGUMENT, (TIOCSTI, TIOCLINUX))
    if not namespaces:
        # The flags of clone3 are in memory, where a filter cannot look; libc falls back to clone.
        program += bpf.refuse(CLONE3, bpf.ENOSYS)
        for numbers in (CLONE, UNSHARE):
            program += bpf.refuse_flags(numbers[column], bpf.FIRST_ARGUMENT, CLONE_NEWUSER)
    program.append(bpf.step(bpf.RETURN, bpf.ALLOW))
    return b"".join(program)
