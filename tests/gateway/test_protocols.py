"""Every protocol in front of every provider: conversations, records and costs to the token."""

from __future__ import annotations

import json

import pytest

from mlebench.gateway.settings import Budget
from mlebench.records.messages import response_messages
from mlebench.records.trajectory import ExchangeEntry, read_entries
from tests.gateway.conftest import BACKS, Gateway, OpenRun, Run, Start
from tests.gateway.provider import Provider
from tests.gateway.stand_ins import Counts, Model, Reply
from tests.gateway.talkers import TALKERS, ResponsesTalker

NATIVE = {"chat": "openai", "responses": "openai", "messages": "anthropic", "gemini": "gemini"}


def cost(counts: Counts) -> int:
    """In billionths of a dollar: a dollar for a million tokens is 1,000 for each."""
    five = counts.written - counts.written_1h
    read = counts.fresh * 3000 + counts.cached * 300
    return read + five * 3750 + counts.written_1h * 6000 + counts.output * 15000


def check_books(run: Run, model: Model) -> None:
    """The record is whole, and every token is booked as the provider counted it."""
    assert model.problems == []
    totals = run.endpoint.close()
    counted = model.counted
    assert totals.answered == len(counted)
    assert totals.output_tokens == sum(c.output for c in counted)
    assert totals.input_tokens == sum(c.fresh + c.cached + c.written for c in counted)
    assert totals.cached_tokens == sum(c.cached for c in counted)
    assert totals.unknown_tokens == 0
    assert totals.cost is not None
    assert round(totals.cost * 1e9) == sum(cost(c) for c in counted)


@pytest.mark.parametrize("is_stream", [False, True], ids=["whole", "streamed"])
@pytest.mark.parametrize("back", BACKS)
@pytest.mark.parametrize("front", TALKERS)
def test_a_conversation(
    open_run: OpenRun,
    provider: Provider,
    model: Model,
    *,
    front: str,
    back: str,
    is_stream: bool,
) -> None:
    run = open_run(back)
    model.script = [
        Reply("I look.", [("look", {"x": "a ü"})]),
        Reply("", [("run", {"x": "1"}), ("run", {"x": "2"})]),
        Reply("all is done"),
    ]
    talker = TALKERS[front](run, is_stream=is_stream)
    calls = talker.work("begin")
    assert model.problems == []
    assert calls == [("look", {"x": "a ü"}), ("run", {"x": "1"}), ("run", {"x": "2"})]
    said = [entry["response"] for entry in run.entries("exchange")]
    assert [talker.text(answer) for answer in said] == ["I look.", "", "all is done"]
    assert [len(talker.calls(answer)) for answer in said] == [1, 2, 0]
    sent = json.dumps(provider.seen[-1]["body"])
    assert "iVBORw0KGgo=" in sent and "be brief" in sent and "done look" in sent
    spoken = {entry["provider_protocol"] for entry in run.entries("exchange")}
    assert spoken == {back_protocol(front, back)}
    check_books(run, model)


@pytest.mark.parametrize("is_stream", [False, True], ids=["whole", "streamed"])
@pytest.mark.parametrize("back", ["openai-chat", "openai-responses", "anthropic", "gemini"])
@pytest.mark.parametrize("front", TALKERS)
def test_thoughts_are_shown_and_given_back(
    open_run: OpenRun,
    provider: Provider,
    model: Model,
    *,
    front: str,
    back: str,
    is_stream: bool,
) -> None:
    """Every agent sees them; returned with a seal, they go to the provider again."""
    run = open_run(back)
    thought = "It may be there."
    model.script = [Reply("I look.", [("look", {"x": "1"})], thought=thought), Reply("done")]
    TALKERS[front](run, is_stream=is_stream).work("begin")
    assert model.problems == []
    first, second = run.entries("exchange")
    shown = [m.content for m in response_messages(first["response"]) if m.kind == "reasoning"]
    assert shown == [thought]
    is_returned = thought in json.dumps(second["request"])
    is_sealed = front in ("messages", "responses") and back != "gemini"
    is_same = back_protocol(front, back) == front
    needed = {
        "openai-chat": f'"reasoning_content": "{thought}"',
        "openai-responses": '"encrypted_content": "c2ln"',
        "anthropic": f'"thinking": "{thought}", "signature": "c2ln"',
    }
    sent = json.dumps(provider.seen[-1]["body"])
    if is_sealed:
        assert is_returned and needed[back] in sent
    elif not is_same:
        assert thought not in sent
        assert ("thinking of earlier answers" in second.get("removed", [])) == is_returned


