"""The tools that the model may call; each returns a text."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .. import workspace
from ..client import function_tool

MAX_READ = 12_000


class ToolError(Exception):
    """The call cannot be executed; the message is for the model."""


@dataclass
class Tools:
    """The tools of one run."""

    clock: workspace.Clock
    step_seconds: float = 3600
    """The longest that one command may take."""

    scripts: int = 0

    def call(self, name: str, arguments: dict[str, Any]) -> str:
        """The output of a tool, or a text about what is wrong with the call."""
        known = [tool["function"]["name"] for tool in DESCRIPTIONS]
        if name not in known:
            return f"Error: there is no tool {name!r}; there are {', '.join(known)}"
        try:
            return str(getattr(self, name)(**arguments))
        except TypeError as error:
            return f"Error: wrong arguments for {name}: {error}"
        except (ToolError, OSError, ValueError) as error:
            return f"Error: {error}"

    def shell(self, command: str, timeout_seconds: float = 0) -> str:
        return self._run(["bash", "-c", str(command)], timeout_seconds)

    def python(self, code: str, timeout_seconds: float = 0) -> str:
        """Run a program; it is kept, so that a submission can be reproduced."""
        self.scripts += 1
        folder = workspace.CODE / "steps"
        folder.mkdir(parents=True, exist_ok=True)
        file = folder / f"{self.scripts:03}.py"
        file.write_text(str(code), "utf-8")
        return self._run([sys.executable, "-u", str(file)], timeout_seconds)

    def _run(self, words: list[str], timeout_seconds: float) -> str:
        wanted = float(timeout_seconds) or self.step_seconds
        limit = max(0.1, min(wanted, self.step_seconds, self.clock.left()))
        done = workspace.execute(words, workspace.WORK, limit)
        end = f"exit code {done.exit_code}"
        if done.is_timed_out:
            end = f"stopped after {done.seconds:.0f} s"
        return f"{done.output}\n[{end}; took {done.seconds:.1f} s]"

    def read_file(self, path: str, start_line: int = 1) -> str:
        file = _place(path)
        shown = []
        left = MAX_READ
        with file.open(encoding="utf-8", errors="replace") as stream:
            for number, line in enumerate(stream, 1):
                if number < int(start_line):
                    continue
                left -= len(line)
                if left < 0:
                    shown.append(f"[cut at line {number}]")
                    break
                shown.append(line)
        return "".join(shown) or "[empty]"

    def write_file(self, path: str, content: str) -> str:
        file = _place(path)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(str(content), "utf-8")
        return f"{len(str(content))} characters written to {file}"

    def edit_file(self, path: str, old: str, new: str) -> str:
        file = _place(path)
        text = file.read_text("utf-8")
        count = text.count(old) if old else 0
        if count != 1:
            raise ToolError(f"the old text occurs {count} times in {file}, expected once")
        file.write_text(text.replace(old, new), "utf-8")
        return f"{file} edited"

    def validate(self, path: str = str(workspace.SUBMISSION)) -> str:
        return workspace.validate(_place(path))[1]


def _place(path: str) -> Path:
    return workspace.WORK / str(path)


PATH = ("string", "The file.")
TIMEOUT = ("number", "Stop it after this many seconds.")
DESCRIPTIONS = [
    function_tool(
        "shell",
        "Run a bash command; background processes end with it.",
        {"command": ("string", "The command."), "timeout_seconds": TIMEOUT},
        ["command"],
    ),
    function_tool(
        "python",
        "Run a complete Python program in a process of its own.",
        {"code": ("string", "The program."), "timeout_seconds": TIMEOUT},
        ["code"],
    ),
    function_tool(
        "read_file",
        "Show a text file.",
        {"path": PATH, "start_line": ("integer", "Begin here.")},
        ["path"],
    ),
    function_tool(
        "write_file",
        "Write a text file.",
        {"path": PATH, "content": ("string", "Its text.")},
        ["path", "content"],
    ),
    function_tool(
        "edit_file",
        "Replace a text that occurs exactly once in a file.",
        {"path": PATH, "old": ("string", "The old text."), "new": ("string", "The new text.")},
        ["path", "old", "new"],
    ),
    function_tool(
        "validate",
        "Ask whether a submission has the right form; says nothing about its score.",
        {"path": ("string", "The file, if not the submission in its place.")},
        [],
    ),
]
