"""Make a task for MLAgentBench, run its agent, and keep its submission in place."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

TASK = "competition"
LOOK_SECONDS = 20.0
PROBLEM = """Solve the machine-learning competition that description.txt describes. The data is in
the folder data. Write a program train.py that trains a model, prints its score on held-out training
data and writes submission.csv in the required format. You have {seconds:.0f} seconds. Improve it
as far as you can.
"""
STARTER = '"""Train a model on the files in data/ and write submission.csv."""\n'


def main() -> int:
    home = Path(sys.argv[1])
    granted = float(os.environ.get("MLEBENCH_SECONDS") or 3600)
    deadline = time.monotonic() + granted - max(5.0, min(60.0, 0.03 * granted))
    mlab = home / "agent" / "mlab"
    make_task(mlab / "MLAgentBench" / "benchmarks" / TASK, home, granted)
    # Its client reads organisation and key from a file and the address from a variable.
    (mlab / "openai_api_key.txt").write_text(f":{os.environ['OPENAI_API_KEY']}", "utf-8")
    environment = os.environ | {"OPENAI_API_BASE": os.environ["OPENAI_BASE_URL"]}
    work = home / "agent" / "workspace"
    child = subprocess.Popen(
        command(home, work, granted), cwd=mlab, env=environment, start_new_session=True
    )
    try:
        while child.poll() is None and time.monotonic() < deadline:
            with contextlib.suppress(subprocess.TimeoutExpired):
                child.wait(min(LOOK_SECONDS, max(0.1, deadline - time.monotonic())))
            keep(work, home, settled_seconds=2)
    finally:
        if child.poll() is None:
            os.killpg(child.pid, signal.SIGKILL)
    keep(work, home)
    return 0 if (home / "submission" / "submission.csv").is_file() else 1


def make_task(folder: Path, home: Path, seconds: float) -> None:
    """Write a task in the layout of its benchmarks: files for the agent and facts about them."""
    environment, scripts = folder / "env", folder / "scripts"
    environment.mkdir(parents=True)
    scripts.mkdir()
    (environment / "data").symlink_to(home / "data")
    description = home / "data" / "description.md"
    text = description.read_text("utf-8", "replace") if description.is_file() else ""
    (environment / "description.txt").write_text(text, "utf-8")
    (environment / "train.py").write_text(STARTER, "utf-8")
    (scripts / "research_problem.txt").write_text(PROBLEM.format(seconds=seconds), "utf-8")
    (scripts / "read_only_files.txt").write_text("data/*\n", "utf-8")


def command(home: Path, work: Path, seconds: float) -> list[str]:
    parameters = json.loads(os.environ.get("MLEBENCH_PARAMETERS") or "{}")
    model = str(parameters.get("model") or os.environ["MLEBENCH_MODEL"])
    words = [sys.executable, "-u", "-m", "MLAgentBench.runner", "--task", TASK, "--device", "0"]
    words += ["--python", sys.executable, "--agent-type", "ResearchAgent"]
    words += ["--log-dir", str(home / "logs" / "mlab"), "--work-dir", str(work)]
    words += ["--max-steps", str(parameters.get("max_steps", 50)), "--max-time", f"{seconds:.0f}"]
    for option in ("--llm-name", "--fast-llm-name", "--edit-script-llm-name"):
        words += [option, model]
    return words


def keep(work: Path, home: Path, settled_seconds: float = 0) -> None:
    """Copy the newest submission, if it is newer than the one in place and no longer written to."""
    found = [file for file in work.rglob("submission.csv") if file.is_file()]
    if not found:
        return
    newest = max(found, key=lambda file: file.stat().st_mtime)
    goal = home / "submission" / "submission.csv"
    written = newest.stat().st_mtime
    is_old = goal.is_file() and goal.stat().st_mtime >= written
    if is_old or time.time() - written < settled_seconds:
        return
    part = goal.with_name(".submission.part")
    shutil.copyfile(newest, part)
    part.replace(goal)


if __name__ == "__main__":
    sys.exit(main())
