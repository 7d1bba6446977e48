"""Have agents' files parsed in confined children: tables, search trees, recorded exchanges.

The viewer itself only reads windows of text by their offsets, decodes and escapes them. Whatever
needs a parser is done by a fresh child of a fork server for each request, with little memory and
time, without network and with no files but those it was handed.
"""

from __future__ import annotations

import json
import socket
from collections.abc import Callable, Sequence
from dataclasses import astuple, dataclass, field
from typing import Any

from mlebench.system.confinement import Confinement, address_space, confine
from mlebench.system.fork_server import ForkServer
from mlebench.viewer.exchanges import Step, read_messages, scan_steps
from mlebench.viewer.lines import Lines
from mlebench.viewer.parsing import parse_notebook, parse_table, parse_tree
from mlebench.viewer.places import Absent

SPARE_MEMORY = 512 << 20
CPU_SECONDS = 8
SECONDS = 20.0
"""How long the viewer waits for a child, which may share the processor with others."""

MAX_REPLY = 16 << 20
MODULE = "mlebench.viewer.previews"


class PreviewFailed(Exception):
    """A file cannot be shown; the text is one sentence for the user."""


class Previews:
    """Starts children that parse; threads may share it."""

    target = f"{MODULE}:work"

    def __init__(self) -> None:
        self._forks = ForkServer((MODULE,))

    def start(self) -> None:
        """Start the fork server, which the first preview would otherwise wait for."""
        self._forks.warm([MODULE])

    def stop(self) -> None:
        """End the fork server and its children."""
        self._forks.stop()

    def ask(
        self, task: str, facts: dict[str, Any], files: Sequence[int], readable: Sequence[str] = ()
    ) -> Any:
        """What a task of `TASKS` returns for some open files; `readable` may be opened as well.

        Raises:
            PreviewFailed: the files are damaged, or parsing them takes too much.
        """
        request = {"task": task, "facts": facts, "readable": list(readable)}
        child = self._forks.fork(self.target, request, files)
        try:
            reply = child.receive(SECONDS, MAX_REPLY)
        except TimeoutError:
            reply = None
        finally:
            child.end()
        try:
            found = json.loads(reply.decode("utf-8", "surrogatepass")) if reply else {}
        except (ValueError, RecursionError):
            found = {}
        if "found" in found:
            return found["found"]
        raise PreviewFailed(
            found.get("problem") or "this cannot be shown: parsing it takes too much memory or time"
        )


@dataclass(frozen=True)
class Readers:
    """What the pages of a viewer share to read files of agents."""

    lines: Lines = field(default_factory=Lines)
    previews: Previews = field(default_factory=Previews)


def work(connection: socket.socket, request: dict[str, Any], *files: int) -> None:
    """The task of a child: parse, and send the result as one line of JSON."""
    confine(
        Confinement(
            memory_bytes=address_space() + SPARE_MEMORY,
            cpu_seconds=CPU_SECONDS,
            readable=tuple(request["readable"]),
        )
    )
    text = json.dumps(answer(request, files), ensure_ascii=False)
    connection.sendall(text.encode("utf-8", "surrogatepass") + b"\n")


def answer(request: dict[str, Any], files: Sequence[int]) -> dict[str, Any]:
    """The reply of a child: `found`, or a `problem`."""
    try:
        return {"found": TASKS[request["task"]](*files, **request["facts"])}
    except Absent as error:
        return {"problem": str(error)}
    except RecursionError:
        return {"problem": "this cannot be shown: it is nested too deeply"}
    except MemoryError:
        return {}


def _scan(descriptor: int, position: int, most: int) -> dict[str, Any]:
    steps, reached, is_cut = scan_steps(descriptor, position, most)
    return {"steps": [astuple(step) for step in steps], "position": reached, "is_cut": is_cut}


def _messages(
    descriptor: int, host: int, *, steps: list[list[Any]], first: int, skipped: int
) -> list[dict[str, Any]]:
    parsed = [Step(*step) for step in steps]
    return read_messages(descriptor, host, parsed, first=first, skipped=skipped)


TASKS: dict[str, Callable[..., Any]] = {
    "table": parse_table,
    "tree": parse_tree,
    "notebook": parse_notebook,
    "scan": _scan,
    "messages": _messages,
}
