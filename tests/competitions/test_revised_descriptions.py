"""Descriptions of revision v1.1 are true: what v1 says and v1.1 changes is replaced in both."""

from __future__ import annotations

import re

import pytest

from mlebench.catalogue import Catalogue, LocatedCompetition
from mlebench.revision import STRICT_RULES, Changes, replace_passage

IDS = Catalogue().list_competition_ids()

FALSE = (
    r"\bcolumns (?:are )?(?:ignored|not read)",
    r"\bcolumns do no harm",
    r"\bothers are ignored",
    r"\b(?:compared|matched|paired|identified|taken) by (?:their )?position",
    r"\bids are (?:not compared|not looked at|ignored|only used for sorting)",
    r"\bnot looked up by key",
    r"\b(?:not rescaled|nobody rescales|no rescaling)",
    r"\b(?:row's|a) sum is off by",
    r"\bcounted (?:twice|repeatedly)|\bcounts twice: avoid",
    r"\bcosts? nothing, nor|\bcosts nothing\. (?:The sample|Without)|\bignored altogether",
    r"\bneither right nor wrong|\bunknown words are skipped",
    r"\bnot refused but (?:scored|becomes|ignored|compared)",
    r"\b(?:scores|grades|answers) outside [^.;]* are not refused",
    r"\bcut at 0\.5 before|\beverything becomes yes or no",
    r"\bsubmission scores? 0\)|\bplaceholder and scores 0",
    r"\bodd (?:number|count) of five",
    r"\btakes the empty mask for a full one|\btreated as if the entire picture",
    r"\bscores about 0\.571|\breaches about 0\.571",
    r"\bwidth and height\*\*, for truth|\bas x, y, width and height although",
    r"\bfirst answer can never be found|\bcounts as unfindable",
    r"\bnine scored columns|\bof the nine columns|\b31 (?:labels|folder names)|\beight days",
    r"\bwithout (?:the )?leading zero|\bno leading zero",
    r"\bpatients occur (?:on both|in training)|\bbut patients are\b|\bpatients can be both",
    r"\bempty cell (?:is a miss|is not refused|simply being)|\bempty prediction (?:counts|is read)",
    r"(?<!training )\brows are in random order|\border of rows is random",
)
"""Patterns of statements about v1 that are not true in v1.1; a blank is any white space."""


def both(competition: LocatedCompetition) -> list[str]:
    return [competition.description, competition.obfuscated_description]


def revised(competition_id: str) -> LocatedCompetition:
    return Catalogue(revision="v1.1").get_competition(competition_id)


def changes_of(competition_id: str) -> Changes:
    changes = revised(competition_id).changes
    assert changes is not None
    return changes


@pytest.mark.parametrize("competition_id", IDS)
def test_every_passage_is_replaced(competition_id: str) -> None:
    texts = both(Catalogue().get_competition(competition_id))
    for old, new in changes_of(competition_id).passages.items():
        changed = [replace_passage(text, old, new) for text in texts]
        assert changed != texts, f"no description has the passage {old!r}"
        texts = changed


@pytest.mark.parametrize("competition_id", IDS)
def test_nothing_false_is_left(competition_id: str) -> None:
    for text in both(revised(competition_id)):
        words = " ".join(text.split())
        found = [pattern for pattern in FALSE if re.search(pattern, words, re.IGNORECASE)]
        assert found == []
        assert text.endswith(STRICT_RULES)


def test_false_statements_are_those_of_v1() -> None:
    texts = [text for name in IDS for text in both(Catalogue().get_competition(name))]
    words = [" ".join(text.split()) for text in texts]
    for pattern in FALSE:
        assert any(re.search(pattern, text, re.IGNORECASE) for text in words), pattern


@pytest.mark.parametrize("competition_id", IDS)
def test_v1_describes_as_before(competition_id: str) -> None:
    competition = Catalogue().get_competition(competition_id)
    names = ("description.md", "description_obfuscated.md")
    assert both(competition) == [(competition.home / name).read_text("utf-8") for name in names]


@pytest.mark.parametrize("competition_id", IDS)
def test_example_has_the_columns_that_are_graded(competition_id: str) -> None:
    competition = revised(competition_id)
    form = competition.definition.submission
    wanted = {*form.targets, *([form.id] if form.id else [])}
    for text in both(competition):
        headers = re.findall(r"```\n(.*,.*)\n", text)
        assert headers
        columns = [word.strip('"') for word in headers[0].split(",")]
        assert "…" in columns or wanted <= set(columns)


def test_passages() -> None:
    text = "# Task\n\n## Metric\n\nOne two\nthree. Four.\n\nFive.\n\n## Notes\n\n- six\n- seven\n"
    assert replace_passage(text, "two three.", "2, 3.") == text.replace("two\nthree.", "2, 3.")
    assert replace_passage(text, "two … Five.", "2.") == text.replace(
        "two\nthree. Four.\n\nFive.", "2."
    )
    whole = replace_passage(text, "## Metric …", "## Metric\n\nNone.")
    assert whole == "# Task\n\n## Metric\n\nNone.\n\n## Notes\n\n- six\n- seven\n"
    assert replace_passage(text, "- six", "") == text.replace("- six\n", "")
    assert replace_passage(text, "Four.", "") == text.replace("Four.", "")
    assert replace_passage(text, "Five. … six", "") == text
