"""Starts sandboxes with bwrap, and forks programs with imported libraries into them.

Run as `python -s -S -P zygote.py FD` with the standard library and the folder of libraries on its
path; it holds no secret, because programs of agents inherit its memory. FD is a socket for JSON
messages, one per packet. The first one says what to import.

    {"op": "start", "id", "order"} + file   -> {"id", "event": "started", "init", "time"}
                                               or {"id", "event": "failed", "text"}
    {"op": "end", "id"}                     -> {"id", "event": "ended", "status"}

The first process of a sandbox is a shell that waits for the end of its input, so that an idle
sandbox takes little memory. Beside it a keeper (`keeper.py`) is forked, which joins the sandbox and
runs programs; it is reached by a socket, whose other end came with `start`.
"""

from __future__ import annotations

import base64
import contextlib
import gc
import importlib
import json
import os
import re
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

STATUS_MARK, CONTENT_MARK = "@status", "@content:"
FIRST_PROCESS = ("-c", "echo R; exec >&- 2>&-; read x")
"""Of a shell; bash also collects dead processes, other shells leave them until the end."""
MAX_MESSAGE = 1 << 20
CLEAR_SECONDS = 10.0
REMOVE_TRIES = 500


class Box:
    """A sandbox: bwrap outside, its first process inside."""

    def __init__(self, number: int, monitor: int, groups: list[str], files: list[int]) -> None:
        self.number = number
        self.monitor = monitor
        self.groups = groups
        self.stdin, self.output, self.status = files
        self.init = 0
        self.started = ""
        self.socket = -1
        self.text = b""
        self.is_ready = False
        self.exit: int | None = None
        self.tries = 0

    def close(self) -> None:
        for file in (self.stdin, self.output, self.status, self.socket):
            if file >= 0:
                os.close(file)
        self.stdin = self.output = self.status = self.socket = -1


class Zygote:
    """The loop of this program."""

    def __init__(self, control: socket.socket) -> None:
        self.control = control
        self.boxes: dict[int, Box] = {}
        self.monitors: dict[int, Box] = {}
        self.ending: list[Box] = []
        self.launcher: Any = None
        self.keeper: Any = None
        self.waiting: dict[int, Box] = {}
        self.imports: list[str] = []
        self.paths: dict[str, str] = {}
        self.poll = select.poll()
        self.wake, wake_end = os.pipe()
        for file in (self.wake, wake_end):
            os.set_blocking(file, False)
        signal.set_wakeup_fd(wake_end, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda number, frame: None)

    def serve(self) -> None:
        """Work until the other end of the socket is closed, then end all sandboxes."""
        self.poll.register(self.control, select.POLLIN)
        self.poll.register(self.wake, select.POLLIN)
        while True:
            for file, _ in self.poll.poll(self._patience()):
                if file == self.control.fileno():
                    if not self._receive():
                        self._end_all()
                        return
                elif file == self.wake:
                    with contextlib.suppress(BlockingIOError):
                        os.read(self.wake, 4096)
                elif file in self.waiting:
                    self._hear(self.waiting[file])
            self._collect()
            self._remove_groups()
            if self.paths and not self.waiting:
                self._import_next()

    def _patience(self) -> int | None:
        """Milliseconds to wait for messages."""
        if self.paths and not self.waiting:
            return 0
        return 5 if self.ending else None

    def _receive(self) -> bool:
        try:
            data, files, _, _ = socket.recv_fds(
                self.control, MAX_MESSAGE, 4, socket.MSG_CMSG_CLOEXEC
            )
        except ConnectionError:
            return False
        if not data:
            return False
        message = json.loads(data)
        try:
            getattr(self, "_on_" + message["op"])(message, files)
        finally:
            for file in files:
                os.close(file)
        return True

    def _send(self, **message: object) -> None:
        with contextlib.suppress(OSError):  # the other end is gone; the loop sees that, too
            self.control.sendall(json.dumps(message).encode())

    def _on_prepare(self, message: dict[str, Any], files: list[int]) -> None:
        """Load our own modules; the libraries are imported while there is nothing else to do."""
        for name, source in message["modules"].items():
            module = types.ModuleType(name)
            exec(compile(source, f"{name}.py", "exec"), module.__dict__)
            setattr(self, name, module)
        self.imports = list(message["imports"])
        self.paths = message["paths"]

    def _import_next(self) -> None:
        """Import one library; after the last one, give all the paths that they have inside."""
        if self.imports:
            with contextlib.suppress(Exception):
                importlib.import_module(self.imports.pop(0))
        if not self.imports and self.paths:
            move_modules(self.paths)
            self.paths = {}
            gc.collect()
            gc.freeze()  # a collection in a child would copy every page that has an object
            for box in self.boxes.values():
                self._fork_keeper(box)
            self._send(event="prepared")

    def _on_start(self, message: dict[str, Any], files: list[int]) -> None:
        order = message["order"]
        stdin, stdin_end = os.pipe()
        output_end, output = os.pipe()
        status_end, status = os.pipe()
        pid = os.fork()
        if pid == 0:
            self._become_bwrap(order, stdin, output, status)
        for file in (stdin, output, status):
            os.close(file)
        box = Box(message["id"], pid, order["cgroups"], [stdin_end, output_end, status_end])
        box.socket = os.dup(files[0])
        self.boxes[box.number] = self.monitors[pid] = box
        self.waiting[output_end] = box
        self.poll.register(output_end, select.POLLIN)

    def _become_bwrap(
        self, order: dict[str, Any], stdin: int, output: int, status: int
    ) -> NoReturn:
        try:
            signal.set_wakeup_fd(-1)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            for place, file in enumerate((stdin, output, output)):
                os.dup2(file, place)
            contents = map(base64.b64decode, order.pop("contents"))
            files = [self.launcher.memory_file(content) for content in contents]
            marks = {f"{CONTENT_MARK}{n}": str(file) for n, file in enumerate(files)}
            marks[STATUS_MARK] = str(status)
            order["args"] = [marks.get(item, item) for item in order["args"]]
            order |= {"keep": [status, *files], "parent": os.getppid()}
            self.launcher.launch(order | {"command": _first_process()})
        except BaseException as error:  # noqa: BLE001 (a fork must not return)
            os.write(2, f"launcher: {error}\n".encode())
        os._exit(125)

    def _hear(self, box: Box) -> None:
        """The first process says that the sandbox is complete, or bwrap says what is wrong."""
        data = os.read(box.output, 4096)
        box.text += data
        if data and not box.text.startswith(b"R"):
            return
        self.poll.unregister(box.output)
        del self.waiting[box.output]
        if data:
            found = re.search(rb'"child-pid": *(\d+)', os.read(box.status, 4096))
            box.init = int(found[1]) if found else 0
            box.started = self.keeper.start_time(box.init)
        os.close(box.output)
        os.close(box.status)
        box.output = box.status = -1
        if box.started:
            box.is_ready = True
            self._fork_keeper(box)
            self._send(id=box.number, event="started", init=box.init, time=box.started)
        else:
            self._kill(box)

    def _fork_keeper(self, box: Box) -> None:
        """Programs inherit what is imported, so keepers wait for that."""
        if self.paths or not box.is_ready or box.socket < 0:
            return
        pid = os.fork()
        if pid == 0:
            self.keeper.keep(box, box.socket)
        os.close(box.socket)
        box.socket = -1

    def _on_end(self, message: dict[str, Any], files: list[int]) -> None:
        if box := self.boxes.get(message["id"]):
            self._kill(box)

    def _kill(self, box: Box) -> None:
        """Killing the first process ends its PID namespace."""
        if box.init and self.keeper.start_time(box.init) == box.started:
            with contextlib.suppress(OSError):
                os.kill(box.init, signal.SIGKILL)
        if box.exit is None:
            with contextlib.suppress(OSError):
                os.kill(box.monitor, signal.SIGKILL)

    def _collect(self) -> None:
        """Notice sandboxes that have ended, and collect keepers."""
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return
            if pid == 0:
                return
            box = self.monitors.pop(pid, None)
            if box is not None:
                box.exit = status
                self._kill(box)
                if box.output in self.waiting:
                    self.poll.unregister(box.output)
                    del self.waiting[box.output]
                    with contextlib.suppress(OSError):
                        os.set_blocking(box.output, False)
                        box.text += os.read(box.output, 4096)
                box.close()
                self.ending.append(box)

    def _remove_groups(self) -> None:
        """Remove the control groups of ended sandboxes, as soon as the kernel lets us."""
        for box in list(self.ending):
            box.tries += 1
            if all(map(_remove_group, box.groups)) or box.tries > REMOVE_TRIES:
                self.ending.remove(box)
                del self.boxes[box.number]
                text = box.text.decode("utf-8", "replace")
                event = "ended" if box.is_ready else "failed"
                self._send(id=box.number, event=event, status=box.exit, text=text)

    def _end_all(self) -> None:
        for box in self.boxes.values():
            self._kill(box)
        until = time.monotonic() + CLEAR_SECONDS
        while self.boxes and time.monotonic() < until:
            self._collect()
            self._remove_groups()
            time.sleep(0.005)


