"""`mlebench agents`: what it prints, and how it fails."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from functools import partial
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from tests.command import mlebench

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


Agents = Callable[..., CompletedProcess[str]]


@pytest.fixture
def agents(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Agents:
    """The command on a machine where nothing is installed and no index can be reached."""
    closed = "http://127.0.0.1:9/simple"
    environment = {
        "XDG_CACHE_HOME": str(tmp_path / "cache"),
        "UV_DEFAULT_INDEX": closed,
        "UV_INDEX": "",
        "UV_HTTP_RETRIES": "0",
        "UV_CACHE_DIR": str(tmp_path / "uv"),
        "PIP_CONFIG_FILE": os.devnull,
        "PIP_INDEX_URL": closed,
        "PIP_RETRIES": "0",
    }
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    for name in ("PIP_EXTRA_INDEX_URL", "PIP_FIND_LINKS", "UV_FIND_LINKS"):
        monkeypatch.delenv(name, raising=False)
    return partial(mlebench, "agents")


def test_the_list_has_every_agent(agents: Agents) -> None:
    done = agents("list", "--json")
    found = {one["name"]: one for one in json.loads(done.stdout)["agents"]}
    named = {
        name: (one["package"], one["protocol"]) for name, one in found.items() if one["package"]
    }
    assert named == PUBLISHED
    assert not any(found[name]["is_installed"] for name in PUBLISHED)
    assert found["dummy"]["is_installed"]
    text = agents("list")
    assert "10 programs not installed" in text.stderr
    assert len(text.stdout.splitlines()) == 1 + len(found)


@pytest.mark.parametrize("name", ["codex", "smolagents"])
def test_an_installation_without_network_is_one_sentence(agents: Agents, name: str) -> None:
    done = agents("install", name)
    assert done.returncode == 1
    assert done.stdout == ""
    *notes, error = done.stderr.splitlines()
    assert notes[0].startswith("installing ")
    assert error.startswith("error: ")
    assert "pip" in error
    assert "Traceback" not in done.stderr
    listed = json.loads(agents("list", "--json").stdout)["agents"]
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
def test_what_is_wrong_is_said(agents: Agents, words: list[str], code: int, said: str) -> None:
    done = agents(*words)
    assert done.returncode == code
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_a_check_of_what_is_not_installed_fails(agents: Agents) -> None:
    done = agents("check", "codex", "--json", "--sandbox", "process")
    assert done.returncode == 1
    (check,) = json.loads(done.stdout)["checks"]
    assert not check["is_ok"]
    assert check["reason"] == "the program of codex is not installed"
