"""Write the configuration and the task of OpenHands into the agent's folder."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

CONFIGURATION = """[core]
workspace_base = {workspace}
runtime = "local"
max_iterations = {max_iterations}
default_agent = {agent}
save_trajectory_path = {trajectory}
enable_browser = false

[llm]
model = {model}
base_url = {base_url}
api_key = {key}
num_retries = 8
timeout = 600
{more}
[agent]
enable_browsing = false
enable_jupyter = true
enable_llm_editor = false
"""
RULES = """
Work in {home}/agent. Leave a valid {home}/submission/submission.csv early and replace it only by
better ones, judged on held-out training data. Keep the code in {home}/code. You have {seconds:.0f}
seconds from now; nobody answers questions; use all the time.
"""


def main() -> int:
    home = Path(sys.argv[1])
    parameters = json.loads(os.environ.get("MLEBENCH_PARAMETERS") or "{}")
    (home / "agent" / "config.toml").write_text(configuration(home, parameters), "utf-8")
    (home / "agent" / "task.md").write_text(task(home), "utf-8")
    return 0


def configuration(home: Path, parameters: dict[str, Any]) -> str:
    """The configuration in TOML, whose strings are written like those of JSON."""
    model = parameters.get("model") or os.environ["MLEBENCH_MODEL"]
    limit = int(parameters.get("max_input_tokens") or 0)
    return CONFIGURATION.format(
        workspace=json.dumps(str(home / "agent")),
        trajectory=json.dumps(str(home / "logs" / "openhands.json")),
        max_iterations=int(parameters.get("max_iterations") or 500),
        agent=json.dumps(str(parameters.get("agent") or "CodeActAgent")),
        # The prefix tells its client library to speak OpenAI's protocol, whatever the name.
        model=json.dumps(f"openai/{model}"),
        base_url=json.dumps(os.environ["OPENAI_BASE_URL"]),
        key=json.dumps(os.environ["OPENAI_API_KEY"]),
        more=f"max_input_tokens = {limit}\n" if limit else "",
    )


def task(home: Path) -> str:
    parts = [
        file.read_text("utf-8", "replace")
        for file in (home / "instructions.txt", home / "data" / "description.md")
        if file.is_file()
    ]
    seconds = 0.97 * float(os.environ.get("MLEBENCH_SECONDS") or 3600)
    return "\n\n".join([*parts, RULES.format(home=home, seconds=seconds)])


if __name__ == "__main__":
    sys.exit(main())
