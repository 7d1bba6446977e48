"""Agents from a YAML file: what is read, what is refused, and a run of one."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from mlebench.agents.configured import configured_agent, read_configuration
from mlebench.agents.registry import find_agent
from mlebench.errors import UsageError
from tests.agents.conftest import Play

PROGRAM = """
import json, os, pathlib, shutil, sys
config = json.loads(pathlib.Path(sys.argv[1]).read_text())
tries = pathlib.Path("/home/agent/tries")
count = int(tries.read_text()) + 1 if tries.exists() else 1
tries.write_text(str(count))
pathlib.Path("scratch").write_text("beside the program")
shutil.copyfile("/home/data/sample_submission.csv", config["output"])
pathlib.Path("/home/logs/seen.json").write_text(json.dumps(config))
sys.exit(0 if count > config["parameters"]["failures"] else 3)
"""
CONFIGURATION = """
name: my agent
path: ./program
command: python3 main.py {config}
task: |
  Train a model on {data} and write {submission}. Keep {"other": "braces"}.
input_data:
  - path: "{data}"
    description: public files
parameters: {max_turns: 30, failures: 2, nested: {1: [1, 2.5, "x\\"y\\r\\e", true]}}
retries: 3
environment: {STYLE: calm}
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    (tmp_path / "program").mkdir()
    (tmp_path / "program" / "main.py").write_text(PROGRAM)
    (tmp_path / "program" / ".secret").write_text("hidden files stay at home")
    (tmp_path / "my_agent.yaml").write_text(CONFIGURATION)
    return tmp_path / "my_agent.yaml"


def test_it_becomes_a_package(file: Path, tmp_path: Path) -> None:
    agent = configured_agent(file, tmp_path / "cache")
    assert (agent.name, agent.needs_model) == ("my-agent", True)
    assert agent.environment == {"STYLE": "calm"}
    assert agent.parameters["nested"] == {"1": [1, 2.5, 'x"y\r\x1b', True]}
    assert (agent.folder / "program" / "main.py").read_text() == PROGRAM
    assert not (agent.folder / "program" / ".secret").exists()
    assert configured_agent(file, tmp_path / "cache").folder == agent.folder
    (tmp_path / "program" / "main.py").write_text("pass")
    assert configured_agent(file, tmp_path / "cache").folder != agent.folder


@pytest.mark.long
def test_it_runs_with_retries(
    file: Path, play: Play, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    run, folder = play(str(file), "spaceship-titanic")
    assert (run.state, run.blame) == ("finished", None), folder.agent_log.read_text()
    assert (folder.agent / "tries").read_text() == "3"
    seen = json.loads((folder.logs / "seen.json").read_text())
    assert "Train a model on /home/data and write /home/submission/submission.csv" in seen["task"]
    assert '{"other": "braces"}' in seen["task"]
    assert seen["input_data"] == [{"path": "/home/data", "description": "public files"}]
    assert seen["parameters"]["max_turns"] == 30
    assert seen["model"] == "scripted"


def test_a_repository_at_a_revision(tmp_path: Path) -> None:
    source = tmp_path / "source"
    source.mkdir()
    git = ["git", "-C", str(source), "-c", "user.name=a", "-c", "user.email=a@example.com"]
    subprocess.run([*git, "init", "--quiet"], check=True)
    for text in ("first", "second"):
        (source / "main.py").write_text(text)
        subprocess.run([*git, "add", "."], check=True)
        subprocess.run([*git, "commit", "--quiet", "-m", text], check=True)
        if text == "first":
            subprocess.run([*git, "tag", "v1"], check=True)
    file = tmp_path / "agent.yaml"
    file.write_text(f"repository: {source}\nrevision: v1\ncommand: python3 main.py\n")
    agent = configured_agent(file, tmp_path / "cache")
    assert (agent.folder / "program" / "main.py").read_text() == "first"
    assert not (agent.folder / "program" / ".git").exists()
    file.write_text(f"repository: {source}\nrevision: nowhere\ncommand: python3 main.py\n")
    with pytest.raises(UsageError, match="cannot be fetched"):
        configured_agent(file, tmp_path / "cache")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("command: x", "path or repository"),
        ("path: a\nrepository: b\ncommand: x", "path or repository"),
        ("path: a", "no command"),
        ("path: a\ncommand: x\ncolour: red", "unknown key 'colour'"),
        ("path: a\ncommand: [x]", "'command'"),
        ("path: a\ncommand: x\nretries: -1", "0 or more"),
        ("path: a\ncommand: x\ninput_data: [/home/data]", "path and description"),
        ("a: [", "not YAML"),
        ("just text", "contains no keys"),
    ],
)
def test_what_is_wrong_is_said(tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "agent.yaml"
    file.write_text(text)
    with pytest.raises(UsageError, match=message):
        read_configuration(file)


@pytest.mark.parametrize("value", ["2026-01-01", "null", "[1, null]"])
def test_parameters_that_cannot_be_stored_are_refused(file: Path, value: str) -> None:
    file.write_text(f"path: ./program\ncommand: x\nparameters: {{a: {value}}}\n")
    with pytest.raises(UsageError, match=r"parameters cannot be stored: .*expected strings"):
        configured_agent(file, file.parent / "cache")


def test_a_missing_file_is_said(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be read"):
        find_agent(str(tmp_path / "none.yaml"))
