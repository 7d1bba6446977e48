"""Turns errors of the Kaggle client into transient errors, or into messages with a remedy."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from mlebench.errors import BenchError, DataError, UsageError
from mlebench.system.retrying import TransientError, retry_after_seconds

HOW_TO_LOG_IN = (
    "create an API token at https://www.kaggle.com/settings and put it into KAGGLE_API_TOKEN or"
    " ~/.kaggle/access_token; docs/kaggle.md lists other ways"
)
LONGEST_QUOTE = 200


def rules_page(competition_id: str) -> str:
    """The page where users accept the rules of a competition."""
    return f"https://www.kaggle.com/competitions/{competition_id}/rules"


@contextmanager
def explained(competition_id: str | None = None) -> Iterator[None]:
    """Turn the errors of the library requests into ours.

    Args:
        competition_id: for the messages.
    """
    import requests
    import urllib3

    passing = (
        requests.ConnectionError,
        requests.Timeout,
        requests.exceptions.ChunkedEncodingError,
        urllib3.exceptions.HTTPError,
        ConnectionError,
        TimeoutError,
    )
    try:
        yield
    except requests.HTTPError as error:
        raise _of_status(error, competition_id) from None
    except requests.exceptions.SSLError as error:
        raise DataError(f"no secure connection to Kaggle: {_quoted(error)}") from None
    except passing as error:
        kind = type(error).__name__
        raise TransientError(f"the connection to Kaggle failed ({kind})") from error
    except json.JSONDecodeError:
        raise DataError("Kaggle's answer is not JSON; is there a proxy in between?") from None
    except requests.RequestException as error:
        raise DataError(f"the request to Kaggle failed: {_quoted(error)}") from None


def _of_status(error: Any, competition_id: str | None) -> Exception:
    response = error.response
    code = response.status_code
    if code in (408, 425, 429) or code >= 500:
        wish = retry_after_seconds(response.headers)
        reason = response.reason or "no reason"
        return TransientError(f"Kaggle answers {code} ({reason})", retry_after=wish, status=code)
    # After the redirect, the storage server answers: the signed address has expired.
    if response.history:
        return TransientError(f"Kaggle's storage answers {code}", status=code)
    return _of_refusal(code, _quoted(error), competition_id)


def _of_refusal(code: int, said: str, competition_id: str | None) -> BenchError:
    if code == 401:
        return UsageError("Kaggle rejects the credentials", hint=HOW_TO_LOG_IN)
    if competition_id is None:
        return DataError(f"Kaggle answers {code}: {said}")
    if code == 403 and "rules" in said.lower():
        return UsageError(
            f"the rules of {competition_id} are not accepted",
            hint=f"accept them at {rules_page(competition_id)}",
        )
    if code == 403:
        return UsageError(
            f"Kaggle denies access to {competition_id}: {said}",
            hint=f"join it or accept its rules at {rules_page(competition_id)}, or use"
            f" your own archive: mlebench prepare -c {competition_id} --archive FILE",
        )
    if code == 404:
        return UsageError(f"Kaggle has no data for {competition_id!r}")
    return DataError(f"Kaggle answers {code} for {competition_id}: {said}")


def _quoted(error: Exception) -> str:
    """The beginning of the message, on one line."""
    return " ".join(str(error).split())[:LONGEST_QUOTE]
