"""Repeats calls after transient failures, with growing waits, until a limit is reached."""

from __future__ import annotations

import logging
import math
import random
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TypeVar

from mlebench.errors import DataError

Result = TypeVar("Result")
log = logging.getLogger(__name__)


@dataclass(frozen=True)
class RetryPolicy:
    """How often and after which waits a call is repeated; waits double up to a limit."""

    tries: int = 8
    """Consecutive failures after which to give up."""

    first_wait_seconds: float = 1
    longest_wait_seconds: float = 60
    longest_retry_after_seconds: float = 600
    """If the server asks for a longer wait, give up at once."""

    deadline_seconds: float = math.inf
    """Give up if the next try would start later than this after the first one."""

    timeout_seconds: float = 60
    """Silence after which a connection counts as dropped."""

    def wait_seconds(
        self, failures: int, *, retry_after: float | None = None, elapsed: float = 0
    ) -> float | None:
        """The wait after some consecutive failures; None to give up.

        It is at least as long as the server asks for. A random share is added, so that many clients
        do not retry at the same moment.

        Args:
            elapsed: seconds since the first try began.
        """
        asked = retry_after or 0
        if failures >= self.tries or asked > self.longest_retry_after_seconds:
            return None
        doubled = self.first_wait_seconds * 2.0 ** (failures - 1) * random.uniform(1, 1.25)
        wait = max(min(doubled, self.longest_wait_seconds), asked)
        return None if elapsed + wait > self.deadline_seconds else wait


class TransientError(Exception):
    """A failure that may not occur again: 429, 5xx, a dropped connection."""

    def __init__(
        self, reason: str, *, retry_after: float | None = None, status: int | None = None
    ) -> None:
        super().__init__(reason)
        self.retry_after = retry_after
        self.status = status
        self.made_progress = False
        """Whether the attempt made progress, which resets the count of failures."""


def retry(action: Callable[[], Result], policy: RetryPolicy) -> Result:
    """Call a function until it returns.

    Raises:
        DataError: if every call raises `TransientError` and the policy says to give up.
    """
    failures = 0
    start = time.monotonic()
    while True:
        try:
            return action()
        except TransientError as error:
            failures = 1 if error.made_progress else failures + 1
            wait = policy.wait_seconds(
                failures, retry_after=error.retry_after, elapsed=time.monotonic() - start
            )
            if wait is None:
                raise DataError(_why_given_up(error, failures, policy)) from None
            log.info("%s; trying again", error)
        time.sleep(wait)


def _why_given_up(error: TransientError, failures: int, policy: RetryPolicy) -> str:
    asked = error.retry_after or 0
    if asked > policy.longest_retry_after_seconds:
        return f"{error} and asks to come back in {asked / 60:,.0f} minutes"
    return f"{error}; gave up after {failures} tries"


def retry_after_seconds(headers: Mapping[str, str]) -> float | None:
    """What `Retry-After` asks for: a number of seconds or a date."""
    asked = headers.get("Retry-After", "").strip()
    try:
        return max(0.0, float(asked))
    except ValueError:
        pass
    try:
        moment = parsedate_to_datetime(asked)
    except ValueError:
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return max(0.0, (moment - datetime.now(UTC)).total_seconds())
