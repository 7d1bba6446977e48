"""Records that pass through a table, and the choice of places."""

import json

from mlebench.competitions.iwildcam_2020_fgvc7.prepare import choose_places, filled


def test_gaps_make_a_column_of_numbers_floats_everywhere():
    records = [{"id": "a", "width": 1920}, {"id": "b", "note": "é"}, {"id": "c", "width": 2048}]
    assert json.dumps(filled(records)) == (
        '[{"id": "a", "width": 1920.0, "note": NaN}, {"id": "b", "width": NaN, "note": "\\u00e9"},'
        ' {"id": "c", "width": 2048.0, "note": NaN}]'
    )


def test_null_is_a_gap_among_numbers_and_itself_among_texts():
    records = [{"n": 1, "t": "x", "e": None}, {"n": None, "t": None, "e": None}]
    assert json.dumps(filled(records)) == (
        '[{"n": 1.0, "t": "x", "e": null}, {"n": NaN, "t": null, "e": null}]'
    )


def test_full_columns_stay_as_they_are():
    records = [{"k": 1, "b": True, "f": 0.5}, {"k": 2, "b": False, "f": 2.0}]
    assert filled(records) == records
    assert json.dumps(filled(records)) == json.dumps(records)


def test_places_are_moved_until_the_share_just_fits():
    places = [place for place in range(50) for _ in range(1 + place % 7)]
    test = choose_places(places)
    chosen = sum(place in test for place in places)
    assert 0.15 < chosen / (len(places) + chosen) <= 0.22
