"""G13: every line is valid whatever is in it; recordings answer again and contact nobody."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import signal
import socket
import struct
import threading
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mlebench.errors import DataError, SandboxError, UsageError
from mlebench.gateway.keys import KeyFilter
from mlebench.gateway.replay import find_recording, first_difference
from mlebench.gateway.settings import Budget
from mlebench.gateway.trajectory import Trajectory
from mlebench.records.trajectory import LONG, ExchangeEntry, OpenEntry, read_entries
from tests.gateway import provider as behave
from tests.gateway.conftest import Gateway, Run, Start, hello
from tests.gateway.provider import Provider
from tests.waiting import wait_for

JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters()),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(st.characters()), inner),
)


def exchanges(file: Path) -> list[ExchangeEntry]:
    return [entry for entry in read_entries(file) if isinstance(entry, ExchangeEntry)]


def kinds(file: Path) -> list[Any]:
    return [entry.__struct_config__.tag for entry in read_entries(file)]


@given(st.lists(JSON, max_size=5))
@settings(max_examples=100, deadline=None)
def test_what_is_written_is_read_again(tmp_path_factory: Any, values: list[Any]) -> None:
    file = tmp_path_factory.mktemp("t") / "trajectory.jsonl"
    trajectory = Trajectory(file, KeyFilter("sk-secretsecretsecret"))
    for value in values:
        trajectory.add(ExchangeEntry(request=value))
    trajectory.close()
    assert file.read_bytes().count(b"\n") == len(values)
    assert [entry.request for entry in exchanges(file)] == values


@pytest.mark.parametrize(
    "text",
    ["a\nb\r\nc", "\0", "\ud800", "\u2028", "x" * (LONG + 1), "\ud800" * (LONG + 1)],
    ids=["newline", "nul", "surrogate", "separator", "long", "long-surrogates"],
)
def test_odd_messages_make_one_line(run: Run, provider: Provider, text: str) -> None:
    assert run.ask(body=hello(text))[0] == 200
    assert provider.seen[0]["body"]["messages"][0]["content"] == text
    run.endpoint.close()
    assert kinds(run.trajectory) == ["open", "start", "exchange", "close"]
    (exchange,) = exchanges(run.trajectory)
    assert exchange.request["messages"][0]["content"] == text


def test_names_of_ours_in_a_message_stay_a_message(tmp_path: Path) -> None:
    file = tmp_path / "trajectory.jsonl"
    trajectory = Trajectory(file, KeyFilter(""))
    hostile = {"$file": "/etc/passwd", "bytes": 1, "$$file": {"$file": "../x", "bytes": 2}}
    trajectory.add(ExchangeEntry(request=hostile))
    trajectory.close()
    assert [entry.request for entry in exchanges(file)] == [hostile]


def test_a_long_text_is_kept_once(tmp_path: Path) -> None:
    trajectory = Trajectory(tmp_path / "trajectory.jsonl", KeyFilter("sk-secretsecretsecret"))
    for _ in range(3):
        trajectory.add(ExchangeEntry(request={"a": "x" * LONG + "sk-secretsecretsecret"}))
    trajectory.close()
    (file,) = (tmp_path / "trajectory").iterdir()
    assert file.read_text() == "x" * LONG + "[removed]"


def test_a_torn_last_line_is_left_out_and_a_torn_other_is_told(tmp_path: Path) -> None:
    file = tmp_path / "t.jsonl"
    file.write_bytes(b'{"kind": "open"}\n{"kind": "exch')
    assert list(read_entries(file)) == [OpenEntry()]
    file.write_bytes(b'{"kind": "exch\n{"kind": "open"}\n')
    with pytest.raises(DataError, match="line 1"):
        list(read_entries(file))
    with pytest.raises(DataError, match="cannot be read"):
        list(read_entries(tmp_path / "none"))


def test_a_killed_gateway_leaves_the_start(start: Start, provider: Provider) -> None:
    run = start()
    run.ask()
    provider.default = behave.slow_stream(2000, 0.1)

    def ask() -> None:
        with contextlib.suppress(OSError, http.client.HTTPException):
            run.ask(body=hello(stream=True))

    thread = threading.Thread(target=ask)
    thread.start()
    wait_for(lambda: len(run.entries("start")) == 2)
    os.kill(gateway_of(run), signal.SIGKILL)
    thread.join()
    assert kinds(run.trajectory) == ["open", "start", "exchange", "start"]
    wait_for(run.endpoint.is_broken)
    with pytest.raises(SandboxError, match="gateway"):
        run.endpoint.totals()
    with pytest.raises(SandboxError, match="gateway"):
        run.endpoint.close()


def test_a_killed_gateway_is_replaced(start: Start) -> None:
    run = start(group_budget=Budget(calls=2))
    assert (run.ask()[0], run.endpoint.is_broken()) == (200, False)
    killed = gateway_of(run)
    os.kill(killed, signal.SIGKILL)
    wait_for(lambda: gateway_of(run) not in (None, killed))
    again = start(control=run.control)
    assert [again.ask()[0], again.ask()[0]] == [200, 402]


def gateway_of(run: Run) -> int | None:
    """The process that listens on the control socket; a user may not look at its files."""
    with socket.socket(socket.AF_UNIX) as client:
        try:
            client.connect(str(run.control))
        except OSError:
            return None
        credentials = client.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12)
    pid: int = struct.unpack("3i", credentials)[0]
    return pid


def recorded(run: Run, bodies: list[dict[str, Any]], path: str = "/v1/chat/completions") -> Path:
    for body in bodies:
        assert run.ask(path, body)[0] == 200
    run.endpoint.close()
    return run.trajectory


REPLAY = {"base_url": "", "replay": "recording"}


@pytest.mark.parametrize("is_recording", [False, True])
@pytest.mark.parametrize("path", ["/v1/chat/completions", "/v1/responses"])
def test_a_recording_answers_again(
    start: Start, gateway: Gateway, provider: Provider, *, path: str, is_recording: bool
) -> None:
    def body(text: str, **more: Any) -> dict[str, Any]:
        if path.endswith("responses"):
            return {"model": "stand-in", "input": text, **more}
        return hello(text, **more)

    bodies = [body("one"), body("two", stream=True), body("three")]
    recording = recorded(start(gateway(is_recording=is_recording)), bodies, path)
    asked = provider.contacts
    run = start(gateway(**REPLAY), recording)
    assert run.ask(path, body("three"))[0] == 200
    status, text = run.ask(path, body("two", stream=True))
    assert status == 200
    assert "".join(text.split()).count("five") >= 1
    assert run.ask(path, body("one"))[0] == 200
    status, answer = run.ask(path, body("one"))
    assert (status, "ends after 3 calls" in answer["error"]["message"]) == (400, True)
    assert provider.contacts == asked
    totals = run.endpoint.close()
    assert (totals.is_replay, totals.input_tokens, totals.outage) == (True, 300, None)
    assert "ends after 3 calls" in totals.replay_difference


def test_a_recording_of_version_0_1_answers_again(start: Start, gateway: Gateway) -> None:
    corpus = Path(__file__).parents[1] / "records" / "corpus" / "0.1"
    run = start(gateway(**REPLAY), corpus / "gateway" / "trajectory.jsonl")
    status, text = run.ask(body=hello("two", stream=True))
    assert (status, "five" in text, "[DONE]" in text) == (200, True, True)
    for body in (hello("long " * 13200, temperature=0.5), hello("one \ud800")):
        status, answer = run.ask(body=body)
        content = answer["choices"][0]["message"]["content"]
        assert (status, content) == (200, "one two three four five")
    assert run.ask(body=hello("one \ud800"))[0] == 400


def test_a_strict_replay_names_the_first_difference(
    run: Run, start: Start, gateway: Gateway
) -> None:
    recording = recorded(run, [hello("one", temperature=0.5)])
    run = start(gateway(**REPLAY), recording)
    _, answer = run.ask(body=hello("two", temperature=0.5))
    message = answer["error"]["message"]
    assert 'request.messages[0].content is "two", "one" was recorded' in message
    _, answer = run.ask(body=hello("one"))
    assert "request.temperature is in the recorded request only" in answer["error"]["message"]


def test_a_replay_in_order_takes_any_request(run: Run, start: Start, gateway: Gateway) -> None:
    recording = recorded(run, [hello("one"), hello("two")])
    run = start(gateway(**REPLAY, replay_mode="order"), recording)
    assert [run.ask(body=hello(text))[0] for text in "abc"] == [200, 200, 400]


def test_a_missing_recording_is_told_before_anything_starts(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no recording of wine, seed 2"):
        find_recording(tmp_path, "wine", 2)
    run = tmp_path / "wine_1"
    (run / "host").mkdir(parents=True)
    (run / "run.json").write_text(json.dumps({"competition_id": "wine", "seed": 2}))
    (run / "host" / "trajectory.jsonl").touch()
    assert find_recording(tmp_path, "wine", 2) == run / "host" / "trajectory.jsonl"
    with pytest.raises(UsageError):
        find_recording(tmp_path, "wine", 1)
    assert find_recording(run, "any", 7) == run / "host" / "trajectory.jsonl"


def test_differences_in_words() -> None:
    assert first_difference({"a": [1, 2]}, {"a": [1]}) == "request.a has 1 entries, 2 were recorded"
    assert first_difference({"a": 1}, {"a": 1, "b": 2}) == "request.b is in this request only"
