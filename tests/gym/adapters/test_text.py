"""Actions in texts, and sessions that all adapters share."""

from __future__ import annotations

import asyncio
import pickle
import re
from pathlib import Path
from typing import Any

import pytest

from mlebench.gym.adapters import SessionSettings, TextSession, action_of_text
from mlebench.gym.adapters.trl import EnvironmentFactory
from mlebench.gym.services import close_shared_services
from tests.gym.adapters.scripts import actions

ADAPTERS = Path(__file__).parents[3] / "src" / "mlebench" / "gym" / "adapters"
TEXTS = {
    "```python\nprint(1)\n```": {"kind": "run", "code": "print(1)\n"},
    "First I look.\n```bash\nls\n```\n": {"kind": "run", "command": "ls\n"},
    '{"kind": "submit"}': {"kind": "submit"},
    'Now {x} then {"kind": "read", "path": "/home/data/a"} ok': {
        "kind": "read",
        "path": "/home/data/a",
    },
    '```json\n{"kind": "validate"}\n```': {"kind": "validate"},
    "hello": {"kind": "hello"},
    "": {"kind": ""},
    "{" * 5000: {"kind": "{" * 40},
}


@pytest.mark.parametrize("text", TEXTS, ids=range(len(TEXTS)))
def test_actions_in_texts(text: str) -> None:
    assert action_of_text(text) == TEXTS[text]


def test_adapters_are_small() -> None:
    sizes = {file.name: len(file.read_text("utf-8").splitlines()) for file in ADAPTERS.glob("*.py")}
    assert len(sizes) == 8
    assert max(sizes.values()) <= 150, sizes


def test_pickles_contain_no_answer(settings: dict[str, Any], data_dir: Path) -> None:
    """Neither the answers nor the name of their folder."""
    answers = data_dir / "starter-wine" / "holdout-v1.1" / "private" / "test.csv"
    lines = answers.read_bytes().splitlines()[1:]
    for sent in (SessionSettings(**settings), EnvironmentFactory(**settings)):
        data = pickle.dumps(sent)
        assert b"private" not in data
        assert not any(line in data for line in lines)
        assert pickle.loads(data)


def test_no_adapter_can_evaluate() -> None:
    with pytest.raises(TypeError):
        SessionSettings(split="test")  # type: ignore[call-arg]
    for file in ADAPTERS.glob("*.py"):
        text = file.read_text("utf-8")
        assert not re.search(r"evaluate=|private_dir|answers\b.*=", text), file


def test_a_lost_sandbox_is_masked(
    settings: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The sum of the rewards is unknown, not 0."""
    from mlebench.gym.plain import PlainWorkspace
    from mlebench.gym.workspace import Ran, WorkspaceLost

    async def fail(self: PlainWorkspace, program: object) -> Ran:
        raise WorkspaceLost("the machine has gone")

    async def play() -> TextSession:
        session = TextSession(SessionSettings(**settings))
        await session.start()
        monkeypatch.setattr(PlainWorkspace, "run", fail)
        await session.act(actions(0)[1])
        await session.close()
        await close_shared_services()
        return session

    session = asyncio.run(play())
    assert session.is_over and session.blame == "infrastructure"
    assert session.total is None
    assert session.metrics["is_lost"] == 1.0
