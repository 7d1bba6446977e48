"""The first program in a sandbox: forwards two localhost ports to sockets, then starts the agent.

This file is mounted into the sandbox and run there, with the standard library only; nothing in it
is secret. With --control it waits for a signal from outside before it starts the agent. It ends
with the agent.

    python -I -S bridge.py [--control] [--reap] [--cgroup DIR]... [--namespaces SHM_BYTES]
                           [--sockets DIR] [--forward PORT:SOCKET]... [--processes N]
                           [--file-bytes N] [--filter FILE] -- COMMAND...
"""

from __future__ import annotations

import contextlib
import os
import resource
import signal
import socket
import sys
import threading

TYPE_CHECKING = False  # as in typing, whose import would take longer than all others
if TYPE_CHECKING:
    from typing import Any

READY = b"R"
GO = b"G"
CHUNK = 1 << 16
MOST_CONNECTIONS = 128
DEFAULT_FORWARDS = ("5000:validation.sock", "5001:gateway.sock")
PR_SET_SECCOMP, SECCOMP_MODE_FILTER = 22, 2
PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36
CLONE_NEWNS, CLONE_NEWIPC, CLONE_NEWUSER, CLONE_NEWPID = 1 << 17, 1 << 27, 1 << 28, 1 << 29
MS_NOSUID, MS_NODEV, MS_NOEXEC, MS_REC, MS_PRIVATE = 2, 4, 8, 1 << 14, 1 << 18
SEGMENTS = "/proc/sysvipc/shm"


def main(arguments: list[str]) -> int:
    """Listen on the ports, wait for the start signal, run the command, return its exit status."""
    options, command = _read_options(arguments)
    for folder in options["cgroup"]:
        _write(f"{folder}/cgroup.procs", "0")
    if options["namespaces"] is not None:
        _enter_namespaces(options["namespaces"])
    _handle_term()
    listeners = [_listen(port) for port, _ in options["forward"]]
    if options["reap"]:
        _become_reaper()
    control = _wait_for_start() if options["control"] else None
    _set_limits(options["processes"], options["file-bytes"])
    if options["filter"]:
        _filter_calls(options["filter"])
    agent = _start(command, close=listeners)
    for listener, (_, name) in zip(listeners, options["forward"], strict=True):
        path = os.path.join(options["sockets"], name)  # noqa: PTH118 (pathlib costs start-up time)
        threading.Thread(target=_serve, args=(listener, path), daemon=True).start()
    if control is not None and options["reap"]:
        threading.Thread(target=_end_with, args=(control,), daemon=True).start()
    elif control is not None:
        control.close()
    status = _wait(agent)
    if options["reap"]:
        end_descendants()
    return status


def _read_options(arguments: list[str]) -> tuple[dict[str, Any], list[str]]:
    options: dict[str, Any] = dict.fromkeys(("namespaces", "processes", "file-bytes", "filter"))
    options |= {"control": False, "reap": False, "sockets": "/run/sockets"}
    options |= {"forward": [], "cgroup": []}
    rest = list(arguments)
    while rest and rest[0] != "--":
        name = rest.pop(0).removeprefix("--")
        if name in ("control", "reap"):
            options[name] = True
        elif name in ("forward", "cgroup"):
            options[name].append(rest.pop(0))
        elif name in ("sockets", "filter"):
            options[name] = rest.pop(0)
        elif name in ("processes", "file-bytes", "namespaces"):
            options[name] = int(rest.pop(0))
        else:
            sys.exit(f"bridge: unknown option {name!r}")
    options["forward"] = [pair.split(":", 1) for pair in options["forward"] or DEFAULT_FORWARDS]
    if len(rest) < 2:
        sys.exit("bridge: no command")
    return options, rest[1:]


def _handle_term() -> None:
    """Pass SIGTERM on to the agent: an engine sends it to the first process, which is this one."""

    def pass_on(number: int, frame: object) -> None:
        with contextlib.suppress(OSError):
            os.kill(-1, number)

    signal.signal(signal.SIGTERM, pass_on if os.getpid() == 1 else signal.SIG_IGN)


