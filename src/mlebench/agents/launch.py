"""Start the program of a configured agent inside a sandbox, again if it fails.

It uses the standard library only, writes /home/agent/config.json (task, input data with
descriptions, parameters) and /home/agent/task.md, and runs the command in a writable copy of
the program.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

PACKAGE = Path(__file__).resolve().parent
HOME = Path(os.environ.get("MLEBENCH_ROOT") or "/") / "home"
WORK = HOME / "agent"
PLACES = {
    "data": str(HOME / "data"),
    "submission": str(HOME / "submission" / "submission.csv"),
    "code": str(HOME / "code"),
    "logs": str(HOME / "logs"),
    "config": str(WORK / "config.json"),
    "task": str(WORK / "task.md"),
}


def main() -> int:
    started = time.monotonic()
    seconds = float(os.environ.get("MLEBENCH_SECONDS") or 3600)
    settings = json.loads((PACKAGE / "settings.json").read_text("utf-8"))
    write_files(settings, seconds)
    code = 1
    for attempt in range(1 + settings["retries"]):
        if attempt and time.monotonic() - started > 0.95 * seconds:
            break
        code = run(settings["command"])
        if code == 0 and Path(PLACES["submission"]).is_file():
            return 0
        print(f"attempt {attempt + 1}: exit code {code}", flush=True)
    return code or 1


def write_files(settings: dict[str, Any], seconds: float) -> None:
    """Write what the program can read: the task as text, and everything as JSON."""
    description = HOME / "data" / "description.md"
    text = description.read_text("utf-8", "replace") if description.is_file() else ""
    task = "\n\n".join(filter(None, [fill(settings["task"]), text]))
    inputs = [
        {name: fill(text) for name, text in entry.items()} for entry in settings["input_data"]
    ]
    config = {
        "task": task,
        "input_data": inputs,
        "parameters": json.loads(os.environ.get("MLEBENCH_PARAMETERS") or "{}"),
        "output": PLACES["submission"],
        "seconds": seconds,
        "model": os.environ.get("MLEBENCH_MODEL"),
    }
    Path(PLACES["task"]).write_text(task, "utf-8")
    Path(PLACES["config"]).write_text(json.dumps(config, indent=1), "utf-8")


def run(command: str) -> int:
    """One attempt, in a fresh copy of the program, which may write into its own folder."""
    program = WORK / "program"
    shutil.rmtree(program, ignore_errors=True)
    shutil.copytree(PACKAGE / "program", program)
    return subprocess.run(["sh", "-c", fill(command)], cwd=program).returncode


def fill(text: str) -> str:
    """Replace the names of places in braces; other braces stay as they are."""
    for name, place in PLACES.items():
        text = text.replace(f"{{{name}}}", place)
    return text


if __name__ == "__main__":
    sys.exit(main())
