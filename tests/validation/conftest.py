from __future__ import annotations

import pytest

from mlebench.catalogue import Catalogue, LocatedCompetition


@pytest.fixture
def competition(prepared: Catalogue) -> LocatedCompetition:
    return prepared.get_competition("spaceship-titanic")
