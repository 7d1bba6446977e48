from __future__ import annotations

import pytest

from mlebench.catalogue import Catalogue, LocatedCompetition


@pytest.fixture
def competition(prepared: Catalogue) -> LocatedCompetition:
    return prepared.get_competition("spaceship-titanic")


@pytest.fixture
def sample(competition: LocatedCompetition) -> bytes:
    return competition.sample_submission.read_bytes()
