"""The baseline agent decides what it tries from sizes and the limit, whatever the clock says."""

from __future__ import annotations

import contextlib
import itertools
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from threadpoolctl import threadpool_limits

from mlebench.agents.baseline import budget as budget_module
from mlebench.agents.baseline import improve as improve_module
from mlebench.agents.baseline import models as models_module
from mlebench.agents.baseline.budget import (
    LEAST_FILES,
    SECONDS_PER_BYTE,
    SECONDS_PER_FILE,
    Budget,
    planned_seconds,
)
from mlebench.agents.baseline.files import Found, look
from mlebench.agents.baseline.improve import improve
from mlebench.catalogue import Catalogue
from mlebench.preparing.prepare import prepare

BUSY_PROCESSES = 4


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    """As the program itself does for little data."""
    with threadpool_limits(1):
        yield


def make_tables(folder: Path) -> None:
    folder.mkdir()
    random = np.random.RandomState(0)
    frame = pd.DataFrame(random.normal(size=(160, 4)), columns=list("abcd"))
    frame.insert(0, "id", range(160))
    frame["is_large"] = (frame["a"] + frame["b"] > 0).astype(int)
    frame[:120].to_csv(folder / "train.csv", index=False)
    frame[120:].drop(columns="is_large").to_csv(folder / "test.csv", index=False)
    frame[120:][["id"]].assign(is_large=0.5).to_csv(folder / "sample_submission.csv", index=False)


def use_clock(monkeypatch: pytest.MonkeyPatch, step: float) -> None:
    """A clock that moves by a fixed step whenever somebody looks at it."""
    ticks = itertools.count()
    clock = SimpleNamespace(monotonic=lambda: next(ticks) * step)
    for module in (budget_module, improve_module, models_module):
        monkeypatch.setattr(module, "time", clock)


def tried(output: str) -> list[str]:
    return re.findall(r"^  (.+): accuracy", output, re.MULTILINE)


def solve(data: Path, seconds: float) -> bytes:
    out = data.parent / "submission.csv"
    improve(look(data, data.parent / "scratch"), out, seconds=seconds, seed=0)
    return out.read_bytes()


@pytest.mark.long
def test_a_slow_clock_changes_neither_the_plan_nor_the_submission(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    make_tables(tmp_path / "data")
    submissions, recipes = set(), set()
    for step in (0.0, 0.01, 0.2):
        use_clock(monkeypatch, step)
        submissions.add(solve(tmp_path / "data", seconds=10))
        output = capsys.readouterr().out
        recipes.add(tuple(tried(output)))
        # Even where no time passes at all.
        assert "extra trees: not planned" in output
    planned = ("naive Bayes", "logistic regression", "support vectors", "histogram boosting")
    assert recipes == {planned}
    assert len(submissions) == 1


def test_the_brake_stops_a_machine_that_is_far_too_slow(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    make_tables(tmp_path / "data")
    use_clock(monkeypatch, 5.0)
    assert len(solve(tmp_path / "data", seconds=10).splitlines()) == 41
    assert tried(capsys.readouterr().out) == ["naive Bayes"]


@pytest.mark.parametrize(
    ("limit", "planned"), [(0.3, 0), (4, 0), (20, 3), (22.8, 3), (49, 3), (57, 9), (600, 99)]
)
def test_limits_are_coarse_and_leave_five_times_the_estimate(limit: float, planned: float) -> None:
    assert planned_seconds(limit) == pytest.approx(planned)


def test_files_are_counted_by_their_bytes(tmp_path: Path) -> None:
    files = [Found(f"{k}.png", 1_000_000, tmp_path) for k in range(2000)]
    each = SECONDS_PER_FILE + 1_000_000 * SECONDS_PER_BYTE
    assert Budget(600, 0).take_files(files, 0.5) == int(99 * 0.5 / each)
    assert Budget(1, 0).take_files(files, 0.5) == LEAST_FILES
    assert Budget(86_400, 0).take_files(files, 0.5) == 2000


@contextlib.contextmanager
def busy_machine() -> Iterator[None]:
    loops = [
        subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(BUSY_PROCESSES)
    ]
    try:
        yield
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()


def run_program(data: Path, out: Path) -> bytes:
    words = [sys.executable, "-m", "mlebench.agents.baseline", "--seconds", "100"]
    done = subprocess.run(
        [*words, "--data", str(data), "--out", str(out)],
        capture_output=True,
        text=True,
        env=os.environ | {"PYTHONHASHSEED": "random"},
    )
    assert done.returncode == 0, done.stderr
    assert len(tried(done.stdout)) == 5, done.stdout
    return out.read_bytes()


@pytest.mark.long
def test_a_busy_machine_writes_the_same_submission(tmp_path: Path) -> None:
    competition = Catalogue(tmp_path / "data").get_competition("starter-breast-cancer")
    prepare(competition)
    quiet = run_program(competition.folder.public, tmp_path / "quiet.csv")
    with busy_machine():
        busy = run_program(competition.folder.public, tmp_path / "busy.csv")
    assert quiet == busy
