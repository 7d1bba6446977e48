"""The keeper of a sandbox: runs programs in it, and kills what each of them leaves.

Its code is executed by `zygote.py`, which forks a keeper for each sandbox. The keeper is outside
the sandbox's PID namespace, where no program can reach it.
"""

from __future__ import annotations

import base64
import contextlib
import ctypes
import fcntl
import json
import os
import resource
import select
import signal
import socket
import sys
import time
import types

TYPE_CHECKING = False  # as in typing, whose import would take longer than all others
if TYPE_CHECKING:
    from typing import Any, NoReturn

CLONE_NEWNS, CLONE_NEWCGROUP, CLONE_NEWUTS = 1 << 17, 1 << 25, 1 << 26
CLONE_NEWIPC, CLONE_NEWUSER, CLONE_NEWPID, CLONE_NEWNET = 1 << 27, 1 << 28, 1 << 29, 1 << 30
NAMESPACES = (
    CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWPID | CLONE_NEWNET
)
NS_GET_USERNS = 0xB701
MS_NOSUID, MS_NODEV, MS_REMOUNT = 2, 4, 32
IN_MEMORY = ("/home", "/tmp", "/dev/shm")
FEWEST_FILES = 1024
PR_SET_PDEATHSIG, PR_SET_SECCOMP, PR_CAPBSET_DROP, PR_SET_NO_NEW_PRIVS = 1, 22, 24, 38
PR_SET_DUMPABLE, PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL = 4, 47, 4
SECCOMP_MODE_FILTER = 2
CAPABILITY_VERSION = 0x20080522
LAST_CAPABILITY = 63
INSIDE_ID = 1000
PF_EXITING, IPC_RMID = 4, 0
SEGMENTS = "/proc/sysvipc/shm"
RUN, KILL = b"R", b"K"
CLEAR_SECONDS = 10.0
PROGRAM_NAME = "program.py"

libc = ctypes.CDLL(None, use_errno=True)


def keep(box: Any, control: int) -> NoReturn:
    """Run programs in a sandbox, one after the other, until the socket is closed.

    A request is `R` with two files: the program as JSON, and where its output goes. `K` ends it.

    Args:
        box: with the first process `init`, its start time `started`, and control `groups`.
    """
    try:
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        _close_others({control})
        # Joining a group takes a tenth of a second, so it is not done for each run: programs are
        # born in the groups of their keeper.
        for folder in box.groups:
            with open(f"{folder}/cgroup.procs", "w") as file:
                file.write("0")
        join(box)
        connection = socket.socket(fileno=control)
        spare = Spare()
        while True:
            message, files, _, _ = socket.recv_fds(connection, 1, 2, socket.MSG_CMSG_CLOEXEC)
            if not message:
                break
            if message == RUN:
                report = run_program(connection, spare, files)
                connection.sendall(json.dumps(report).encode())
                spare = Spare()
    finally:
        os._exit(0)


class Spare:
    """A process inside the sandbox that waits for a program: forking it takes time.

    It is forked while no other process is inside, and its program is the next one, so no program
    ever sees a process that waits.
    """

    def __init__(self) -> None:
        self.socket, theirs = socket.socketpair()
        self.pid = os.fork()
        if self.pid == 0:
            wait_for_program(theirs)
        theirs.close()


def run_program(connection: socket.socket, spare: Spare, files: list[int]) -> dict[str, Any]:
    """Run one program to its end; no process is left.

    Args:
        files: the program as JSON, and where its output goes.
    """
    request = _read_request(files[0])
    socket.send_fds(spare.socket, [RUN], files)
    spare.socket.close()
    for descriptor in files:
        os.close(descriptor)
    if request["reports_pid"]:
        connection.sendall(json.dumps({"pid": spare.pid}).encode())
    _wait(spare.pid, connection)
    _, status, usage = os.wait4(spare.pid, 0)
    return {
        "status": status,
        "processor_seconds": usage.ru_utime + usage.ru_stime,
        "is_clear": is_alone() or clear_processes(),
        "has_sandbox": is_alive("1"),
    }


def _read_request(file: int) -> dict[str, Any]:
    """The program; keeper and program share the file and its position."""
    request: dict[str, Any] = json.loads(os.pread(file, os.fstat(file).st_size, 0))
    return request


def is_alone(*own: str) -> bool:
    """Whether only the first process and some own ones live inside.

    `/proc` is that of the sandbox. Dead ones are collected by the first process.
    """
    names = [name for name in os.listdir("/proc") if name.isdigit()]  # noqa: PTH208 (no pathlib)
    return not any(is_alive(name) for name in names if name != "1" and name not in own)


