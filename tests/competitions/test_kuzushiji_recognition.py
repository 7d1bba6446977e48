"""Boxes take points greedily, in the order of the lists."""

from __future__ import annotations

import random

import pandas as pd
import pytest

from mlebench.competitions.kuzushiji_recognition.competition import points_in_boxes
from mlebench.competitions.kuzushiji_recognition.format import predicted_points, true_boxes
from mlebench.competitions.kuzushiji_recognition.metric import character_f1
from mlebench.competitions.kuzushiji_recognition.revision import limited_points
from mlebench.errors import InvalidSubmissionError
from mlebench.metrics import boxes


def score(true: list[str | None], predicted: list[str | None]) -> float:
    tables = [pd.DataFrame({"labels": cells}) for cells in (true, predicted)]
    return character_f1(true_boxes(tables[0]), predicted_points(tables[1]))


def test_the_first_box_takes_the_first_point_even_if_the_second_needs_it() -> None:
    wide, narrow = "U+306F 0 0 100 100", "U+306F 40 40 20 20"
    # The wide box takes (50, 50), the only point that the narrow one could have.
    assert score([f"{wide} {narrow}"], ["U+306F 50 50 U+306F 10 10"]) == 0.5
    assert score([f"{narrow} {wide}"], ["U+306F 50 50 U+306F 10 10"]) == 1.0
    assert score([f"{wide} {narrow}"], ["U+306F 10 10 U+306F 50 50"]) == 1.0


def test_points_on_the_edge_of_other_codes_or_pages_do_not_count() -> None:
    box = "U+306F 10 10 20 20"
    assert score([box], ["U+306F 10 15"]) == 0.0
    assert score([box], ["U+306F 29.9 29.9"]) == 1.0
    assert score([box], ["U+306F 30 15"]) == 0.0
    assert score([box], ["U+304C 15 15"]) == 0.0
    assert score([box, None], [None, "U+306F 15 15"]) == 0.0
    assert score([box], ["U+306F nan 15 U+306F inf 15"]) == 0.0


def test_empty_pages_count_their_misses_and_false_alarms() -> None:
    # One right, two missed on the second page, one false alarm on the third.
    true = ["U+306F 0 0 9 9", "U+306F 0 0 9 9 U+304C 0 0 9 9", None]
    assert score(true, ["U+306F 5 5", None, "U+306F 5 5"]) == 2 / (2 + 2 + 1)


def test_gold_points_lie_inside() -> None:
    labels = "U+306F 10 20 3 3 U+304C 0 0 2 2"
    assert points_in_boxes(labels) == "U+306F 11 21 U+304C 1 1"
    assert points_in_boxes("") == ""
    assert score([labels], [points_in_boxes(labels)]) == 1.0


@pytest.mark.parametrize("cell", ["U+306F 10", "U+306F  10 20", "U+306F 10 20 ", " ", "U+306F a 1"])
def test_other_cells_are_refused(cell: str) -> None:
    with pytest.raises(InvalidSubmissionError):
        predicted_points(pd.DataFrame({"labels": ["U+306F 1 1", cell]}))


def test_blocks_of_pages_give_what_a_plain_loop_gives(monkeypatch: pytest.MonkeyPatch) -> None:
    draw = random.Random(3)
    codes = ["U+306F", "U+304C"]
    pages = [
        [(draw.choice(codes), *(draw.randrange(1, 40) for _ in range(4))) for _ in range(30)]
        for _ in range(8)
    ]
    points = [
        [(draw.choice(codes), draw.randrange(70), draw.randrange(70)) for _ in range(40)]
        for _ in pages
    ]
    right = sum(_plain_matches(*page) for page in zip(pages, points, strict=True))
    lists = [
        [" ".join(" ".join(map(str, item)) for item in page) for page in side]
        for side in (pages, points)
    ]
    expected = 2 * right / (8 * 30 + 8 * 40)
    assert score(*lists) == pytest.approx(expected)
    monkeypatch.setattr(boxes, "PAIRS_AT_ONCE", 7)
    assert score(*lists) == pytest.approx(expected)


def test_a_page_with_very_many_points() -> None:
    box = " ".join(["U+306F 10 10 20 20"] * 40)
    outside = " ".join(["U+306F 1 1"] * 100_000)
    codes = " ".join(f"U+{code:X} 15 15" for code in range(100_000))
    # Of the many codes one is right.
    assert score([box, box], [f"{outside} U+306F 15 15", codes]) == 2 * 2 / (80 + 200_001)


def _plain_matches(boxes: list[tuple], points: list[tuple]) -> int:  # type: ignore[type-arg]
    left = list(points)
    found = 0
    for code, x, y, width, height in boxes:
        for point in left:
            if point[0] == code and x < point[1] < x + width and y < point[2] < y + height:
                left.remove(point)
                found += 1
                break
    return found


def test_revision_v1_1_refuses_a_page_of_too_many_characters() -> None:
    pages = [" ".join(["U+306F 1 1"] * count) for count in (1, 1200)]
    assert limited_points(pd.DataFrame({"labels": pages})).count == 1201
    pages += [" ".join(["U+306F 1 1"] * 1201)]
    with pytest.raises(InvalidSubmissionError, match="row 3 has 1,201 characters"):
        limited_points(pd.DataFrame({"labels": pages}))
