"""How long to wait, and how often, before a server that fails is given up."""

from __future__ import annotations

import logging
import random
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TypeVar

from mlebench.errors import DataError

Answer = TypeVar("Answer")
log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Patience:
    """Waits that double with every failure in a row, up to a bound."""

    tries: int = 8
    """Failures in a row after which to give up."""

    first_wait_seconds: float = 1
    longest_wait_seconds: float = 60
    longest_retry_after_seconds: float = 600
    """A server that asks for more than this is given up at once."""

    timeout_seconds: float = 60
    """Silence after which a connection counts as dropped."""

    def wait_seconds(self, failures: int, retry_after: float | None) -> float:
        """The wait after so many failures in a row; the server's own wish counts where it is more.

        A little chance is added, so that many clients do not come back at the same moment.
        """
        doubled = self.first_wait_seconds * 2.0 ** (failures - 1) * random.uniform(1, 1.25)
        return max(min(doubled, self.longest_wait_seconds), retry_after or 0)


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


class PassingFailure(Exception):
    """Something that may well go better next time: 429, 5xx, a dropped connection."""

    def __init__(
        self, reason: str, *, retry_after: float | None = None, status: int | None = None
    ) -> None:
        super().__init__(reason)
        self.retry_after = retry_after
        self.status = status


def wait_or_give_up(failure: PassingFailure, failures: int, patience: Patience) -> None:
    """Wait before the next try, or say that there will be none."""
    wish = failure.retry_after
    if wish is not None and wish > patience.longest_retry_after_seconds:
        raise DataError(f"{failure} and asks to come back in {wish / 60:,.0f} minutes")
    if failures >= patience.tries:
        raise DataError(f"{failure}; gave up after {failures} tries")
    log.info("%s; trying again", failure)
    time.sleep(patience.wait_seconds(failures, wish))


def insist(action: Callable[[], Answer], patience: Patience) -> Answer:
    """Do something again until it succeeds, fails for good, or patience ends."""
    failures = 0
    while True:
        try:
            return action()
        except PassingFailure as failure:
            failures += 1
            wait_or_give_up(failure, failures, patience)
