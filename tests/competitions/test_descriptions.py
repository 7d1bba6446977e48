"""Descriptions: complete, and the obfuscated one tells nothing that identifies the competition."""

from __future__ import annotations

import re

import pytest

from mlebench.catalogue import Catalogue

IDS = Catalogue().list_competition_ids()
both_revisions = pytest.mark.parametrize("revision", ["v1", "v1.1"])
TELLING = re.compile(
    r"kaggle|zillow|imagenet|lyft|plasticc|openvaccine|eterna|petfinder|cdiscount|h&m|fgvc|cvpr|"
    r"rsna|siim|ranzcr|hubmap|vinbig|vindr|nfl\b|lmsys|chatbot arena|jigsaw|perspective api|"
    r"google|facebook|microsoft|tensorflow|openai|stack ?overflow|stack ?exchange|reddit|wikipedia|"
    r"icecube|vesuvius|herculaneum|nomad|ventilator pressure|aptos|titanic|playground series",
    re.IGNORECASE,
)


@both_revisions
@pytest.mark.parametrize("competition_id", IDS)
def test_description_is_complete(competition_id: str, revision: str) -> None:
    competition = Catalogue(revision=revision).get_competition(competition_id)
    for text in (competition.description, competition.obfuscated_description):
        assert len(text.splitlines()) >= 25
        assert text.startswith("# ")
        assert len(re.findall(r"^## ", text, re.MULTILINE)) >= 3
        blocks = re.findall(r"```.*?\n(.*?)```", text, re.DOTALL)
        tables = [block.strip().splitlines() for block in blocks if "," in block.split("\n")[0]]
        assert any(len(lines) >= 2 for lines in tables), "no example of a submission"
    assert competition.description != competition.obfuscated_description


@both_revisions
@pytest.mark.parametrize("competition_id", IDS)
def test_obfuscated_description_names_nothing(competition_id: str, revision: str) -> None:
    competition = Catalogue(revision=revision).get_competition(competition_id)
    text = competition.obfuscated_description
    assert competition_id not in text
    assert competition.definition.title.lower() not in text.lower()
    # Names of files and columns must stay as they are on disk.
    prose = re.sub(r"`[^`]*`|```.*?```", "", text, flags=re.DOTALL)
    assert TELLING.findall(prose) == []
