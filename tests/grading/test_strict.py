"""Files that a published grader scores, and that validation refuses by the sample submission."""

from __future__ import annotations

import pytest

from mlebench.catalogue import Catalogue
from mlebench.errors import InvalidSubmissionError
from mlebench.grading.reading import parse_submission
from mlebench.grading.strict import SampleRules

SAMPLES = {
    "uw-madison-gi-tract-image-segmentation": (
        "id,class,predicted\na_slice_1,stomach,1 1\na_slice_1,large_bowel,1 1\n"
    ),
    "vinbigdata-chest-xray-abnormalities-detection": (
        "image_id,PredictionString\na1,14 1 0 0 1 1\nb2,14 1 0 0 1 1\n"
    ),
    "osic-pulmonary-fibrosis-progression": (
        "Patient_Week,FVC,Confidence\np_1,2000,100\np_2,2000,100\n"
    ),
    "h-and-m-personalized-fashion-recommendations": (
        "customer_id,prediction\na,0706 07\nb,0706 07\n"
    ),
    "champs-scalar-coupling": "id,scalar_coupling_constant\n1,0\n2,0\n",
    "nomad2018-predict-transparent-conductors": (
        "id,formation_energy_ev_natom,bandgap_energy_ev\n1,0.1,1.8\n2,0.1,1.8\n"
    ),
}


def refusal(competition_id: str, text: str | bytes) -> str | None:
    """What the rules of a competition's format say about a file."""
    form = Catalogue().get_competition(competition_id).definition.submission
    sample = SAMPLES[competition_id].encode()
    rules = SampleRules.from_sample(sample, parse_submission(sample, "sample.csv"), form)
    data = text if isinstance(text, bytes) else text.encode()
    try:
        rules.check(data, parse_submission(data, "submission.csv"))
    except InvalidSubmissionError as error:
        return str(error)
    return None


@pytest.mark.parametrize("competition_id", SAMPLES)
def test_a_submission_has_as_many_rows_as_the_sample(competition_id: str) -> None:
    header, first, second = SAMPLES[competition_id].splitlines()
    assert refusal(competition_id, SAMPLES[competition_id]) is None
    assert refusal(competition_id, "\n".join([header, second, first])) is None
    for rows in ([first], [first, second, second], [first, second, first, second]):
        said = refusal(competition_id, "\n".join([header, *rows]))
        assert said == f"submission has {len(rows)} rows, expected 2 as in the sample submission"


def test_ids_count_where_rows_are_paired_by_position() -> None:
    name = "nomad2018-predict-transparent-conductors"
    header, first, second = SAMPLES[name].splitlines()
    foreign = second.replace("2", "3", 1)
    assert "for example '3'" in str(refusal(name, "\n".join([header, first, foreign])))
    said = refusal(name, "\n".join([header, first, first]))
    assert said == "'id' has 2 rows with '1', expected 1 as in the sample submission"


@pytest.mark.parametrize("spelling", ["01", "+1", " 1", "1 ", '"01"', "\v1", "1\f", "001", '"1"'])
def test_a_number_that_is_an_id_is_spelled_as_in_the_sample(spelling: str) -> None:
    name = "nomad2018-predict-transparent-conductors"
    header, first, second = SAMPLES[name].splitlines()
    said = refusal(name, "\n".join([header, second, spelling + first[1:]]))
    assert said is None if spelling == '"1"' else "not spelled" in str(said)


def test_a_quote_inside_a_character_is_not_utf_8() -> None:
    name = "h-and-m-personalized-fashion-recommendations"
    # pandas drops the quote before it decodes the cell, and reads the letter.
    data = SAMPLES[name].encode().replace(b"a,0706 07", b'a,"\xd1"\x82')
    assert parse_submission(data, "submission.csv").table["prediction"][0] == "т"
    assert refusal(name, data) == "line 2 is not UTF-8 text"


@pytest.mark.parametrize(
    ("rows", "row", "width"), [(['a,a"b', "b", "c,1"], 2, 1), (['a,a"b', "", "b,1"], 2, 0)]
)
def test_every_row_is_as_wide_as_the_header(rows: list[str], row: int, width: int) -> None:
    # The commas outside quotes are as many as they should be, if a quote hides the end of a line.
    name = "h-and-m-personalized-fashion-recommendations"
    said = refusal(name, "\n".join(["customer_id,prediction", *rows, ""]))
    assert said == f"row {row} has {width} fields, the header has 2"


def test_an_empty_name_may_be_in_the_header_once() -> None:
    text = b",Id,Category,\n1,a,0,\n"
    found = parse_submission(text, "submission.csv")
    assert "column '' is named twice in the header" in found.warnings


def test_a_number_has_no_form_feed() -> None:
    name = "nomad2018-predict-transparent-conductors"
    said = refusal(name, SAMPLES[name].replace("1.8", "1.8\f", 1))
    assert "blanks around the number" in str(said)
