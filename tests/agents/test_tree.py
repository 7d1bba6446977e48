"""The agent `tree` in a real sandbox, with a scripted model behind the gateway."""

from __future__ import annotations

import json

import pytest

from mlebench.catalogue import Catalogue
from mlebench.grading.grade import grade_file
from tests.agents.conftest import KEY, MOSTLY_LONG, Play
from tests.gateway.provider import Provider


@pytest.mark.parametrize("competition_id", MOSTLY_LONG)
def test_from_data_to_grade(play: Play, arena: Catalogue, competition_id: str) -> None:
    run, folder = play("tree", competition_id, max_nodes=4, drafts=2, debug_probability=1)
    log = folder.agent_log.read_text()
    assert (run.state, run.blame) == ("finished", None), log
    report = json.loads(folder.report.read_text())
    assert report["valid_submission"], report
    tree = json.loads((folder.logs / "tree.json").read_text())
    assert [node["stage"] for node in tree["nodes"][:3]] == ["draft", "draft", "debug"]
    scores = [node["score"] for node in tree["nodes"] if node["is_good"]]
    best = min(scores) if tree["lower_is_better"] else max(scores)
    assert tree["nodes"][tree["best"]]["score"] == best
    assert (folder.code / "solution.py").read_text() == tree["nodes"][tree["best"]]["code"]
    assert run.model.answered == 5
    assert KEY not in log
    if competition_id == "starter-wine":
        # The first draft is as constant as the sample.
        competition = arena.get_competition(competition_id)
        first = grade_file(competition.sample_submission, competition)
        assert first.score is not None
        assert report["score"] < 0.5 * first.score


@pytest.mark.long
def test_a_recording_answers_the_same_requests(play: Play, model: Provider) -> None:
    first, folder = play("tree", "starter-wine", max_nodes=3, drafts=1)
    asked = len(model.seen)
    again, _ = play("tree", "starter-wine", max_nodes=3, drafts=1, replay=folder.trajectory)
    assert (again.score, again.model.answered) == (first.score, first.model.answered)
    assert (again.model.replay_difference, again.model.is_replay) == (None, True)
    assert len(model.seen) == asked


@pytest.mark.timing
@pytest.mark.long
def test_it_uses_the_time_it_has_and_keeps_its_best(play: Play) -> None:
    run, folder = play("tree", "starter-wine", seconds=25)
    tree = json.loads((folder.logs / "tree.json").read_text())
    assert (run.state, run.blame) == ("finished", None), folder.agent_log.read_text()
    assert run.score is not None
    assert run.seconds is not None
    assert 12 < run.seconds < 32
    assert len(tree["nodes"]) > 2
