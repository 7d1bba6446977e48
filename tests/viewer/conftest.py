"""A runs folder with a bit of everything, and a viewer over it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.browser import Watched
from tests.results.made_runs import make_group
from tests.viewer.running import Viewer, running_viewer

IDS = ["spaceship-titanic", "leaf-classification", "aerial-cactus-identification"]
OUTCOMES = [
    "gold",
    "invalid",
    "running",
    "below",
    "failed",
    "damaged",
    "silver",
    "cancelled",
    "planned",
]


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two honest groups and a hostile one; not to be written to."""
    runs = tmp_path_factory.mktemp("runs")
    make_group(runs, "aide", IDS, seeds=3, outcomes=OUTCOMES)
    make_group(runs, "tree", IDS, seeds=3, number=1, outcomes=["bronze", "above", "missing"])
    make_group(
        runs,
        '"><img src=x onerror=alert(1)>',
        IDS,
        number=2,
        hostile=True,
        outcomes=["gold", "invalid", "failed"],
    )
    return runs


@pytest.fixture(scope="session")
def viewer(made: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Viewer]:
    with running_viewer(made, tmp_path_factory.mktemp("cache")) as running:
        yield running


@pytest.fixture
def watched(watched: Watched, request: pytest.FixtureRequest) -> Watched:
    """A page that has the cookie of the viewer that all tests share."""
    if "viewer" in request.fixturenames:
        request.getfixturevalue("viewer").sign_in(watched.page)
    return watched
