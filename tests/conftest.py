"""Prepared rehearsal data that several tests read."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import settings

from mlebench.data.prepare import Rehearsal, prepare
from mlebench.registry import Registry
from tests.browser import browser, watched

__all__ = ["browser", "watched"]

# How long an example takes says nothing on a busy machine.
settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")


@pytest.fixture(scope="session")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Registry:
    """A registry over a data folder with two prepared rehearsals; not to be written to."""
    registry = Registry(tmp_path_factory.mktemp("data"))
    for competition_id in ("spaceship-titanic", "leaf-classification"):
        prepare(registry.get_competition(competition_id), Rehearsal())
    return registry


@pytest.fixture
def data_dir(prepared: Registry) -> Path:
    return prepared.get_data_dir()
