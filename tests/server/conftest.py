from __future__ import annotations

import pytest

from mlebench.registry import Competition, Registry


@pytest.fixture
def competition(prepared: Registry) -> Competition:
    return prepared.get_competition("spaceship-titanic")