def is_alive(name: str) -> bool:
    """Whether a process inside has not ended and is not about to end."""
    fields = _read_stat(name)
    return bool(fields) and fields[0] not in (b"Z", b"X") and not int(fields[6]) & PF_EXITING


def join(box: Any) -> None:
    """Enter the namespaces of a sandbox; children will be in its PID namespace."""
    first = os.pidfd_open(box.init)
    if start_time(box.init) != box.started:
        raise OSError("the sandbox is gone")
    user = os.open(f"/proc/{box.init}/ns/user", os.O_RDONLY)
    if os.geteuid() == 0:
        os.setgroups([])
        _setns(first, NAMESPACES)
    else:
        # Only in the user namespace that owns the others may we join them.
        mounts = os.open(f"/proc/{box.init}/ns/mnt", os.O_RDONLY)
        owner = fcntl.ioctl(mounts, NS_GET_USERNS)
        if os.fstat(owner).st_ino != os.fstat(user).st_ino:
            _setns(owner, CLONE_NEWUSER)
            _setns(first, NAMESPACES)
        else:
            _setns(first, NAMESPACES | CLONE_NEWUSER)
            user = -1
    for folder in IN_MEMORY:
        _limit_files(folder)
    if user >= 0:
        _setns(user, CLONE_NEWUSER)


def _limit_files(folder: str) -> None:
    """Allow one file for each page of a file system in memory: empty files take memory, too.

    bwrap has no option for this, and only the namespace that mounted it may change it.
    """
    files = max(FEWEST_FILES, os.statvfs(folder).f_blocks)
    flags = ctypes.c_ulong(MS_REMOUNT | MS_NOSUID | MS_NODEV)
    if libc.mount(None, folder.encode(), None, flags, f"nr_inodes={files}".encode()):
        raise OSError(ctypes.get_errno(), f"mount {folder}")


def _setns(file: int, kinds: int) -> None:
    if libc.setns(file, kinds):
        raise OSError(ctypes.get_errno(), "setns")


def _wait(pid: int, connection: socket.socket) -> None:
    """Wait for the end of a program, or kill it when the other end says so or is gone."""
    child = os.pidfd_open(pid)
    waiting = select.poll()
    waiting.register(child, select.POLLIN)
    waiting.register(connection, select.POLLIN)
    ready = dict(waiting.poll())
    if child not in ready:
        clear_processes(once=True)
        connection.recv(1)
    os.close(child)


def clear_processes(once: bool = False) -> bool:
    """Kill every process of the PID namespace but its first; true when none is left."""
    pid = os.fork()
    if pid:
        return os.waitpid(pid, 0)[1] == 0
    status = 1
    try:
        until = time.monotonic() + CLEAR_SECONDS
        while status and time.monotonic() < until:
            with contextlib.suppress(ProcessLookupError):
                os.kill(-1, signal.SIGKILL)
            status = 0 if once or is_alone(str(os.getpid())) else 1
            time.sleep(0.0005 * status)
    finally:
        os._exit(status)


def wait_for_program(connection: socket.socket) -> NoReturn:
    """Give up all privileges, then wait for a program and become it."""
    status = 1
    try:
        os.setsid()
        nothing = os.open(os.devnull, os.O_RDWR)
        for place in (0, 1, 2):
            os.dup2(nothing, place)
        _close_others({connection.fileno()})
        drop_privileges()
        with contextlib.suppress(OSError), open("/proc/self/oom_score_adj", "w") as file:
            file.write("1000")  # if memory runs out, the kernel kills the program first
        _remove_segments()
        os.umask(0o022)
        os.chdir("/home/agent")
        message, files, _, _ = socket.recv_fds(connection, 1, 2, socket.MSG_CMSG_CLOEXEC)
        if message == RUN:
            connection.close()
            status = become_program(*files)
    except BaseException as error:  # noqa: BLE001 (a fork must not return)
        os.write(2, f"{type(error).__name__}: {error}\n".encode())
    finally:
        os._exit(status)


def _remove_segments() -> None:
    """Remove shared memory that an earlier program left: it is not visible as a file."""
    with contextlib.suppress(OSError, ValueError, IndexError), open(SEGMENTS) as file:
        for line in file.readlines()[1:]:
            libc.shmctl(int(line.split()[1]), IPC_RMID, None)


