"""The real AIDE, installed from its lock file, in a real sandbox with a scripted model."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mlebench.agents import environments
from mlebench.agents.registry import find_agent
from mlebench.errors import SandboxError
from tests.agents.conftest import COMPETITIONS, KEY, Play
from tests.gateway.provider import Provider

pytestmark = pytest.mark.long


@pytest.fixture(scope="session")
def aideml() -> Path:
    """Its libraries, in the cache; installing them needs a package index."""
    try:
        packages = environments.packages_for(find_agent("aide"))
    except SandboxError as error:
        pytest.skip(f"AIDE cannot be installed here: {error}")
    assert packages is not None
    return packages


@pytest.mark.parametrize("competition_id", COMPETITIONS)
def test_from_data_to_grade(play: Play, aideml: Path, model: Provider, competition_id: str) -> None:
    assert (aideml / "aide" / "agent.py").is_file()
    run, folder = play("aide", competition_id, max_steps=2, num_drafts=1, debug_prob=0)
    log = folder.agent_log.read_text()
    assert (run.state, run.blame) == ("finished", None), log
    report = json.loads(folder.report.read_text())
    assert report["valid_submission"], log
    journal = json.loads((folder.logs / "aide" / "0-run" / "journal.json").read_text())
    assert len(journal["nodes"]) == 2
    assert run.model.answered == 4
    assert KEY not in log
    assert {seen["path"] for seen in model.seen} == {"/v1/chat/completions"}
    if competition_id == "starter-wine":
        assert report["score"] < 0.5


def test_names_of_openai_go_over_the_responses_api(
    play: Play, aideml: Path, model: Provider
) -> None:
    run, folder = play(
        "aide", "starter-wine", model_name="gpt-4.1", max_steps=2, num_drafts=1, debug_prob=0
    )
    log = folder.agent_log.read_text()
    assert (run.state, run.blame) == ("finished", None), log
    assert {seen["path"] for seen in model.seen} == {"/v1/responses"}
    assert json.loads(folder.report.read_text())["score"] < 0.5
