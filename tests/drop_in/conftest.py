"""Prepared rehearsal data behind the published registry."""

from __future__ import annotations

from pathlib import Path

import pytest

from mlebench.registry import Competition, Registry


@pytest.fixture
def published(data_dir: Path) -> Registry:
    """A registry over prepared rehearsal data; not to be written to."""
    return Registry(data_dir)


@pytest.fixture
def titanic(published: Registry) -> Competition:
    return published.get_competition("spaceship-titanic")
