"""`mlebench agents`: what it prints, and how it fails."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

PUBLISHED = {
    "aider": ("aider-chat", "chat"),
    "claude-code": ("@anthropic-ai/claude-code", "messages"),
    "codex": ("@openai/codex", "responses"),
    "gemini-cli": ("@google/gemini-cli", "gemini"),
    "goose": ("@aaif/goose-binary-linux-x64", "chat"),
    "mini-swe-agent": ("mini-swe-agent", "chat"),
    "opencode": ("opencode-ai", "chat"),
    "openhands": ("openhands", "chat"),
    "qwen-code": ("@qwen-code/qwen-code", "chat"),
    "smolagents": ("smolagents", "chat"),
}


def agents(tmp_path: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """The command on a machine where nothing is installed and no index can be reached."""
    closed = "http://127.0.0.1:9/simple"
    environment = {
        **os.environ,
        "XDG_CACHE_HOME": str(tmp_path / "cache"),
        "UV_DEFAULT_INDEX": closed,
        "UV_INDEX": "",
        "UV_HTTP_RETRIES": "0",
        "UV_CACHE_DIR": str(tmp_path / "uv"),
        "PIP_CONFIG_FILE": os.devnull,
        "PIP_INDEX_URL": closed,
        "PIP_RETRIES": "0",
    }
    for name in ("PIP_EXTRA_INDEX_URL", "PIP_FIND_LINKS", "UV_FIND_LINKS"):
        environment.pop(name, None)
    command = [sys.executable, "-m", "mlebench", "agents", *words]
    return subprocess.run(command, env=environment, capture_output=True, text=True)


def test_the_list_has_every_agent(tmp_path: Path) -> None:
    done = agents(tmp_path, "list", "--json")
    found = {one["name"]: one for one in json.loads(done.stdout)["agents"]}
    named = {
        name: (one["package"], one["protocol"]) for name, one in found.items() if one["package"]
    }
    assert named == PUBLISHED
    assert not any(found[name]["is_installed"] for name in PUBLISHED)
    assert found["dummy"]["is_installed"]
    text = agents(tmp_path, "list")
    assert "10 programs not installed" in text.stderr
    assert len(text.stdout.splitlines()) == 1 + len(found)


@pytest.mark.parametrize("name", ["codex", "smolagents"])
def test_an_installation_without_network_is_one_sentence(tmp_path: Path, name: str) -> None:
    done = agents(tmp_path, "install", name)
    assert done.returncode == 1
    assert done.stdout == ""
    *notes, error = done.stderr.splitlines()
    assert notes[0].startswith("installing ")
    assert error.startswith("error: ")
    assert "pip" in error
    assert "Traceback" not in done.stderr
    listed = json.loads(agents(tmp_path, "list", "--json").stdout)["agents"]
    assert not any(one["is_installed"] for one in listed if one["name"] == name)


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["install", "claude"], 2, "claude-code"),
        (["install", "dummy"], 1, "nothing to install"),
        (["install"], 2, "Missing argument"),
        (["check"], 2, "name agents, or use --all"),
        (["check", "codex", "--all"], 2, "name agents, or use --all"),
        (["folder", "codex"], 1, "mlebench agents install codex"),
        (["folder", "dummy"], 2, "has no program"),
    ],
)
def test_what_is_wrong_is_said(tmp_path: Path, words: list[str], code: int, said: str) -> None:
    done = agents(tmp_path, *words)
    assert done.returncode == code
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_a_check_of_what_is_not_installed_fails(tmp_path: Path) -> None:
    done = agents(tmp_path, "check", "codex", "--json", "--sandbox", "process")
    assert done.returncode == 1
    (check,) = json.loads(done.stdout)["checks"]
    assert not check["is_ok"]
    assert check["reason"] == "the program of codex is not installed"
