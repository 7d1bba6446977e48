"""Our agents' client against a provider that behaves badly, and the tree's choices."""

from __future__ import annotations

import json
import random
import time
from pathlib import Path

import pytest

from mlebench.agents.llm import client as client_module
from mlebench.agents.llm.client import Model, ModelError, NoMoreError, TooLongError, text_of
from mlebench.agents.llm.tree import prompts
from mlebench.agents.llm.tree.nodes import Policy, Tree
from mlebench.agents.llm.tree.preview import MAX_TEXT, preview
from tests.gateway import provider as behave
from tests.gateway.provider import Provider

HELLO = [{"role": "user", "content": "hello"}]


@pytest.fixture
def provider() -> Provider:  # type: ignore[misc]
    with Provider() as server:
        yield server


def connect(provider: Provider, seconds: float = 30) -> Model:
    end = time.monotonic() + seconds
    return Model(provider.url, "key", "stand-in", lambda: end - time.monotonic())


def test_what_passes_is_tried_again(provider: Provider, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client_module.time, "sleep", lambda seconds: None)
    provider.plan = [
        behave.status(429, retry_after="1"),
        behave.status(502),
        behave.half_an_answer,
        behave.raw(b"no JSON"),
        behave.raw(b'{"choices": []}'),
    ]
    model = connect(provider)
    assert text_of(model.chat(HELLO)) == "one two three four five"
    assert (model.calls, model.tokens, len(provider.seen)) == (1, 120, 6)


@pytest.mark.parametrize(
    ("status", "code", "kind"),
    [
        (402, "budget_spent", NoMoreError),
        (400, "context_length_exceeded", TooLongError),
        (413, "invalid_request", TooLongError),
        (400, "not_allowed", ModelError),
    ],
)
def test_what_does_not_pass_is_told_apart(
    provider: Provider, status: int, code: str, kind: type[ModelError]
) -> None:
    body = json.dumps({"error": {"message": "no", "code": code}}).encode()
    provider.default = behave.status(status, body)
    with pytest.raises(kind, match=code) as caught:
        connect(provider).chat(HELLO)
    assert type(caught.value) is kind


def test_nobody_is_waited_for_beyond_the_time(provider: Provider) -> None:
    provider.default = behave.nothing(60)
    started = time.monotonic()
    with pytest.raises(ModelError):
        connect(provider, seconds=1.5).chat(HELLO)
    assert time.monotonic() - started < 50


def test_a_model_that_never_answers_ends_the_run(
    provider: Provider, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client_module, "FIRST_OUTAGE_SECONDS", 0.0)
    provider.default = behave.status(503)
    with pytest.raises(NoMoreError, match="503"):
        connect(provider).chat(HELLO)


def grow(policy: Policy, scores: list[float | None]) -> Tree:
    """A tree that took its own choices, with these scores; none is a failure."""
    tree = Tree(policy, lower_is_better=True, rng=random.Random(0))
    for score in scores:
        stage, parent = tree.choose()
        node = tree.add(stage, parent, "plan", "code")
        node.score = score
        node.problem = None if score is not None else "failed"
    return tree


def test_failures_are_repaired_to_a_bounded_depth() -> None:
    tree = grow(Policy(max_debug_depth=2), [None] * 6)
    assert [node.stage for node in tree.nodes] == ["draft", "debug", "debug"] * 2
    assert tree.best is None


def test_drafts_then_the_best_is_improved_then_another_draft() -> None:
    tree = grow(Policy(drafts=2, patience=2), [3.0, 2.0, 2.5, 2.5, 4.0, 1.0, 0.5])
    stages = [(node.stage, node.parent) for node in tree.nodes]
    assert stages == [
        ("draft", None),
        ("draft", None),
        ("improve", 1),
        ("improve", 1),
        ("draft", None),
        ("improve", 1),
        ("improve", 5),
    ]
    assert tree.best is tree.nodes[-1]
    assert tree.record({})["best"] == 6


def test_answers_are_read() -> None:
    text = "A plan.\n```python\nshort\n```\nand\n```py\nmuch longer\n```"
    assert prompts.read_solution({"content": text}) == ("A plan.", "much longer\n")
    assert prompts.read_solution({"content": "only words"}) == ("only words", "")
    assert prompts.read_score("HELDOUT_SCORE: 0.5\nHELDOUT_SCORE: -1.5e-3\n") == -0.0015
    assert prompts.read_score("HELDOUT_SCORE: nan") is None
    assert prompts.has_fixed_score('print("HELDOUT_SCORE: 0.99")')
    assert not prompts.has_fixed_score('print(f"HELDOUT_SCORE: {score:.5f}")')
    guessed = prompts.read_evaluation({}, "scored by the mean absolute error")
    assert guessed.lower_is_better
    assert not prompts.read_evaluation({"content": '{"metric": "AUC"}'}, "error").lower_is_better


def test_a_look_at_the_data_is_bounded(tmp_path: Path) -> None:
    header = ",".join(f"c{number}" for number in range(3000))
    (tmp_path / "train.csv").write_text(f"{header}\n" + "x,1,\n" * 5000)
    (tmp_path / "images").mkdir()
    for number in range(100):
        (tmp_path / "images" / f"{number}.png").touch()
    (tmp_path / "broken.zip").write_text("no zip")
    (tmp_path / "bytes.csv").write_bytes(b"a,b\n\xff\xfe\x00,\x00\n")
    text = preview(tmp_path)
    assert len(text) <= MAX_TEXT
    assert "100 .png" in text
    assert "c1: numbers from 1 to 1" in text