def test_what_a_translation_loses_is_noted(
    open_run: OpenRun, provider: Provider, model: Model
) -> None:
    """A seal from elsewhere is none, and no name of a field."""
    run = open_run("openai-chat")
    forged = {"type": "thinking", "thinking": "x", "signature": "tool_calls"}
    body = {
        "model": "stand-in",
        "max_tokens": 2000,
        "messages": [
            {"role": "user", "content": "go"},
            {"role": "assistant", "content": [forged]},
            {"role": "user", "content": "on"},
        ],
        "thinking": {"type": "enabled", "budget_tokens": 1024},
        "output_config": {"effort": "high"},
        "top_k": 3,
    }
    assert run.ask("/v1/messages", body)[0] == 200
    (entry,) = run.entries("exchange")
    lost = ["thinking of earlier answers", "output_config.effort", "thinking", "top_k"]
    assert entry["removed"] == lost
    assert provider.seen[-1]["body"]["messages"] == [{"role": "user", "content": "go\n\non"}]
    run = open_run("anthropic")
    body = {"model": "stand-in", "input": "x", "reasoning": {"effort": "low", "summary": "auto"}}
    assert run.ask("/v1/responses", body)[0] == 200
    assert run.entries("exchange")[0]["removed"] == ["reasoning.summary", "effort"]


def back_protocol(front: str, back: str) -> str:
    if back == "openai":
        return front if front in ("chat", "responses") else "chat"
    names = {"anthropic": "messages", "gemini": "gemini"}
    return names.get(back) or back.removeprefix("openai-")


@pytest.mark.parametrize("front", TALKERS)
def test_what_agrees_passes_as_it_is(
    open_run: OpenRun, provider: Provider, model: Model, front: str
) -> None:
    """The same protocol on both sides: body and answer are those of the two ends."""
    run = open_run(NATIVE[front])
    talker = TALKERS[front](run, is_stream=False)
    talker.say("begin", has_image=True)
    body = json.loads(json.dumps(talker.request()[1]))
    answer = talker.ask()
    for removed in ("metadata", "prompt_cache_key"):
        body.pop(removed, None)
    assert provider.seen[0]["body"] == body
    assert answer == run.entries("exchange")[0]["response"]


@pytest.mark.parametrize("front", TALKERS)
def test_custom_tools_of_codex_with_any_provider(
    open_run: OpenRun, model: Model, front: str
) -> None:
    api = {"chat": "openai-chat", "responses": "openai-responses"}.get(front, NATIVE[front])
    for is_stream in (False, True):
        run = open_run(api)
        patch = '*** Begin Patch\n"quoted" {"a": 1}\n*** End Patch'
        model.script = [Reply("", [("run", {"input": patch})]), Reply("ok")]
        talker = ResponsesTalker(run, is_stream=is_stream)
        talker.customs = ("run",)
        assert talker.work("patch it") == [("run", {"input": patch})]
        assert model.problems == []


@pytest.mark.parametrize("is_stream", [False, True], ids=["whole", "streamed"])
@pytest.mark.parametrize("front", TALKERS)
def test_a_megabyte_of_output(
    open_run: OpenRun, model: Model, *, front: str, is_stream: bool
) -> None:
    run = open_run(NATIVE[front])
    model.script = [Reply("", [("run", {"x": "y" * 500_000})]), Reply("z" * 1_000_000)]
    talker = TALKERS[front](run, is_stream=is_stream)
    assert talker.work("begin", output="o" * 1_000_000) == [("run", {"x": "y" * 500_000})]
    check_books(run, model)
    exchanges = [e for e in read_entries(run.trajectory) if isinstance(e, ExchangeEntry)]
    assert talker.text(exchanges[-1].response) == "z" * 1_000_000
    assert "o" * 1_000_000 in json.dumps(exchanges[-1].request)


