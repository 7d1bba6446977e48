"""The viewer shows what an agent did alike, in whatever protocol it was recorded."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from mlebench.integrity.conversation import texts_of_request, texts_of_response
from mlebench.records.actions import find_action
from mlebench.records.messages import Message
from mlebench.viewer.previews import Previews
from mlebench.viewer.steps import StepIndex, read_steps
from tests.browser import Watched, expect
from tests.gateway.conftest import RATES, OpenRun, Run, Start, settings_for
from tests.gateway.provider import Provider
from tests.gateway.stand_ins import Model, Reply
from tests.gateway.talkers import TALKERS
from tests.gateway.test_protocols import NATIVE, cost
from tests.results.made_runs import make_run
from tests.viewer.pages import run_address, texts, viewing


def shown_steps(run: Run) -> list[dict[str, Any]]:
    previews = Previews()
    descriptor = os.open(run.trajectory, os.O_RDONLY)
    try:
        index = StepIndex(previews)
        index.advance(descriptor)
        return list(read_steps(descriptor, index, run.trajectory.parent, 0, 50)["steps"])
    finally:
        os.close(descriptor)
        previews.stop()


@pytest.mark.parametrize("is_stream", [False, True], ids=["whole", "streamed"])
@pytest.mark.parametrize("front", TALKERS)
def test_steps_look_alike(open_run: OpenRun, model: Model, *, front: str, is_stream: bool) -> None:
    run = open_run(NATIVE[front])
    model.script = [
        Reply("I run it.", [("run", {"command": "ls -l", "timeout": 5})]),
        Reply("", [("write_file", {"path": "a.py", "content": "print(1)\n"})]),
        Reply("done"),
    ]
    TALKERS[front](run, is_stream=is_stream).work("begin", output="ok")
    steps = shown_steps(run)
    said = [
        [(m["role"], m["kind"], m.get("action"), m["text"]) for m in step["messages"]]
        for step in steps
    ]
    command = ("assistant", "tool_call", "command", "ls -l")
    edit = ("assistant", "tool_call", "edit", "print(1)\n")
    assert said == [
        [
            ("system", "text", None, "be brief"),
            ("user", "text", None, "begin"),
            ("user", "image", None, "(an image)"),
            ("assistant", "text", None, "I run it."),
            command,
        ],
        [("tool", "tool_result", None, "ok run"), edit],
        [("tool", "tool_result", None, "ok write_file"), ("assistant", "text", None, "done")],
    ]
    assert steps[0]["messages"][-1]["rest"] == '{"timeout": 5}'
    assert steps[1]["messages"][-1]["target"] == "a.py"
    for step, counts in zip(steps, model.counted, strict=True):
        assert step["tokens_out"] == counts.output
        assert step["cost"] == cost(counts) / 1e9
    check_evidence(run)


SHOWN = """steps => steps.map(step => [...step.querySelectorAll(".message")].map(message =>
  [message.querySelector(".who"), message.querySelector("pre")].map(part => part.textContent)))"""


@pytest.mark.long
@pytest.mark.browser
def test_pages_look_alike(
    start: Start, provider: Provider, watched: Watched, tmp_path: Path
) -> None:
    """Runs as of Codex and of Claude Code, in a browser; a million tokens cost thousands here."""
    prices = {"models": {"stand-in": {name: 1000 * rate for name, rate in RATES.items()}}}
    costs = {}
    for number, front in enumerate(("responses", "messages")):
        model = Model(provider)
        run = start(**settings_for(provider, NATIVE[front]) | {"prices": prices})
        model.script = [
            Reply("I run it.", [("run", {"command": "ls -l"})], thought="What is there?"),
            Reply("", [("write_file", {"path": "a.py", "content": "print(1)\n"})]),
            Reply("done"),
        ]
        TALKERS[front](run, is_stream=True).work("begin", output="ok")
        costs[front] = [f"${cost(counts) / 1e6:,.2f}" for counts in model.counted]
        made = make_run(tmp_path / "runs", agent=front, number=number)
        shutil.copyfile(run.trajectory, made.trajectory)
    with viewing(watched, tmp_path) as viewer:
        for front, expected in costs.items():
            page = watched.page
            page.goto(run_address(viewer, "G", agent=front, tab="/trajectory"))
            expect(page.locator(".step")).to_have_count(3)
            assert page.eval_on_selector_all(".step", SHOWN) == [
                [
                    ["system", "be brief"],
                    ["user", "begin"],
                    ["user · image", "(an image)"],
                    ["assistant · reasoning", "What is there?"],
                    ["assistant", "I run it."],
                    ["assistant · runs · run", "ls -l"],
                ],
                [
                    ["tool output", "ok run"],
                    ["assistant · edits · write_file · a.py", "print(1)\n"],
                ],
                [["tool output", "ok write_file"], ["assistant", "done"]],
            ]
            titles = texts(page, ".tree-row span:first-child")
            assert titles == ["1 I run it.", "2 write_file a.py", "3 done"]
            for text, sum_spent in zip(texts(page, ".step .metadata"), expected, strict=True):
                assert text.startswith("stand-in · answered ·") and text.endswith(sum_spent)


def check_evidence(run: Run) -> None:
    """The checks of conduct read the same from the same record."""
    *_, last = run.entries("exchange")
    asked = list(texts_of_request(last["request"]))
    assert ("executed", "ls -l") in asked and ("executed", "print(1)\n") in asked
    assert ("output", "ok run") in asked and ("model", "I run it.") in asked
    assert ("given", "begin") in asked
    assert list(texts_of_response(last["response"])) == [("model", "done")]


CALLS: list[tuple[str, Any, tuple[str, str, str | None] | None]] = [
    ("Bash", {"command": "ls", "description": "d"}, ("command", "ls", None)),
    ("shell", '{"command": ["bash", "-lc", "ls"]}', ("command", "ls", None)),
    ("shell", '{"command": ["ls", "-l"]}', ("command", "ls -l", None)),
    ("exec_command", '{"cmd": "ls"}', ("command", "ls", None)),
    ("run_shell_command", {"command": "ls"}, ("command", "ls", None)),
    ("developer__shell", '{"command": "ls"}', ("command", "ls", None)),
    ("execute_bash", '{"command": "ls", "is_input": "false"}', ("command", "ls", None)),
    ("Write", {"file_path": "/a", "content": "x"}, ("edit", "x", "/a")),
    ("Edit", {"file_path": "/a", "old_string": "x", "new_string": "y"}, ("edit", "-x\n+y", "/a")),
    ("replace", {"file_path": "/a", "old_string": "x", "new_string": ""}, ("edit", "-x\n+", "/a")),
    (
        "str_replace_editor",
        '{"command": "create", "path": "/a", "file_text": "x"}',
        ("edit", "x", "/a"),
    ),
    ("str_replace_editor", '{"command": "view", "path": "/a"}', None),
    (
        "apply_patch",
        "*** Begin Patch\n*** Update File: a.py\n-x\n+y\n*** End Patch",
        ("edit", "*** Begin Patch\n*** Update File: a.py\n-x\n+y\n*** End Patch", "a.py"),
    ),
    ("Read", {"file_path": "/a"}, None),
    ("write_file", {"path": 5, "content": {"$file": "x", "bytes": 1}}, None),
    ("Bash", "not json", None),
    ("Bash", ["ls"], None),
    ("Bash", {"command": 5}, None),
    ("Bash", None, None),
]


@pytest.mark.parametrize(("name", "content", "expected"), CALLS)
def test_commands_and_edits_of_known_agents(name: str, content: Any, expected: Any) -> None:
    found = find_action(Message("assistant", "tool_call", content, name))
    if name == "write_file":  # a long text is a reference, and stays one
        assert found and found.content == {"$file": "x", "bytes": 1} and found.target is None
        return
    assert (found and (found.kind, found.content, found.target)) == expected
