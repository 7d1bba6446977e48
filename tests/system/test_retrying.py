"""When a call is repeated, after which wait, and when it is given up."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from mlebench.errors import DataError
from mlebench.system.retrying import RetryPolicy, TransientError, retry, retry_after_seconds

QUICK = RetryPolicy(tries=3, first_wait_seconds=0.01)


def test_waits_double_up_to_their_limit() -> None:
    policy = RetryPolicy(tries=9, first_wait_seconds=1, longest_wait_seconds=60)
    for failures, low in enumerate((1, 2, 4, 8, 16, 32), start=1):
        assert low <= (policy.wait_seconds(failures) or 0) <= min(1.25 * low, 60)
    assert policy.wait_seconds(8) == 60
    assert policy.wait_seconds(9) is None


def test_a_server_may_ask_for_longer_waits() -> None:
    policy = RetryPolicy(longest_wait_seconds=10, longest_retry_after_seconds=100)
    assert policy.wait_seconds(1, retry_after=30) == 30
    assert policy.wait_seconds(1, retry_after=101) is None


def test_no_try_starts_after_the_deadline() -> None:
    policy = RetryPolicy(first_wait_seconds=1, deadline_seconds=10)
    assert policy.wait_seconds(1, elapsed=8) is not None
    assert policy.wait_seconds(1, elapsed=9.5) is None
    assert policy.wait_seconds(1, retry_after=11) is None


def test_only_passing_failures_are_repeated() -> None:
    outcomes: list[Exception | str] = [TransientError("busy"), TransientError("busy"), "done"]

    def action() -> str:
        outcome = outcomes.pop(0)
        if isinstance(outcome, Exception):
            raise outcome
        return outcome

    assert retry(action, QUICK) == "done"
    outcomes = [KeyError("ours"), "never reached"]
    with pytest.raises(KeyError):
        retry(action, QUICK)
    assert outcomes == ["never reached"]


def test_giving_up_says_after_how_many_tries() -> None:
    calls: list[float] = []

    def fails() -> None:
        calls.append(time.monotonic())
        raise TransientError("the server is busy")

    with pytest.raises(DataError, match="the server is busy; gave up after 3 tries"):
        retry(fails, QUICK)
    assert len(calls) == 3
    assert calls[1] - calls[0] >= 0.01
    assert calls[2] - calls[1] >= 0.02


def test_progress_starts_the_count_anew() -> None:
    count = 0

    def advances() -> int:
        nonlocal count
        count += 1
        if count < 8:
            error = TransientError("cut")
            error.made_progress = count % 2 == 0
            raise error
        return count

    assert retry(advances, QUICK) == 8


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        ("5", 5),
        ("2.5", 2.5),
        ("-3", 0),
        ("nan", 0),
        ("soon", None),
        ("", None),
        ("Wed, 01 Jan 2020 00:00:00 GMT", 0),
        ("Wed, 01 Jan 2020 00:00:00", 0),
    ],
)
def test_retry_after(header: str, seconds: float | None) -> None:
    assert retry_after_seconds({"Retry-After": header}) == seconds


def test_retry_after_as_a_date() -> None:
    date = format_datetime(datetime.now(UTC) + timedelta(seconds=100), usegmt=True)
    assert retry_after_seconds({"Retry-After": date}) == pytest.approx(100, abs=5)
    assert retry_after_seconds({}) is None
