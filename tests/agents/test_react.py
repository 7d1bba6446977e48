"""The agent `react`: whole runs in a real sandbox with a scripted model, and its parts."""

from __future__ import annotations

import json

import pytest

from mlebench.agents.llm.react.context import Context
from tests.agents.conftest import KEY, MOSTLY_LONG, Play


@pytest.mark.parametrize("competition_id", MOSTLY_LONG)
def test_from_data_to_grade(play: Play, competition_id: str) -> None:
    run, folder = play("react", competition_id, max_turns=10)
    log = folder.agent_log.read_text()
    assert (run.state, run.blame) == ("finished", None), log
    report = json.loads(folder.report.read_text())
    assert report["valid_submission"], report
    steps = [json.loads(line) for line in (folder.logs / "steps.jsonl").read_text().splitlines()]
    assert len(steps) == run.model.answered == 10
    outputs = [message["content"] for step in steps for message in step["messages"][1:]]
    assert "train.csv" in outputs[0]
    assert "Submission is valid." in outputs[3]
    assert "seconds are left" in outputs[3]
    assert "no tool 'no_such_tool'" in outputs[7]
    assert outputs[8].startswith("You called no tool")
    # The last step deletes the submission; the agent puts the last valid one back.
    assert "put back" in log
    assert KEY not in log
    if competition_id == "starter-wine":
        assert report["score"] < 0.5


def test_context_stays_within_its_bounds() -> None:
    opening = [{"role": "system", "content": "s"}, {"role": "user", "content": "task"}]
    context = Context(list(opening), limit=20_000)
    for number in range(50):
        function = {"name": "shell", "arguments": json.dumps({"command": "x" * 3000})}
        call = {"id": f"c{number}", "type": "function", "function": function}
        output = {"role": "tool", "tool_call_id": f"c{number}", "content": "y" * 5000}
        context.add([{"role": "assistant", "content": "", "tool_calls": [call]}, output])
        assert context.size() <= 20_000
        messages = context.messages()
        assert messages[:2] == opening
        asked = [c["id"] for m in messages for c in m.get("tool_calls", ())]
        assert asked == [m["tool_call_id"] for m in messages if m["role"] == "tool"]
        for message in messages:
            for made in message.get("tool_calls", ()):
                json.loads(made["function"]["arguments"])
    assert messages[-1]["tool_call_id"] == "c49"
    assert context.shrink()
    assert context.size() <= 10_000


def test_a_long_task_leaves_room_for_the_work() -> None:
    opening = [{"role": "system", "content": "s"}, {"role": "user", "content": "a" * 30_000 + "z"}]
    context = Context(opening, limit=10_000)
    context.add([{"role": "assistant", "content": "b" * 9_000}])
    assert context.size() <= 10_000
    assert context.messages()[1]["content"].endswith("z")
