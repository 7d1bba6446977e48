"""Trajectories: as the gateway writes them, growing, damaged, large."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from mlebench.gateway.keys import KeyFilter
from mlebench.gateway.trajectory import Trajectory
from mlebench.records.messages import request_messages, response_messages
from mlebench.records.trajectory import ExchangeEntry, OpenEntry, RefusedEntry
from mlebench.viewer.previews import Previews
from mlebench.viewer.steps import StepIndex, outline, read_steps
from tests.results.made_runs import write_trajectory

PREVIEWS = Previews()


@pytest.fixture(scope="module", autouse=True)
def fork_server() -> Iterator[None]:
    yield
    PREVIEWS.stop()


def read(path: Path, first: int = 0, count: int = 50) -> dict[str, Any]:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        index = StepIndex(PREVIEWS)
        index.advance(descriptor)
        return read_steps(descriptor, index, path.parent, first, count)
    finally:
        os.close(descriptor)


def exchange(trajectory: Trajectory, request: Any, answer: Any, **more: Any) -> None:
    response = {"choices": [{"message": answer}]}
    facts: dict[str, Any] = {
        "outcome": "answered",
        "model": "m",
        "seconds": 1.5,
        "cost": 0.1,
        "error": None,
    }
    facts = {**facts, **more, "request": request, "response": response}
    trajectory.add(ExchangeEntry(id=1, **facts))


def test_what_the_gateway_writes_is_read(tmp_path: Path) -> None:
    path = tmp_path / "trajectory.jsonl"
    trajectory = Trajectory(path, KeyFilter(None))
    trajectory.add(OpenEntry(model="m"))
    long_text = "a long text " * 10_000
    tricky = ', "request": {}, "response": {"choices": []}'
    exchange(
        trajectory,
        {"messages": [{"role": "user", "content": long_text}]},
        {"role": "assistant", "content": tricky},
        input_tokens=5,
        output_tokens=7,
    )
    trajectory.add(RefusedEntry(reason="x"))
    exchange(
        trajectory,
        {"messages": [{"role": "user", "content": tricky}], "tools": [{"response": "x"}]},
        {"role": "assistant", "content": "second"},
    )
    trajectory.close()
    page = read(path)
    assert page["total"] == 2
    first, second = page["steps"]
    user, answer = first["messages"]
    assert user["text"] == long_text[:20_000]
    assert user["cut"] == len(long_text) - 20_000, "the rest is in a file next to the record"
    assert answer["text"] == tricky
    assert (first["tokens_in"], first["tokens_out"], first["cost"]) == (5, 7, 0.1)
    assert [m["text"] for m in second["messages"]] == ["second"], "the user's text was the answer"


def test_growing_and_cut_off_records(tmp_path: Path) -> None:
    path = tmp_path / "trajectory.jsonl"
    write_trajectory(path, 30)
    data = path.read_bytes()
    index = StepIndex(PREVIEWS)
    counts = []
    with path.open("wb", buffering=0) as stream:
        descriptor = os.open(path, os.O_RDONLY)
        for start in range(0, len(data), 3000):
            stream.write(data[start : start + 3000])
            index.advance(descriptor)
            counts.append(len(index.steps))
        os.close(descriptor)
    assert counts == sorted(counts) and counts[-1] == 30
    columns = outline(index)
    assert columns["title"][4].startswith("Step 4: look at fold 4.")
    assert columns["status"][13] == "failed" and columns["title"][13] == "the provider failed"
    assert columns["cost"][0] == 0.0052


def test_damaged_lines_are_steps_that_say_so(tmp_path: Path) -> None:
    path = tmp_path / "trajectory.jsonl"
    write_trajectory(path, 3)
    lines = path.read_bytes().splitlines()
    place = next(k for k, line in enumerate(lines) if b'"exchange"' in line)
    lines[place] = lines[place][: len(lines[place]) // 2]
    lines.append(b'{"kind": "exchange", "time": 7, "seconds": "x", "request": [], "response": 5}')
    lines.append(b'{"kind": "exchange", "request": ' + b"[" * 5000)
    path.write_bytes(b"\n".join(lines) + b"\n")
    page = read(path)
    assert page["total"] == 5
    assert "damaged" in page["steps"][0]["messages"][0]["text"]
    assert "damaged" in page["steps"][3]["messages"][0]["text"], "its fields have other types"
    assert len(json.dumps(page)) < 20_000


def test_a_line_of_megabytes_is_bounded(tmp_path: Path) -> None:
    path = tmp_path / "trajectory.jsonl"
    request = {"messages": [{"role": "user", "content": "x" * 1000}] * 10_000}
    line = {"kind": "exchange", "time": "t", "outcome": "answered", "error": None}
    with path.open("w") as stream:
        for answer in ("one", "two"):
            response = {"choices": [{"message": {"role": "assistant", "content": answer}}]}
            stream.write(json.dumps(line | {"request": request, "response": response}) + "\n")
    page = read(path)
    assert page["total"] == 2
    assert len(json.dumps(page)) < 1_000_000
    # Side by side in memory there is never more than one line.
    huge = json.dumps(line | {"request": {"messages": ["y" * 20_000_000]}, "response": None})
    path.write_text(huge + "\n")
    page = read(path)
    assert "too large to be shown" in page["steps"][0]["messages"][0]["text"]


def test_side_files_stay_beside_the_record(tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("SECRET")
    host = tmp_path / "host"
    host.mkdir()
    path = host / "trajectory.jsonl"
    names = ["../secret.txt", "/etc/passwd", "trajectory/../../secret.txt", "trajectory/x.txt"]
    messages = [{"role": "user", "content": {"$file": name, "bytes": 6}} for name in names]
    line = {"kind": "exchange", "time": "t", "request": {"messages": messages}, "response": None}
    path.write_text(json.dumps(line) + "\n")
    shown = [message["text"] for message in read(path)["steps"][0]["messages"]]
    assert shown == ["(this text is missing on disk)"] * 4


def test_messages_of_the_responses_interface() -> None:
    request = {
        "instructions": "be brief",
        "input": [
            {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "hi"}]},
            {"type": "function_call", "name": "run", "arguments": "{}"},
            {"type": "function_call_output", "output": "done"},
        ],
    }
    kinds = [(m.role, m.kind, m.content) for m in request_messages(request)]
    assert kinds == [
        ("system", "text", "be brief"),
        ("user", "text", "hi"),
        ("assistant", "tool_call", "{}"),
        ("tool", "tool_result", "done"),
    ]
    response = {
        "output": [
            {"type": "reasoning", "summary": [{"text": "hm"}]},
            {"type": "message", "role": "assistant", "content": [{"text": "yes"}]},
        ]
    }
    assert [(m.kind, m.content) for m in response_messages(response)] == [
        ("reasoning", "hm"),
        ("text", "yes"),
    ]


def test_messages_of_the_messages_interface() -> None:
    blocks = [
        {"type": "thinking", "thinking": "hm"},
        {"type": "text", "text": "look"},
        {"type": "tool_use", "name": "bash", "input": {"command": "ls"}},
    ]
    response = {"role": "assistant", "content": blocks}
    found = response_messages(response)
    assert [(m.kind, m.name) for m in found] == [
        ("reasoning", None),
        ("text", None),
        ("tool_call", "bash"),
    ]
    result = {"type": "tool_result", "content": [{"type": "text", "text": "a"}, {"text": "b"}]}
    request = {"system": "be brief", "messages": [response, {"role": "user", "content": [result]}]}
    again = request_messages(request)
    assert [m.key for m in again[1:4]] == [m.key for m in found], "an answer that comes back"
    assert (again[-1].kind, again[-1].content) == ("tool_result", "a\nb")
    image = {"role": "user", "content": [{"type": "image_url", "image_url": "data:…"}]}
    assert request_messages({"messages": [image]})[0].kind == "image"
