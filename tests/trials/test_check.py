"""`agents check`: the scripted model, and a check of a small agent from start to grade."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

import pytest

from mlebench.agents.base import AgentPackage, load_agent
from mlebench.sandbox.registry import get_sandbox
from mlebench.trials.check import check_agent
from mlebench.trials.provider import ScriptedProvider
from mlebench.trials.script import SUBMIT, OfferedTool, arguments_for, reply_to

# Asks in either protocol, runs what the model calls, shows it the output, ends when it is done.
AGENT = """
import json, os, subprocess, sys, urllib.request

SCHEMA = {"type": "object", "properties": {"command": {"type": "string"}}, "required": ["command"]}


def post(path, body):
    request = urllib.request.Request(
        os.environ["OPENAI_BASE_URL"] + path,
        json.dumps({"model": os.environ["MLEBENCH_MODEL"], **body}).encode(),
        {
            "Authorization": "Bearer " + os.environ["OPENAI_API_KEY"],
            "Content-Type": "application/json",
        },
    )
    return json.load(urllib.request.urlopen(request))


def run(arguments):
    command = json.loads(arguments)["command"]
    return subprocess.run(command, shell=True, capture_output=True, text=True).stdout


def chat(messages):
    tool = {"type": "function", "function": {"name": "bash", "parameters": SCHEMA}}
    message = post("/chat/completions", {"messages": messages, "tools": [tool]})["choices"][0]
    message = message["message"]
    messages.append(message)
    for call in message.get("tool_calls") or ():
        output = run(call["function"]["arguments"])
        messages.append({"role": "tool", "tool_call_id": call["id"], "content": output})
    return bool(message.get("tool_calls"))


def respond(items):
    tool = {"type": "function", "name": "bash", "parameters": SCHEMA}
    calls = []
    for item in post("/responses", {"input": items, "tools": [tool]})["output"]:
        items.append(item)
        if item["type"] == "function_call":
            calls.append(item)
    for call in calls:
        output = run(call["arguments"])
        items.append(
            {"type": "function_call_output", "call_id": call["call_id"], "output": output}
        )
    return bool(calls)


if os.environ["WAY"] == "nothing":
    sys.exit(0)
step, talk = chat if os.environ["WAY"] == "chat" else respond, [{"role": "user", "content": "go"}]
while step(talk):
    pass
"""


@pytest.fixture(scope="module")
def bubblewrap() -> None:
    if not (found := get_sandbox("bubblewrap").availability()).works:
        pytest.skip(f"bubblewrap does not work here: {found.reason}")


def make_agent(folder: Path, way: str) -> AgentPackage:
    folder.mkdir()
    (folder / "main.py").write_text(AGENT)
    (folder / "agent.toml").write_text(
        'name = "small"\nversion = "1"\nneeds_model = true\n'
        f'command = ["python3", "/opt/agent/main.py"]\n[environment]\nWAY = "{way}"\n'
    )
    return load_agent(folder)


@pytest.mark.parametrize("way", ["chat", "responses"])
def test_a_working_agent_passes(bubblewrap: None, tmp_path: Path, way: str) -> None:
    found = check_agent(make_agent(tmp_path / "small", way), sandbox="bubblewrap")
    assert (found.is_ok, found.reason) == (True, "a valid submission"), found.log
    assert (found.calls, found.tokens, found.validations) == (2, 240, 1)


def test_an_agent_that_does_nothing_fails(bubblewrap: None, tmp_path: Path) -> None:
    found = check_agent(make_agent(tmp_path / "small", "nothing"), sandbox="bubblewrap")
    assert not found.is_ok
    assert found.reason == "it ended without an answer of the model"


def test_arguments_follow_the_schema_of_the_tool() -> None:
    properties = {
        "command": {"type": "array"},
        "is_background": {"type": "boolean"},
        "risk": {"enum": ["LOW", "HIGH"]},
        "description": {"type": "string"},
        "timeout": {"type": "number"},
    }
    needed = ["command", "is_background", "risk", "description"]
    tool = OfferedTool("shell", {"properties": properties, "required": needed})
    assert arguments_for(tool, "ls") == {
        "command": ["bash", "-lc", "ls"],
        "is_background": False,
        "risk": "LOW",
        "description": "ls",
    }


def test_the_script_submits_then_validates_then_ends() -> None:
    shell = OfferedTool("run_shell_command", {"properties": {"command": {"type": "string"}}})
    validate = OfferedTool("mcp__competition__validate")
    tools = [OfferedTool("read_file"), shell, validate]
    first = reply_to(tools, "the task", [])
    assert (first.tool, first.arguments["command"]) == (shell.name, SUBMIT)
    assert reply_to(tools, f"the task {SUBMIT}", [shell.name]).tool == shell.name, "no output yet"
    second = reply_to(tools, "output: submitted-42", [shell.name])
    assert second.tool == validate.name
    last = reply_to(tools, "output: submitted-42", [shell.name, validate.name])
    assert (last.tool, bool(last.text)) == ("", True)


def test_the_provider_streams_what_it_sends_whole() -> None:
    function = {"name": "bash", "parameters": {"properties": {"command": {"type": "string"}}}}
    body: dict[str, Any] = {
        "model": "m",
        "messages": [{"role": "user", "content": "go"}],
        "tools": [{"type": "function", "function": function}],
    }
    with ScriptedProvider() as provider:
        whole = json.loads(post(provider, body))["choices"][0]["message"]
        lines = post(provider, body | {"stream": True}).decode().split("\n\n")
        with pytest.raises(urllib.error.HTTPError) as caught:
            post(provider, {"model": "m"})
        caught.value.close()
    assert caught.value.code == 400
    assert lines[-2] == "data: [DONE]"
    deltas = [json.loads(line[6:])["choices"][0]["delta"] for line in lines[:-2]]
    (streamed,) = [call for delta in deltas for call in delta.get("tool_calls", ())]
    assert streamed.pop("index") == 0
    assert streamed == whole["tool_calls"][0]


def post(provider: ScriptedProvider, body: dict[str, Any]) -> bytes:
    request = urllib.request.Request(f"{provider.url}/chat/completions", json.dumps(body).encode())
    with urllib.request.urlopen(request) as stream:
        return bytes(stream.read())