def _listen(port: str) -> socket.socket:
    """Listen on a port; `@7` is a listening socket that this process got as descriptor 7."""
    if port.startswith("@"):
        return socket.socket(fileno=int(port[1:]))
    try:
        return socket.create_server(("127.0.0.1", int(port)), backlog=MOST_CONNECTIONS)
    except OSError as error:
        sys.exit(f"bridge: cannot listen on localhost:{port}: {error.strerror}")


def _wait_for_start() -> socket.socket:
    """Report on descriptor 0 that the sandbox is complete and wait for GO; exit at end of file."""
    control = socket.socket(fileno=os.dup(0))
    try:
        # The file shows the segments of the namespace in which it was opened.
        segments = os.open(SEGMENTS, os.O_RDONLY)
        socket.send_fds(control, [READY], [segments])
        os.close(segments)
    except OSError:
        control.sendall(READY)
    if control.recv(1) != GO:
        os._exit(0)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    return control


def _enter_namespaces(shm_bytes: int) -> None:
    """Continue as the first process of a PID namespace, with which every process of the run ends.

    Without root and user namespaces, the run continues without one. A child tries it first, because
    a process whose new namespace has ended cannot fork any more.
    """
    import ctypes

    libc = ctypes.CDLL(None, use_errno=True)
    trial = os.fork()
    if trial == 0:
        first = _split(libc)
        if first == 0:
            os._exit(0 if _mount_own(libc, shm_bytes) else 1)
        os._exit(_wait(first) if first else 1)
    if _wait(trial):
        return
    outer = os.getpid()
    first = _split(libc)
    if first:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        os.dup2(os.open(os.devnull, os.O_RDWR), 0)  # the other end must see the agent's end
        os._exit(_wait(first))
    libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    with open("/proc/self/stat", "rb") as file:
        parent = int(file.read().rpartition(b")")[2].split()[1])
    if parent != outer:  # it ended before the kernel knew of the request
        os._exit(1)
    _mount_own(libc, shm_bytes)


def _split(libc: Any) -> int | None:
    """Fork into new namespaces: 0 in the first process there, its PID here, None if forbidden."""
    uid, gid = os.getuid(), os.getgid()
    flags = CLONE_NEWPID | CLONE_NEWNS | CLONE_NEWIPC
    if libc.unshare(flags if uid == 0 else flags | CLONE_NEWUSER):
        return None
    if uid:
        _write("/proc/self/setgroups", "deny")
        _write("/proc/self/uid_map", f"{uid} {uid} 1")
        _write("/proc/self/gid_map", f"{gid} {gid} 1")
    return os.fork()


def _mount_own(libc: Any, shm_bytes: int) -> bool:
    """Mount the new namespace's /proc, and shared memory of a limited size; false if refused."""
    import ctypes

    def mount(kind: bytes, target: bytes, flags: int, data: bytes | None = None) -> bool:
        return not libc.mount(kind, target, kind, ctypes.c_ulong(flags), data)

    closed = MS_NOSUID | MS_NODEV
    is_own = mount(b"none", b"/", MS_REC | MS_PRIVATE)
    is_own = is_own and mount(b"proc", b"/proc", closed | MS_NOEXEC)
    mount(b"tmpfs", b"/dev/shm", closed, f"mode=1777,size={shm_bytes}".encode())
    return is_own


def _write(path: str, text: str) -> None:
    with open(path, "w") as file:
        file.write(text)


def _become_reaper() -> None:
    """Become the parent of the agent's orphans, so that we can end them."""
    import ctypes

    ctypes.CDLL(None, use_errno=True).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def _set_limits(processes: int | None, file_bytes: int | None) -> None:
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if file_bytes is not None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (file_bytes, file_bytes))
    if processes is not None:
        most = resource.getrlimit(resource.RLIMIT_NPROC)[1]
        if most != resource.RLIM_INFINITY:
            processes = min(processes, most)
        resource.setrlimit(resource.RLIMIT_NPROC, (processes, processes))


