"""A model that knows 10 of 40 data sets is found out, and an honest one is not accused."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from mlebench.contamination.answers import Question, reduced
from mlebench.contamination.client import ModelClient
from mlebench.contamination.generation import Generator
from mlebench.contamination.peaked_probe import count_near
from mlebench.contamination.probes import Findings, run_probes
from mlebench.contamination.scoring import EchoScorer
from tests.contamination.conftest import Connect
from tests.contamination.planted import KNOWN, DataSet, knowing, make_sets
from tests.contamination.stub import StubModel, serve

PROBES = ("order", "guided", "rows", "values", "labels", "train-labels", "naming")
SEEDS = [101, 103]
"""Not those that the probes were made with."""


class DirectClient(ModelClient):
    """Asks the model without a connection: ten thousand calls of it are most of a test's time."""

    def __init__(self, model: StubModel) -> None:
        self._stub = model
        self._known: dict[str, dict[str, Any]] = {}

    def ask(self, questions: Sequence[Question]) -> list[dict[str, Any]]:
        for question in questions:
            if question.key not in self._known:
                self._known[question.key] = reduced(question, self._stub.respond(question.body))
        return [self._known[question.key] for question in questions]


def probe(sets: list[DataSet], client: ModelClient, probes: tuple[str, ...] = PROBES) -> Findings:
    return run_probes(
        probes,
        [one.subject for one in sets],
        [],
        scorer=EchoScorer(client, 4096),
        generator=Generator(client),
    )


def detected(findings: Findings, *probes: str) -> set[str]:
    return {
        r.competition_id
        for r in findings.results
        if r.is_detected and r.competition_id and (not probes or r.probe in probes)
    }


def check(sets: list[DataSet], findings: Findings, count: int) -> None:
    """Nine of ten known sets are found, at most one of thirty others is accused."""
    known = {one.subject.id for one in sets[:count]}
    found = detected(findings)
    assert len(found & known) >= 0.9 * count
    assert len(found - known) <= (len(sets) - count) / 30, found - known
    # Each probe does its part, so that none is carried by the others.
    for name in ("order", "rows", "values", "labels", "train-labels"):
        asked = {r.competition_id for r in findings.results if r.probe == name} & known
        assert len(detected(findings, name) & known) >= 0.9 * len(asked) > 0, name
    naming = [r for r in findings.results if r.probe == "naming" and r.p is not None]
    assert [r.value for r in naming if "text" in r.statistic] == [count / len(sets)]


@pytest.mark.long
@pytest.mark.parametrize("seed", SEEDS)
def test_recall_and_false_alarms(seed: int, tmp_path: Path) -> None:
    sets = make_sets(seed, tmp_path)
    findings = probe(sets, DirectClient(knowing(sets[:KNOWN], seed)))
    check(sets, findings, KNOWN)
    naming = [r for r in findings.results if r.probe == "naming" and r.p is not None]
    assert all(r.is_detected == ("text" in r.statistic) for r in naming)


@pytest.mark.long
def test_a_few_sets(tmp_path: Path, connect: Connect) -> None:
    """Through a server, with the same findings as without."""
    sets = make_sets(106, tmp_path, 8)
    model = knowing(sets[:3], 106)
    with serve(model) as server:
        findings = probe(sets, connect(server.url))
    check(sets, findings, 3)
    assert findings == probe(sets, DirectClient(model))


def test_solutions_learnt_by_heart(tmp_path: Path) -> None:
    """Two of eight; the others are asked by the same stub, whose samples differ."""
    sets = make_sets(107, tmp_path, 8)
    findings = probe(sets, DirectClient(knowing(sets[:2], 107)), ("peakedness",))
    assert detected(findings) == {one.subject.id for one in sets[:2]}
    assert all(r.n == 50 and r.chance == 0 for r in findings.results)
    assert {r.value for r in findings.results} == {0.0, 1.0}


@pytest.mark.parametrize(
    ("sample", "near"),
    [("a " * 19 + "x", 1), ("a " * 20, 1), ("a " * 18 + "x x", 0), ("", 0), ("a " * 22, 0)],
)
def test_near_is_a_twentieth_of_the_words(sample: str, near: int) -> None:
    assert count_near("a " * 20, [sample]) == near


@pytest.mark.long
def test_an_honest_model_is_not_accused(tmp_path: Path) -> None:
    sets = make_sets(105, tmp_path)
    findings = probe(sets, DirectClient(StubModel(seed=105)))
    assert not [r for r in findings.results if r.is_detected]
    assert {r.probe for r in findings.results} == set(PROBES)