def become_program(program: int, output: int) -> int:
    """Run code of the agent; its exit status."""
    request = _read_request(program)
    os.close(program)
    for place in (1, 2):
        os.dup2(output, place)
    os.close(output)
    _lower_limits(request["rlimits"])
    install_filter(base64.b64decode(request["filter"]))
    os.environ.clear()
    os.environ.update(request["environment"])
    for name, place in (("stdout", 1), ("stderr", 2)):
        stream = _text_stream(place)
        setattr(sys, name, stream)
        setattr(sys, f"__{name}__", stream)
    if request["command"] is not None:
        os.execvp("sh", ["sh", "-c", request["command"]])
    return run_code(request["code"], request["seed"])


def drop_privileges() -> None:
    """The agent's uid, no capability, and no way to gain one."""
    if os.getuid() != INSIDE_ID:
        os.setresgid(INSIDE_ID, INSIDE_ID, INSIDE_ID)
        os.setresuid(INSIDE_ID, INSIDE_ID, INSIDE_ID)
    for number in range(LAST_CAPABILITY + 1):
        libc.prctl(PR_CAPBSET_DROP, number, 0, 0, 0)
    libc.prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0)
    header = (ctypes.c_uint32 * 2)(CAPABILITY_VERSION, 0)
    if libc.capset(header, (ctypes.c_uint32 * 6)()):
        raise OSError(ctypes.get_errno(), "capset")
    # After the change of uid, which clears the setting.
    libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    libc.prctl(PR_SET_DUMPABLE, 1, 0, 0, 0)  # else its own files in /proc belong to root
    if libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0):
        raise OSError(ctypes.get_errno(), "no_new_privs")


def install_filter(steps: bytes) -> None:
    """Refuse system calls, as in the other runs of bwrap; nothing is done without steps."""
    if steps:
        fields = (("length", ctypes.c_ushort), ("steps", ctypes.c_char_p))
        kind = type("Filter", (ctypes.Structure,), {"_fields_": fields})
        listing = ctypes.byref(kind(len(steps) // 8, steps))
        if libc.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, listing, 0, 0):
            raise OSError(ctypes.get_errno(), "seccomp")


def _lower_limits(limits: dict[str, int]) -> None:
    for name, value in limits.items():
        kind = getattr(resource, name)
        most = resource.getrlimit(kind)[1]
        value = value if most == resource.RLIM_INFINITY else min(value, most)
        resource.setrlimit(kind, (value, value))


def run_code(code: str, seed: int) -> int:
    """Run code as `__main__`; its exit status."""
    import atexit
    import linecache
    import random
    import threading
    import traceback

    main = types.ModuleType("__main__")
    sys.modules["__main__"] = main
    sys.argv = [PROGRAM_NAME]
    sys.path.insert(0, "/home/agent")
    random.seed(seed)
    if "numpy" in sys.modules:
        sys.modules["numpy"].random.seed(seed % (1 << 32))
    lines = f"{code}\n".splitlines(keepends=True)
    linecache.cache[PROGRAM_NAME] = (len(code), None, lines, PROGRAM_NAME)
    status = 0
    try:
        exec(compile(code, PROGRAM_NAME, "exec", dont_inherit=True), main.__dict__)
    except SystemExit as error:
        status = _exit_status(error.code)
    except BaseException as error:  # noqa: BLE001 (whatever the program raises)
        trace = error.__traceback__.tb_next if error.__traceback__ else None
        traceback.print_exception(type(error), error, trace)
        status = 1
    with contextlib.suppress(BaseException):
        # As at the end of an interpreter; it has no public name.
        threading._shutdown()  # type: ignore[attr-defined]
        atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(Exception):
            stream.flush()
    return status


def _exit_status(code: object) -> int:
    if code is None or isinstance(code, int):
        return (code or 0) & 0xFF
    sys.stderr.write(f"{code}\n")
    return 1


def _text_stream(file: int) -> Any:
    return open(file, "w", encoding="utf-8", errors="backslashreplace", buffering=1, closefd=False)


def _close_others(keep: set[int]) -> None:
    """Close all descriptors except 0, 1, 2 and those given."""
    start = 3
    for file in sorted(file for file in keep if file >= 3):
        os.closerange(start, file)
        start = file + 1
    if hasattr(libc, "close_range"):
        libc.close_range(start, ctypes.c_uint(0xFFFFFFFF), 0)
    else:
        os.closerange(start, resource.getrlimit(resource.RLIMIT_NOFILE)[0])


def start_time(pid: int) -> str:
    """The start of a process in clock ticks, which tells it from a later one; empty if gone."""
    fields = _read_stat(pid)
    return fields[19].decode() if fields else ""


def _read_stat(pid: int | str) -> list[bytes]:
    """The fields of /proc/PID/stat after the name, which may contain anything; none if gone."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            return file.read().rpartition(b")")[2].split()
    except OSError:
        return []
