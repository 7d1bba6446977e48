"""Which runs a submission may have been copied from: time, agents, files that were replaced."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mlebench.integrity import registry
from mlebench.integrity.context import CheckContext, OtherRun
from mlebench.integrity.copies import CopySearch, earlier_files
from mlebench.integrity.evidence import Evidence
from mlebench.integrity.sources import RunSource
from mlebench.records.run import SealedSubmission
from tests.integrity.conftest import MakeRun

HOUR = "2026-03-01T{:02}:00:00+00:00"
NUMBERS = np.random.default_rng(3).random(200)
Made = Callable[..., RunSource]


@pytest.fixture
def made(make_run: MakeRun) -> Made:
    """A run of an agent that began at an hour and took one."""

    def made(
        agent: str, hour: int, text: str = "", files: dict[str, Any] | None = None
    ) -> RunSource:
        digest = hashlib.sha256(text.encode()).hexdigest()
        return make_run(
            files,
            group=agent,
            agent=agent,
            submission=SealedSubmission(exists=True, sha256=digest),
            started_at=HOUR.format(hour),
            ended_at=HOUR.format(hour + 1),
        )

    return made


def found(sources: list[RunSource], compared: dict[Path, Any] | None = None) -> list[list[str]]:
    search = CopySearch(sources, compared or {})
    return [[other.likeness for other in search.find(source)] for source in sources]


def test_only_the_later_run_is_a_copy(made: Made) -> None:
    runs = [made("a", 1, "x"), made("b", 3, "x"), made("c", 5, "y")]
    assert found(runs) == [[], ["the same bytes"], []]


def test_runs_at_the_same_time(made: Made) -> None:
    assert found([made("a", 1, "x"), made("b", 1, "x")]) == [[], []]


def validated(seconds: int, text: str) -> dict[str, str]:
    call = {"elapsed": seconds, "valid": True, "size": 9}
    call["sha256"] = hashlib.sha256(text.encode()).hexdigest()
    return {"host/validations.jsonl": json.dumps(call) + "\n"}


@pytest.mark.parametrize(("seconds", "is_found"), [(60, True), (7000, False)])
def test_a_file_that_was_validated_and_replaced(seconds: int, is_found: bool, made: Made) -> None:
    """Run a began at 1:00; run b, which ended at 2:00, can only have what a had by then."""
    runs = [made("a", 1, "y", validated(seconds, "x")), made("b", 1, "x")]
    assert found(runs) == [[], ["the same bytes as a file that it had validated"] * is_found]


def test_a_snapshot_that_was_replaced(made: Made) -> None:
    files = {"host/snapshots/600.csv": "id,y\n", "host/snapshots/x.csv": ""}
    one, two = made("a", 1, "x", files), made("b", 3, "y")
    (snapshot,) = earlier_files(one)
    other = np.random.default_rng(4).random(200)
    compared = {
        one.folder.path: {
            "sketch": {"y": other.tolist()},
            "earlier": {str(snapshot): {"y": NUMBERS.tolist()}},
        },
        two.folder.path: {"sketch": {"y": np.round(NUMBERS, 4).tolist()}, "earlier": {}},
    }
    first, second = found([one, two], compared)
    assert first == [] and len(second) == 1 and second[0].endswith("(its file 600.csv)")


def test_blends_name_both_runs(made: Made) -> None:
    more = np.random.default_rng(4).random(200)
    cells = (NUMBERS, more, 0.4 * NUMBERS + 0.6 * more)
    runs = [made("a", 1, "x"), made("b", 3, "y"), made("c", 5, "z")]
    compared = {
        run.folder.path: {"sketch": {"y": values.tolist()}}
        for run, values in zip(runs, cells, strict=True)
    }
    first, second, third = found(runs, compared)
    assert first == second == []
    assert len(third) == 2 and all(how.startswith("a weighted mean with") for how in third)


@pytest.mark.parametrize(
    ("code", "is_sure", "is_found"),
    [
        ("model.fit(X, y)\n", True, True),
        ("model.fit(X, y)\n", False, False),
        ("# sklearn would do\nopen('a').read()\n", False, True),
    ],
    ids=["certain", "an easy task", "an easy task without a model"],
)
def test_easy_tasks_need_more(code: str, is_sure: bool, is_found: bool, make_run: MakeRun) -> None:
    """Two models may agree on every label; a run without a model has no reason to."""
    other = OtherRun("r", "g", "a", "no row of 60 is out of its order", is_sure)
    source = make_run({"code/a.py": code})
    context = CheckContext(Evidence(source), similar_submissions=(other,))
    findings = [one for one in registry.check(context).findings if one.check == "I15"]
    assert [one.severity for one in findings] == ["review"] * is_found
