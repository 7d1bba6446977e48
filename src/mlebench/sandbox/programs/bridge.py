"""The first program in a sandbox: forwards two localhost ports to sockets, then starts the agent.

A single file of the standard library, mounted into the sandbox and run there; nothing in it is
secret. With --control it waits for a signal from outside before it starts the agent. It ends with
the agent.

    python -I -S bridge.py [--control] [--reap] [--sockets DIR] [--forward PORT:SOCKET]...
                           [--processes N] [--filter FILE] -- COMMAND...
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
PR_SET_CHILD_SUBREAPER = 36


def main(arguments: list[str]) -> int:
    """Listen on the ports, wait for the start signal, run the command, return its exit status."""
    options, command = _read_options(arguments)
    _handle_term()
    listeners = [_listen(int(port)) for port, _ in options["forward"]]
    if options["reap"]:
        _become_reaper()
    control = _wait_for_start() if options["control"] else None
    _set_limits(options["processes"])
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
    options: dict[str, Any] = {
        "control": False,
        "reap": False,
        "sockets": "/run/sockets",
        "forward": [],
        "processes": None,
        "filter": None,
    }
    rest = list(arguments)
    while rest and rest[0] != "--":
        name = rest.pop(0).removeprefix("--")
        if name in ("control", "reap"):
            options[name] = True
        elif name == "forward":
            options["forward"].append(rest.pop(0).split(":", 1))
        elif name in ("sockets", "filter"):
            options[name] = rest.pop(0)
        elif name == "processes":
            options["processes"] = int(rest.pop(0))
        else:
            sys.exit(f"bridge: unknown option {name!r}")
    if not options["forward"]:
        options["forward"] = [forward.split(":", 1) for forward in DEFAULT_FORWARDS]
    if len(rest) < 2:
        sys.exit("bridge: no command")
    return options, rest[1:]


def _handle_term() -> None:
    """Pass SIGTERM on to the agent: an engine sends it to the first process, which is this one."""

    def pass_on(number: int, frame: object) -> None:
        with contextlib.suppress(OSError):
            os.kill(-1, number)

    signal.signal(signal.SIGTERM, pass_on if os.getpid() == 1 else signal.SIG_IGN)


def _listen(port: int) -> socket.socket:
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind(("127.0.0.1", port))
        listener.listen(MOST_CONNECTIONS)
    except OSError as error:
        sys.exit(f"bridge: cannot listen on localhost:{port}: {error.strerror}")
    return listener


def _wait_for_start() -> socket.socket:
    """Report on descriptor 0 that the sandbox is complete and wait for GO; exit at end of file."""
    control = socket.socket(fileno=os.dup(0))
    control.sendall(READY)
    if control.recv(1) != GO:
        os._exit(0)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    return control


def _become_reaper() -> None:
    """Become the parent of the agent's orphans, so that we can end them."""
    import ctypes

    ctypes.CDLL(None, use_errno=True).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def _set_limits(processes: int | None) -> None:
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
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
        sys.exit("bridge: this python3 has no ctypes, without which there is no system-call filter")

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
    """Copy between a client and a new connection; a restarted server is thus found again."""
    host = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        host.connect(path)
        client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        back = threading.Thread(target=_copy, args=(host, client), daemon=True)
        back.start()
        _copy(client, host)
        back.join()
    except (OSError, RuntimeError):
        pass  # nobody listens on the socket: the client sees a closed connection
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
    """End the agent when the harness has gone, where no namespace does it."""
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
    for name in [entry.name for entry in os.scandir("/proc")]:
        if not name.isdigit():
            continue
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