@pytest.mark.long
@pytest.mark.parametrize(
    ("front", "back"),
    [*NATIVE.items(), ("messages", "openai"), ("responses", "anthropic"), ("chat", "gemini")],
)
def test_two_hundred_tool_calls(open_run: OpenRun, model: Model, front: str, back: str) -> None:
    run = open_run(back)
    expected = [("run", {"x": str(number)}) for number in range(200)]
    # Some one by one, some at once.
    sizes = [1, 1, 3, 5] * 20
    rest = list(expected)
    model.script = [Reply("go", [rest.pop(0) for _ in range(size)]) for size in sizes]
    assert not rest
    talker = TALKERS[front](run, is_stream=True)
    assert talker.work("begin") == expected
    assert len(run.entries("exchange")) == len(run.entries("start")) == 81
    check_books(run, model)


@pytest.mark.parametrize("back", BACKS)
@pytest.mark.parametrize("front", TALKERS)
def test_a_cut_stream(open_run: OpenRun, model: Model, front: str, back: str) -> None:
    """The stream ends with an error in its own protocol; what came is recorded and booked."""
    run = open_run(back)
    model.script = [Reply("one two three four five six seven eight nine ten", is_cut=True)]
    talker = TALKERS[front](run, is_stream=True)
    talker.say("begin")
    path, body = talker.request()
    status, text = run.ask(path, body)
    assert status == 200
    assert text.endswith("\n\n")
    last = json.loads(text.strip().split("\n")[-1].removeprefix("data: "))
    assert "broke off" in json.dumps(last)
    if front == "messages":
        assert text.strip().split("\n")[-2] == "event: error"
        assert (last["type"], last["error"]["type"]) == ("error", "api_error")
    elif front == "responses":
        assert "event: response.failed" in text
    (entry,) = run.entries("exchange")
    assert entry["outcome"] == "failed"
    assert entry["booked_tokens"] > 4000, "the worst case counts as spent"
    assert talker.text(entry["response"]).startswith("one")
    # Another call goes on.
    model.script = []
    assert run.ask(path, body | ({} if front == "gemini" else {"stream": False}))[0] == 200


@pytest.mark.parametrize("front", TALKERS)
def test_the_budget_ends_in_the_middle(open_run: OpenRun, model: Model, front: str) -> None:
    run = open_run(NATIVE[front], run_budget=Budget(calls=3))
    model.default = Reply("", [("run", {"x": "1"})])
    talker = TALKERS[front](run, is_stream=True)
    assert len(talker.work("begin")) == 3
    assert talker.status == 402
    (refused,) = run.entries("refused")
    assert (refused["status"], refused["code"]) == (402, "budget_spent")
    totals = run.endpoint.totals()
    assert totals.budget_spent and totals.refused == 1
    check_books(run, model)


@pytest.mark.parametrize("front", TALKERS)
def test_a_recording_answers_again(
    start: Start, gateway: Gateway, open_run: OpenRun, provider: Provider, model: Model, front: str
) -> None:
    run = open_run(NATIVE[front])
    script = [Reply("look", [("look", {"x": "1"}), ("run", {"x": "2"})]), Reply("done")]
    model.script = list(script)
    first = TALKERS[front](run, is_stream=True)
    calls = first.work("begin")
    run.endpoint.close()
    seen = provider.contacts
    for is_stream in (True, False):
        again = start(gateway(replay="recording", base_url=""), recording=run.trajectory)
        talker = TALKERS[front](again, is_stream=is_stream)
        assert talker.work("begin") == calls
        totals = again.endpoint.close()
        assert (totals.answered, totals.replay_difference) == (2, None)
    assert provider.contacts == seen
