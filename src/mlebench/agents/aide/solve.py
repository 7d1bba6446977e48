"""Run AIDE's search until the time is over and keep its best submission in place.

AIDE itself is unchanged. Two settings that its configuration does not have are patched here: the
model's address, which is fixed in its client for OpenAI's own models, and the provider, which it
guesses from the model's name.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

HOME = Path(os.environ.get("MLEBENCH_ROOT") or "/") / "home"
SUBMISSION = HOME / "submission" / "submission.csv"
STARTED = time.monotonic()
GRANTED = float(os.environ.get("MLEBENCH_SECONDS") or 3600)
RESERVE = max(3.0, min(60.0, 0.03 * GRANTED))


def main() -> int:
    signal.signal(signal.SIGALRM, _time_is_over)
    signal.setitimer(signal.ITIMER_REAL, max(1.0, seconds_left()))
    random.seed(int(os.environ.get("MLEBENCH_SEED") or 0))
    parameters = json.loads(os.environ.get("MLEBENCH_PARAMETERS") or "{}")
    use_gateway()
    search(configure(parameters), int(parameters.get("max_steps") or 0))
    return 0 if SUBMISSION.is_file() else 1


def use_gateway() -> None:
    from aide import backend
    from aide.backend import backend_openai

    backend_openai.OPENAI_BASE_URL = os.environ["OPENAI_BASE_URL"]
    backend.determine_provider = lambda model: "openai"


def configure(parameters: dict[str, Any]) -> Any:
    """AIDE's own configuration, for this task, time and model."""
    from aide.utils.config import _load_cfg, prep_cfg

    config = _load_cfg(use_cli_args=False)
    config.data_dir = str(HOME / "data")
    config.desc_file = str(task_file())
    config.log_dir = str(HOME / "logs" / "aide")
    config.workspace_dir = str(HOME / "agent" / "workspaces")
    config.exp_name = "run"
    config.copy_data = bool(parameters.get("copy_data", True))
    config.generate_report = False
    config.exec.timeout = int(min(parameters.get("exec_seconds", 3600), max(1, seconds_left())))
    config.agent.k_fold_validation = int(parameters.get("k_fold_validation", 5))
    for stage in (config.agent.code, config.agent.feedback, config.report):
        stage.model = str(parameters.get("model") or os.environ["MLEBENCH_MODEL"])
        stage.temp = float(parameters.get("temperature", 0.5))
    for name in ("num_drafts", "max_debug_depth", "debug_prob"):
        if name in parameters:
            config.agent.search[name] = parameters[name]
    return prep_cfg(config)


def task_file() -> Path:
    """The description without our instructions: AIDE has its own rules for files."""
    file = HOME / "data" / "description.md"
    if file.is_file():
        return file
    made = HOME / "agent" / "task.md"
    made.write_text("Predict the test rows in the format of the sample submission.\n", "utf-8")
    return made


def search(config: Any, max_steps: int) -> None:
    """AIDE's loop, limited by time instead of a number of steps."""
    from aide.agent import Agent
    from aide.interpreter import Interpreter
    from aide.journal import Journal
    from aide.utils.config import load_task_desc, prep_agent_workspace, save_run
    from omegaconf import OmegaConf

    prep_agent_workspace(config)
    journal = Journal()
    agent = Agent(task_desc=load_task_desc(config), cfg=config, journal=journal)
    interpreter = Interpreter(config.workspace_dir, **OmegaConf.to_container(config.exec))
    working = Path(config.workspace_dir) / "working" / "submission.csv"
    try:
        while not max_steps or len(journal) < max_steps:
            interpreter.timeout = int(max(1, min(config.exec.timeout, seconds_left())))
            working.unlink(missing_ok=True)
            agent.step(exec_callback=interpreter.run)
            node = journal.nodes[-1]
            say(f"step {len(journal)}: {'failed' if node.is_buggy else node.metric}")
            if working.is_file() and (node is journal.get_best_node() or not SUBMISSION.is_file()):
                keep(working, node.code)
            save_run(config, journal)
    except TimeIsOverError:
        say("the time is over")
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        interpreter.cleanup_session()


def keep(file: Path, code: str) -> None:
    """Submit a file and store the program that made it, unless validation rejects the file."""
    if (said := refusal(file)) is not None:
        say(f"not submitted: {said}")
        return
    part = SUBMISSION.with_name(".submission.part")
    shutil.copyfile(file, part)
    part.replace(SUBMISSION)
    (HOME / "code" / "solution.py").write_text(code, "utf-8")


def refusal(file: Path) -> str | None:
    """Why validation rejects a file; None if it accepts the file or does not answer."""
    command = ["sh", str(HOME / "validate_submission.sh"), str(file)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=60)
        said = json.loads(done.stdout).get("result")
    except (subprocess.TimeoutExpired, ValueError):
        return None
    return None if said is None or said.startswith("Submission is valid") else str(said)


def seconds_left() -> float:
    return GRANTED - RESERVE - (time.monotonic() - STARTED)


class TimeIsOverError(BaseException):
    """Not an `Exception`, which AIDE would treat as a failure of the model."""


def _time_is_over(*_: object) -> None:
    raise TimeIsOverError


def say(message: str) -> None:
    print(message, flush=True)


if __name__ == "__main__":
    sys.exit(main())
