"""The tools that the model may call, each a function from arguments to a text."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .. import workspace

MAX_READ = 12_000


class ToolError(Exception):
    """The call cannot be carried out; the text is for the model."""


@dataclass
class Tools:
    """The tools of one run."""

    clock: workspace.Clock
    step_seconds: float = 3600
    """The longest that one command may take."""

    scripts: int = 0

    def call(self, name: str, arguments: dict[str, Any]) -> str:
        """What a tool says; a wrong call is told what was wrong."""
        known: dict[str, Callable[..., str]] = {
            "shell": self.shell,
            "python": self.python,
            "read_file": self.read_file,
            "write_file": self.write_file,
            "edit_file": self.edit_file,
            "validate": self.validate,
        }
        if name not in known:
            return f"Error: there is no tool {name!r}; there are {', '.join(known)}"
        try:
            return known[name](**arguments)
        except TypeError as error:
            return f"Error: wrong arguments for {name}: {error}"
        except (ToolError, OSError, ValueError) as error:
            return f"Error: {error}"

    def shell(self, command: str, timeout_seconds: float = 0) -> str:
        return self._run(["bash", "-c", str(command)], timeout_seconds)

    def python(self, code: str, timeout_seconds: float = 0) -> str:
        """Each program is kept beside the others, so that a submission can be made again."""
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


def _tool(name: str, description: str, required: str, **properties: str) -> dict[str, Any]:
    kinds = {"timeout_seconds": "number", "start_line": "integer"}
    shapes = {
        key: {"type": kinds.get(key, "string"), "description": text}
        for key, text in properties.items()
    }
    parameters = {"type": "object", "properties": shapes, "required": required.split()}
    function = {"name": name, "description": description, "parameters": parameters}
    return {"type": "function", "function": function}


TIMEOUT = "Stop it after so many seconds."
DESCRIPTIONS = [
    _tool(
        "shell",
        "Run a bash command; background processes end with it.",
        "command",
        command="The command.",
        timeout_seconds=TIMEOUT,
    ),
    _tool(
        "python",
        "Run a complete Python program in a process of its own.",
        "code",
        code="The program.",
        timeout_seconds=TIMEOUT,
    ),
    _tool(
        "read_file",
        "Show a text file.",
        "path",
        path="The file.",
        start_line="Begin here.",
    ),
    _tool(
        "write_file", "Write a text file.", "path content", path="The file.", content="Its text."
    ),
    _tool(
        "edit_file",
        "Replace a text that occurs exactly once in a file.",
        "path old new",
        path="The file.",
        old="What is there.",
        new="What shall be there.",
    ),
    _tool(
        "validate",
        "Ask whether a submission has the right form; says nothing about its score.",
        "",
        path="The file, if not the submission in its place.",
    ),
]
