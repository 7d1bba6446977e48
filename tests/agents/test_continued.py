"""Whole runs of agents that end early, in a real sandbox with a real gateway."""

from __future__ import annotations

from pathlib import Path

import pytest

from mlebench.runner import continuing
from tests.agents.conftest import Play
from tests.gateway.provider import Provider

# Each start notes what it was told; from the second on there is what the first one left.
AGENT = """
import json, os, pathlib, shutil, sys, urllib.request
notes = pathlib.Path("/home/code/notes.txt")
facts = [os.environ.get("MLEBENCH_START", "1"), os.environ["MLEBENCH_SECONDS"]]
with notes.open("a") as stream:
    print(*facts, file=stream)
print("start", *facts, flush=True)
shutil.copyfile("/home/data/sample_submission.csv", "/home/submission/submission.csv")
if "calls" in os.environ["MLEBENCH_PARAMETERS"]:
    body = {"model": os.environ["MLEBENCH_MODEL"], "messages": [{"role": "user", "content": "x"}]}
    headers = {"Authorization": "Bearer " + os.environ["OPENAI_API_KEY"]}
    headers["Content-Type"] = "application/json"
    url = os.environ["OPENAI_BASE_URL"] + "/chat/completions"
    urllib.request.urlopen(urllib.request.Request(url, json.dumps(body).encode(), headers)).read()
sys.exit(3)
"""


@pytest.fixture
def early(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """An agent that ends at once; waits between its starts are short."""
    monkeypatch.setattr(continuing, "MOST_WAIT_SECONDS", 0.1)
    folder = tmp_path / "early"
    folder.mkdir()
    (folder / "main.py").write_text(AGENT)
    (folder / "agent.toml").write_text(
        'name = "early"\nversion = "1"\nneeds_model = true\n'
        'command = ["python3", "/opt/agent/main.py"]\n[parameters]\ncontinue = true\n'
    )
    return str(folder)


def test_a_crash_loop_is_recorded_and_ends(play: Play, early: str, model: Provider) -> None:
    run, folder = play(early, "starter-wine", seconds=3600)
    assert (run.state, run.blame) == ("finished", "agent")
    assert [(start.exit_code, start.calls) for start in run.starts] == [(3, 0)] * 3
    assert "3 times in a row" in (run.reason or "")
    notes = (folder.code / "notes.txt").read_text().split()
    assert notes[::2] == ["1", "2", "3"]
    seconds = [float(word) for word in notes[1::2]]
    assert seconds[0] == 3600
    assert 3600 > seconds[1] > seconds[2] > 3000
    log = folder.agent_log.read_text()
    assert log.count("start ") == 3, "the log has all starts"
    assert run.score is not None


def test_the_budget_ends_it(play: Play, early: str, model: Provider) -> None:
    """The third call is refused with 402; the agent's exit code is the same all the time."""
    run, _ = play(early, "starter-wine", seconds=3600, calls=True, max_calls=2)
    assert run.model is not None
    assert run.model.answered == 2
    assert run.blame == "budget"
    assert "the budget is spent" in (run.reason or "")
    assert [start.calls for start in run.starts][:2] == [1, 1]
    assert 2 <= len(run.starts) <= 3


def test_without_the_parameter_it_starts_once(play: Play, early: str, model: Provider) -> None:
    run, _ = play(early, "starter-wine", seconds=3600, **{"continue": False})
    assert len(run.starts) == 1