def move_modules(paths: dict[str, str]) -> None:
    """Replace the folders of the host by those in a sandbox, once for all programs.

    Code objects keep the names of their files, which only shows in tracebacks.
    """
    pairs = [(old.rstrip("/") + "/", new + "/") for old, new in paths.items()]

    def moved(text: Any) -> Any:
        for old, new in pairs:
            if isinstance(text, str) and (text + "/").startswith(old):
                return (new + (text + "/").removeprefix(old)).rstrip("/")
        return text

    for module in list(sys.modules.values()):
        spec = getattr(module, "__spec__", None)
        for owner, names in (
            (module, ("__file__", "__cached__")),
            (spec, ("origin", "cached")),
            (getattr(spec, "loader", None), ("path",)),
        ):
            for name in names:
                with contextlib.suppress(Exception):
                    setattr(owner, name, moved(getattr(owner, name)))
        with contextlib.suppress(Exception):
            module.__path__[:] = [moved(part) for part in module.__path__]
    sys.path[:] = [moved(part) for part in sys.path]
    sys.path_importer_cache.clear()
    for name in ("prefix", "base_prefix", "exec_prefix", "base_exec_prefix"):
        setattr(sys, name, moved(getattr(sys, name)))
    sys.executable = "/opt/python/bin/python3"


def _first_process() -> list[str]:
    is_bash = os.path.exists("/usr/bin/bash")  # noqa: PTH110 (no pathlib)
    shell = ["/usr/bin/bash", "--norc", "--noprofile"] if is_bash else ["/bin/sh"]
    return [*shell, *FIRST_PROCESS]


def _remove_group(folder: str) -> bool:
    try:
        os.rmdir(folder)  # noqa: PTH106 (no pathlib)
    except FileNotFoundError:
        return True
    except OSError:
        return False
    return True


def main() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    limit = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit))
    control = socket.socket(fileno=int(sys.argv[1]))
    control.set_inheritable(False)
    Zygote(control).serve()


if __name__ == "__main__":
    main()
