"""Actions, observations, rewards, limits and paths: what needs no sandbox."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mlebench.errors import UnknownNameError, UsageError
from mlebench.gym import Info, Read, Restart, Run, Submit, parse_action, parse_reward
from mlebench.gym.files import PathRefused, split_path
from mlebench.gym.limits import EpisodeClock, EpisodeLimits
from mlebench.gym.observation import MAX_TEXT_BYTES, clip, time_left
from mlebench.gym.rewards import Placement, RewardCounter, human_rank, medal, normalised
from mlebench.gym.workspace import HeadAndTail
from mlebench.leaderboards.leaderboard import from_scores

BOARD = from_scores([0.9, 0.8, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1], is_lower_better=False)
"""Ten teams: gold at 0.9 (rank 1), silver at 0.8 (rank 2), bronze at 0.7 (rank 4)."""

LOSSES = from_scores([-2.0, -1.0, 0.0, 1.0], is_lower_better=True)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"kind": "info", "topic": "data"}, Info("data")),
        ({"kind": "run", "code": "1", "seconds": 2}, Run(code="1", seconds=2)),
        ({"kind": "submit"}, Submit()),
        ({"kind": "request_info", "info_type": "overview"}, Info("overview")),
        ({"kind": "validate_code", "code": "1"}, Run(code="1", is_trial=True)),
        ({"kind": "execute_code", "code": "1"}, Run(code="1")),
        ({"kind": "get_history"}, Info("history")),
        ({"kind": "reset"}, Restart()),
    ],
)
def test_actions_and_aliases(given: dict[str, object], expected: object) -> None:
    assert parse_action(given) == expected


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"kind": "fly"},
        {"kind": "run"},
        {"kind": "run", "code": "1", "command": "ls"},
        {"kind": "run", "code": "1", "seconds": -1},
        {"kind": "run", "code": "1", "seconds": math.nan},
        {"kind": "run", "command": "a\0b"},
        {"kind": "read", "path": "x", "start": -1},
        {"kind": "write", "path": "x"},
        {"kind": "submit", "extra": 1},
        {"kind": ["run"]},
        "submit",
        None,
    ],
)
def test_what_is_no_action_is_refused_in_one_sentence(given: object) -> None:
    with pytest.raises(UsageError) as error:
        parse_action(given)  # type: ignore[arg-type]
    assert "\n" not in str(error.value)


@given(st.binary(max_size=200), st.integers(60, 150))
def test_a_clipped_text_fits_and_keeps_head_and_tail(data: bytes, limit: int) -> None:
    text = clip(data, limit)
    assert len(text.encode()) <= limit
    if len(data) <= limit:
        assert text == data.decode("utf-8", "replace") or b"\xff" not in data


def test_a_long_text_keeps_head_and_tail() -> None:
    text = clip(b"A" * 20_000 + b"Z" * 20_000)
    assert text.startswith("AAAA")
    assert text.endswith("ZZZZ")
    assert "bytes left out" in text
    assert MAX_TEXT_BYTES - 100 < len(text.encode()) <= MAX_TEXT_BYTES


def test_output_keeps_head_and_tail() -> None:
    kept = HeadAndTail(100)
    for letter in b"abcdefghij":
        kept.add(bytes([letter]) * 100)
    content = kept.content()
    assert content.startswith(b"a" * 50 + b"\n")
    assert content.endswith(b"\n" + b"j" * 50)
    assert b"900 bytes left out" in content


def test_human_rank_counts_ties_for_us() -> None:
    # One team of ten is strictly better than 0.8; two have exactly 0.8.
    assert human_rank(Placement(0.8, BOARD)) == pytest.approx(0.9)
    assert BOARD.teams_beaten(0.8) == pytest.approx(0.7)
    assert human_rank(Placement(0.05, BOARD)) == 0.0
    assert human_rank(Placement(1.0, BOARD)) == 1.0


@pytest.mark.parametrize(("score", "value"), [(0.9, 1), (0.85, 2 / 3), (0.7, 1 / 3), (0.6, 0)])
def test_medals_are_thirds(score: float, value: float) -> None:
    assert medal(Placement(score, BOARD)) == value


def test_normalised_is_0_at_the_sample_and_1_at_gold() -> None:
    # (0.5 - 0.1) / (0.9 - 0.1) = 0.5
    assert normalised(Placement(0.5, BOARD, 0.1)) == 0.5
    assert normalised(Placement(0.05, BOARD, 0.1)) == 0.0
    assert normalised(Placement(0.99, BOARD, 0.1)) == 1.0
    assert normalised(Placement(0.1 + 0.8 / 3, BOARD, 0.1)) == 0.333
    assert normalised(Placement(0.9, BOARD, 0.9)) == 1.0
    assert normalised(Placement(0.5, BOARD, None)) == 0.0


@pytest.mark.parametrize("reward", [human_rank, medal, normalised])
@pytest.mark.parametrize(
    ("score", "board", "is_best"),
    [
        (math.inf, BOARD, True),
        (-math.inf, BOARD, False),
        (-math.inf, LOSSES, True),
        (math.inf, LOSSES, False),
        (math.nan, BOARD, False),
        (None, BOARD, False),
    ],
)
def test_infinite_scores_are_the_limits(reward, score, board, is_best) -> None:  # type: ignore[no-untyped-def]
    value = reward(Placement(score, board, board.scores[-1]))
    assert math.isfinite(value)
    assert value == 1.0 if is_best else value <= 0.25


def test_reward_settings_are_named_with_versions() -> None:
    assert parse_reward("medal+valid").label == "medal@1+valid@1"
    assert parse_reward("improvement@1").is_dense
    for wrong in ("score", "medal+human_rank", "valid+valid", "medal@2", ""):
        with pytest.raises((UnknownNameError, UsageError)):
            parse_reward(wrong)


def test_improvements_sum_to_the_best_value() -> None:
    counter = RewardCounter(parse_reward("improvement"))
    steps = [counter.graded(value) for value in (0.2, 0.1, 0.5, 0.5, 0.451)]
    assert steps == [0.2, 0.0, 0.3, 0.0, 0.0]
    assert counter.total == pytest.approx(0.5)


def test_the_first_valid_file_is_rewarded_once() -> None:
    counter = RewardCounter(parse_reward("medal+valid"))
    found = [counter.first_valid(is_valid) for is_valid in (False, True, True)]
    assert found == [0.0, 0.05, 0.0]
    assert RewardCounter(parse_reward("medal")).first_valid(True) == 0.0


def test_the_virtual_clock_charges_whole_processor_seconds() -> None:
    clock = EpisodeClock(EpisodeLimits(seconds=10, clock="virtual"))
    clock.charge(0.01)
    clock.charge(2.2)
    assert clock.used == 4
    assert clock.left == 6


def test_limits_must_be_positive() -> None:
    for wrong in ({"steps": 0}, {"seconds": math.inf}, {"memory_bytes": -1}, {"clock": "sun"}):
        with pytest.raises(UsageError):
            EpisodeLimits(**wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("share", "name"), [(1, "all"), (0.8, "most"), (0.5, "half"), (0.1, "little"), (0, "none")]
)
def test_time_left_is_a_class(share: float, name: str) -> None:
    assert time_left(share) == name


@pytest.mark.parametrize(
    ("path", "names"),
    [
        ("/home/data/x.csv", ["data", "x.csv"]),
        ("x.csv", ["agent", "x.csv"]),
        ("/home//code/./a", ["code", "a"]),
    ],
)
def test_paths_below_home(path: str, names: list[str]) -> None:
    assert split_path(path) == names


@pytest.mark.parametrize(
    "path", ["/etc/passwd", "/home/../etc/passwd", "../x", "/home", "/", "", "a/" * 40, "x" * 2000]
)
def test_other_paths_are_refused(path: str) -> None:
    with pytest.raises(PathRefused):
        split_path(path)


def test_a_read_has_a_range() -> None:
    assert parse_action({"kind": "read", "path": "x", "start": 3, "count": 4}) == Read("x", 3, 4)
    for start in (-1, 2**63, 10**30):
        with pytest.raises(UsageError, match="start"):
            parse_action({"kind": "read", "path": "x", "start": start})
