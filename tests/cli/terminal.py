"""A terminal for tests: a command runs in it, keys are pressed, and its rows can be read."""

from __future__ import annotations

import os
import pty
import re
import select
import signal
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

COLUMNS, LINES = 160, 30
ESCAPES = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]")
PARTS = re.compile(r"\x1b\[([0-9;?]*)([a-zA-Z])|([^\x1b])", re.DOTALL)


def rows_shown(text: str) -> list[str]:
    """The rows that a terminal shows after these bytes; knows the escapes that rich uses."""
    rows: list[list[str]] = [[]]
    x = y = 0
    for number, letter, character in PARTS.findall(text):
        if letter == "A":
            y = max(0, y - int(number or 1))
        elif letter == "K":
            rows[y] = []
        elif character == "\r":
            x = 0
        elif character:
            if character == "\n" or x == COLUMNS:
                y += 1
                x = x if character == "\n" else 0
                rows += [[] for _ in range(y + 1 - len(rows))]
            if character != "\n":
                rows[y] += " " * (x + 1 - len(rows[y]))
                rows[y][x] = character
                x += 1
    return ["".join(row).rstrip() for row in rows]


class Terminal:
    """A command with a terminal of its own, in which keys can be pressed."""

    def __init__(self, words: list[str], cwd: Path, environment: dict[str, str]) -> None:
        self._child, self._keys = pty.fork()
        if self._child == 0:
            # Tests that a shell started in the background ignore it, and so would this command.
            signal.signal(signal.SIGINT, signal.SIG_DFL)
            os.chdir(cwd)
            size = {"COLUMNS": str(COLUMNS), "LINES": str(LINES), "TERM": "xterm"}
            os.environ.update(environment | size)
            os.execv(words[0], words)
        self.screen = ""
        self._received = ""

    def read_until(self, is_there: Callable[[str], object], seconds: float = 120) -> None:
        """Read what is shown until something is on the screen."""
        limit = time.monotonic() + seconds
        while not is_there(self.screen):
            assert time.monotonic() < limit, self.screen
            ready, _, _ = select.select([self._keys], [], [], 0.2)
            if ready:
                try:
                    text = os.read(self._keys, 65536).decode("utf-8", "replace")
                except OSError:
                    assert is_there(self.screen), self.screen
                    return
                self._received += text
                self.screen += ESCAPES.sub("", text)

    def press_ctrl_c(self) -> None:
        os.write(self._keys, b"\x03")

    def wait(self, seconds: float = 120) -> int:
        """Read to the end; returns the exit code."""
        limit = time.monotonic() + seconds
        while time.monotonic() < limit:
            with suppress(AssertionError):
                self.read_until(lambda screen: False, 0.2)
            child, status = os.waitpid(self._child, os.WNOHANG)
            if child:
                return os.waitstatus_to_exitcode(status)
        raise AssertionError(f"still running:\n{self.screen}")

    def close(self) -> None:
        try:
            os.kill(self._child, signal.SIGKILL)
            os.waitpid(self._child, 0)
        except (ProcessLookupError, ChildProcessError):
            pass
        os.close(self._keys)

    def rows(self) -> list[str]:
        """What is on the screen and above it, row by row."""
        return rows_shown(self._received)
