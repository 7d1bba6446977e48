"""The launcher of published agents: configuration, prompt, and the end of the time."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from mlebench.agents import own_agents
from mlebench.agents.base import load_agent

FOLDERS = {
    name: folder for name, folder in sorted(own_agents().items()) if load_agent(folder).program
}
ODD = 'odd"name\\'
# Prints what the launcher would start, without starting it.
SHOW = """
import json, runpy, sys
launcher = runpy.run_path(sys.argv[1])
launcher["main"].__globals__["run"] = lambda *words: print(json.dumps(words)) or 0
sys.exit(launcher["main"](sys.argv[2]))
"""
SLEEPER = """
name = "sleeper"
[program]
command = ["sh", "-c", "echo '{model}' > started; trap '' TERM; sleep 600 & wait; wait"]
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for name in ("data", "submission", "logs", "code", "agent"):
        (tmp_path / "home" / name).mkdir(parents=True)
    (tmp_path / "home" / "instructions.txt").write_text("The task. Read /home/data first.\n")
    program = tmp_path / "program"
    for file in (
        "node_modules/@anthropic-ai/claude-code-linux-x64/claude",
        "node_modules/@openai/codex-linux-x64/vendor/x86_64/bin/codex",
        "node_modules/@aaif/goose-binary-linux-x64/bin/goose",
        "node_modules/opencode-linux-x64/bin/opencode",
    ):
        (program / file).parent.mkdir(parents=True)
        (program / file).touch()
    (program / "installed.json").write_text("{}")
    return tmp_path


def start(root: Path, code: str, *words: str, **more: str) -> subprocess.CompletedProcess[str]:
    variables = {
        "PATH": os.environ["PATH"],
        "MLEBENCH_ROOT": str(root),
        "MLEBENCH_PROGRAM": str(root / "program"),
        "MLEBENCH_MODEL": ODD,
        "MLEBENCH_SECONDS": "7200",
        "OPENAI_BASE_URL": "http://localhost:5001/v1",
        "OPENAI_API_KEY": "throw-away",
        **more,
    }
    command = [sys.executable, "-c", code, *words]
    return subprocess.run(command, env=variables, capture_output=True, text=True)


@pytest.mark.parametrize("name", FOLDERS)
def test_every_agent_is_configured(root: Path, name: str) -> None:
    """Also with a model's name that has to be quoted in JSON and TOML."""
    launcher = FOLDERS[name].parent / "run.py"
    done = start(root, SHOW, str(launcher), name)
    command, environment, seconds = json.loads(done.stdout)
    assert 7100 < seconds < 7200
    added = {key: value for key, value in environment.items() if key not in os.environ}
    texts = [*command, *added.values()]
    files = [file for file in (root / "home" / "agent").rglob("*") if file.is_file()]
    values = [tomllib.loads(f.read_text()) for f in files if f.suffix == ".toml"]
    values += [json.loads(f.read_text()) for f in files if f.suffix == ".json"]
    texts += [json.dumps(value) for value in values]
    assert len(values) == len(files)
    assert not any(re.search(r"\{(program|home|model|url|host|key|prompt)\}", t) for t in texts)
    assert any(ODD in text or json.dumps(ODD)[1:-1] in text for text in texts)
    assert any("localhost:5001" in text for text in texts) or "OPENAI_BASE_URL" in environment
    (prompt,) = {word for word in command if "The task." in word}
    assert f"Read {root}/home/data first." in prompt
    assert "117 minutes" in prompt or "116 minutes" in prompt or "119 minutes" in prompt
    assert "not the first start" not in prompt
    assert ("`validate` and `describe`" in prompt) == ("mcp_server.py" in "".join(texts))


def test_a_later_start_is_told_so(root: Path) -> None:
    launcher = FOLDERS["codex"].parent / "run.py"
    done = start(root, SHOW, str(launcher), "codex", MLEBENCH_START="2", MLEBENCH_SECONDS="100")
    command, _, seconds = json.loads(done.stdout)
    assert 30 < seconds < 97.1
    assert "not the first start" in command[-1]


def test_a_program_that_is_missing_is_one_sentence(root: Path) -> None:
    launcher = FOLDERS["codex"].parent / "run.py"
    done = start(root, SHOW, str(launcher), "codex", MLEBENCH_PROGRAM=str(root / "nothing"))
    assert done.stderr == (
        "codex is not in this sandbox: run `mlebench agents install codex` outside of it\n"
    )


@pytest.mark.parametrize("has_submission", [True, False])
def test_the_program_ends_before_the_time_is_over(root: Path, has_submission: bool) -> None:
    """It ignores SIGTERM; the exit code tells whether there is a submission."""
    package = root / "package"
    (package / "sleeper").mkdir(parents=True)
    source = FOLDERS["codex"].parent
    for name in ("run.py", "advice.md"):
        (package / name).write_text((source / name).read_text())
    (package / "sleeper" / "agent.toml").write_text(SLEEPER)
    if has_submission:
        (root / "home" / "submission" / "submission.csv").write_text("id\n")
    code = "import runpy, sys; sys.argv.pop(0); runpy.run_path(sys.argv[0], run_name='__main__')"
    words = (str(package / "run.py"), "sleeper")
    done = start(root, code, *words, MLEBENCH_SECONDS="8", MLEBENCH_MODEL="m")
    assert "the time is over" in done.stdout
    assert (root / "home" / "agent" / "started").read_text() == "m\n"
    assert done.returncode == (0 if has_submission else 1)
