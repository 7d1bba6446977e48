"""smolagents' CodeAgent on a competition, with a shell and the validation as its tools.

Its own interpreter runs the code of each step with the agent's libraries; training belongs in a
program that the tool `shell` starts, which sees the libraries for solutions.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from smolagents import CodeAgent, OpenAIServerModel, tool

HOME = Path(os.environ.get("MLEBENCH_ROOT") or "/") / "home"
MOST_CHARACTERS = 20_000


def shell(command: str, seconds: int = 1800) -> str:
    """Run a shell command in /home/agent and return its output and exit code.

    Args:
        command: the command line, for bash.
        seconds: after this many seconds the command is ended.
    """
    words = ["timeout", str(seconds), "bash", "-c", command]
    done = subprocess.run(
        words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd=HOME / "agent"
    )
    text = done.stdout.decode("utf-8", "replace")
    if len(text) > MOST_CHARACTERS:
        half = MOST_CHARACTERS // 2
        text = f"{text[:half]}\n[{len(text) - 2 * half} characters left out]\n{text[-half:]}"
    return f"{text}\nexit code {done.returncode}"


def validate(path: str = "") -> str:
    """Check whether a submission has the right format; says nothing about its score.

    Args:
        path: the file to check; /home/submission/submission.csv if it is left out.
    """
    file = path or HOME / "submission" / "submission.csv"
    return shell(f"bash {HOME}/validate_submission.sh {file}", 600)


def main() -> int:
    model = OpenAIServerModel(
        model_id=os.environ["MODEL"],
        api_base=os.environ["OPENAI_BASE_URL"],
        api_key=os.environ["OPENAI_API_KEY"],
    )
    agent = CodeAgent(
        tools=[tool(shell), tool(validate)],
        model=model,
        additional_authorized_imports=["*"],
        max_steps=10_000,
        executor_kwargs={"timeout_seconds": None},
    )
    print(agent.run(sys.argv[1]), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