def _filter_calls(path: str) -> None:
    """Refuse system calls, in addition to those that the engine's own profile refuses."""
    try:
        import ctypes
    except ImportError:
        sys.exit("bridge: the system-call filter needs ctypes, which this python3 does not have")

    class Program(ctypes.Structure):
        _fields_ = (("length", ctypes.c_ushort), ("steps", ctypes.c_char_p))

    with open(path, "rb") as file:
        steps = file.read()
    program = ctypes.byref(Program(len(steps) // 8, steps))
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, program, 0, 0):
        sys.exit(f"bridge: no system-call filter: {os.strerror(ctypes.get_errno())}")


def _start(command: list[str], close: list[socket.socket]) -> int:
    pid = os.fork()
    if pid:
        return pid
    try:
        for listener in close:
            listener.close()
        with contextlib.suppress(OSError):
            _write("/proc/self/oom_score_adj", "1000")  # if memory runs out, the agent dies first
        for number in (signal.SIGTERM, signal.SIGPIPE, signal.SIGXFSZ):
            signal.signal(number, signal.SIG_DFL)
        os.execvp(command[0], command)
    except OSError as error:
        os.write(2, f"cannot start {command[0]!r}: {error.strerror}\n".encode())
    os._exit(127)


def _wait(agent: int) -> int:
    while True:
        try:
            pid, status = os.wait()
        except ChildProcessError:
            return 1
        if pid == agent:
            code = os.waitstatus_to_exitcode(status)
            return code if code >= 0 else 128 - code


def _serve(listener: socket.socket, path: str) -> None:
    places = threading.BoundedSemaphore(MOST_CONNECTIONS)
    while True:
        places.acquire()
        try:
            client, _ = listener.accept()
            threading.Thread(target=_carry, args=(client, path, places), daemon=True).start()
        except (OSError, RuntimeError):  # the agent has used up descriptors or threads
            places.release()


def _carry(client: socket.socket, path: str, places: threading.BoundedSemaphore) -> None:
    """Copy between a client and a new connection, so that a restarted server is reached."""
    host = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        host.connect(path)
        client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        back = threading.Thread(target=_copy, args=(host, client), daemon=True)
        back.start()
        _copy(client, host)
        back.join()
    except (OSError, RuntimeError):
        pass  # no server listens: the client sees a closed connection
    finally:
        client.close()
        host.close()
        places.release()


def _copy(source: socket.socket, target: socket.socket) -> None:
    try:
        while data := source.recv(CHUNK):
            target.sendall(data)
    except OSError:
        with contextlib.suppress(OSError):
            source.shutdown(socket.SHUT_RD)
    with contextlib.suppress(OSError):
        target.shutdown(socket.SHUT_WR)


def _end_with(control: socket.socket) -> None:
    """End the agent when the harness has ended, because without a namespace the kernel does not."""
    with contextlib.suppress(OSError):
        control.recv(1)
    end_descendants()
    os._exit(1)


def end_descendants() -> None:
    """Kill all descendants of this process, until none is found."""
    for _ in range(1000):
        found = _descendants(os.getpid())
        if not found:
            return
        for pid in found:
            with contextlib.suppress(OSError):
                os.kill(pid, signal.SIGKILL)
        with contextlib.suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass


def _descendants(root: int) -> list[int]:
    children: dict[int, list[int]] = {}
    for name in [entry.name for entry in os.scandir("/proc") if entry.name.isdigit()]:
        with contextlib.suppress(OSError), open(f"/proc/{name}/stat", "rb") as file:
            state, parent = file.read().rpartition(b")")[2].split()[:2]
            if state != b"Z":
                children.setdefault(int(parent), []).append(int(name))
    found = list(children.get(root, []))
    for pid in found:
        found.extend(children.get(pid, []))
    return found


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
