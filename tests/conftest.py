"""Prepared rehearsal data that several tests read."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import settings

from mlebench.catalogue import Catalogue
from mlebench.preparing.prepare import Rehearsal, prepare
from tests.browser import browser, watched
from tests.kaggle_server.fixtures import kaggle_server, policy, serve, spaceship

__all__ = ["browser", "kaggle_server", "policy", "serve", "spaceship", "watched"]

# How long an example takes says nothing on a busy machine.
settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Only tests of real clocks get a second chance; anything else that fails is wrong."""
    for item in items:
        if item.get_closest_marker("timing"):
            item.add_marker(pytest.mark.flaky(reruns=2, reruns_delay=1))


@pytest.fixture(scope="session")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Catalogue:
    """A catalogue over a data folder with two prepared rehearsals; not to be written to."""
    catalogue = Catalogue(tmp_path_factory.mktemp("data"))
    for competition_id in ("spaceship-titanic", "leaf-classification"):
        prepare(catalogue.get_competition(competition_id), Rehearsal())
    return catalogue


@pytest.fixture
def data_dir(prepared: Catalogue) -> Path:
    return prepared.get_data_dir()
