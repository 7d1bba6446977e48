"""Send requests to the provider: constant addresses, our own headers, bounded waits.

Redirects are not followed and the operator's proxy variables are not read. The text of a provider's
error goes to the record only, because it may contain parts of the key.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast

from mlebench.errors import UsageError
from mlebench.gateway.faults import (
    ProviderFault,
    broken_off,
    judge_status,
    malformed,
    no_answer_in_time,
    unreachable,
)
from mlebench.gateway.rules import read_object
from mlebench.gateway.settings import GatewaySettings
from mlebench.system.retrying import RetryPolicy, retry_after_seconds

if TYPE_CHECKING:
    import httpx

MAX_ANSWER = 32 << 20
MAX_ERROR = 64 << 10
PIECE = 256 << 10
CONNECT_SECONDS = 15.0
LONGEST_WAIT = 60.0
# Servers close idle connections after five seconds or more; a call on a closed one fails.
KEEP_SECONDS = 3.0
PROBE_SECONDS = 10.0
PROBE_KEPT_SECONDS = 5.0

ANTHROPIC_VERSION = "2023-06-01"
KEY_HEADERS = {"anthropic": "x-api-key", "gemini": "x-goog-api-key"}


@dataclass
class Effort:
    """Attempts and waits of one call."""

    attempts: int = 0
    waited_seconds: float = 0.0
    statuses: list[int | str] = field(default_factory=list)


class Upstream:
    """Sends requests to one provider with its key."""

    def __init__(self, settings: GatewaySettings, key: str) -> None:
        web = _httpx()
        self.settings = settings
        self._policy = RetryPolicy(
            tries=settings.attempts,
            first_wait_seconds=0.5,
            longest_wait_seconds=LONGEST_WAIT,
            deadline_seconds=settings.wait_seconds,
        )
        self._is_out = False
        self._probe_again_at = 0.0
        self._headers = [
            ("Content-Type", "application/json"),
            ("Accept-Encoding", "identity"),
            ("User-Agent", "mlebench"),
        ]
        if settings.api == "anthropic":
            self._headers.append(("anthropic-version", ANTHROPIC_VERSION))
        if key:
            name = KEY_HEADERS.get(settings.api)
            self._headers.append((name, key) if name else ("Authorization", f"Bearer {key}"))
        self._client = web.AsyncClient(
            trust_env=False,
            follow_redirects=False,
            proxy=settings.proxy,
            timeout=web.Timeout(settings.timeout_seconds, connect=CONNECT_SECONDS),
            limits=web.Limits(
                max_connections=settings.max_concurrent, keepalive_expiry=KEEP_SECONDS
            ),
        )

    async def close(self) -> None:
        await self._client.aclose()

    @asynccontextmanager
    async def send(
        self, path: str, body: bytes, *, is_stream: bool, effort: Effort, betas: Sequence[str] = ()
    ) -> AsyncIterator[httpx.Response]:
        """The provider's answer with status 200, after retries; its body is not read yet.

        Args:
            path: below the base URL.
            betas: the betas of Anthropic's API that the call needs.
        """
        start = time.monotonic()
        accept = "text/event-stream" if is_stream else "application/json"
        headers = [*self._headers, ("Accept", accept), ("Content-Length", str(len(body)))]
        if betas:
            headers.append(("anthropic-beta", ",".join(betas)))
        while True:
            effort.attempts += 1
            try:
                response = await self._try_once(path, body, headers)
            except ProviderFault as fault:
                effort.statuses.append(fault.provider_status or fault.cause)
                wait = self._policy.wait_seconds(
                    effort.attempts, retry_after=fault.retry_after, elapsed=time.monotonic() - start
                )
                if wait is None or not fault.is_retryable:
                    raise
                effort.waited_seconds += wait
                await asyncio.sleep(wait)
                continue
            effort.statuses.append(response.status_code)
            try:
                yield response
            finally:
                await response.aclose()
            return

    async def is_out(self) -> bool:
        """Whether a request of the gateway's own fails: then no agent's request is the cause.

        Asks for the list of models. The answer counts for a few seconds, so that failing calls
        do not double the load on the provider.
        """
        if time.monotonic() >= self._probe_again_at:
            self._is_out = await self._probe()
            self._probe_again_at = time.monotonic() + PROBE_KEPT_SECONDS
        return self._is_out

    async def _probe(self) -> bool:
        seconds = min(PROBE_SECONDS, self.settings.timeout_seconds)
        try:
            async with asyncio.timeout(seconds):
                response = await self._client.get(
                    self.settings.base_url.rstrip("/") + "/models", headers=self._headers
                )
        except (TimeoutError, _httpx().HTTPError):
            return True
        status = response.status_code
        return status in (401, 402, 403) or status >= 500 or 300 <= status < 400

    async def _try_once(
        self, path: str, body: bytes, headers: list[tuple[str, str]]
    ) -> httpx.Response:
        web = _httpx()
        request = web.Request(
            "POST",
            self.settings.base_url.rstrip("/") + path,
            headers=headers,
            content=_pieces(body),
        )
        try:
            async with asyncio.timeout(self.settings.timeout_seconds):
                response = await self._client.send(request, stream=True)
        except (web.ConnectError, web.ConnectTimeout) as error:
            raise unreachable(error) from None
        except (TimeoutError, web.TimeoutException):
            raise no_answer_in_time() from None
        except web.HTTPError as error:
            raise broken_off(type(error).__name__) from None
        if response.status_code == 200:
            return cast("httpx.Response", response)
        try:
            raise await _fault(response)
        finally:
            await response.aclose()


async def _pieces(body: bytes) -> AsyncGenerator[bytes, None]:
    """Send a large body in pieces, so that no copy of it stays in memory."""
    for start in range(0, len(body), PIECE):
        yield body[start : start + PIECE]


async def read_answer(response: httpx.Response, timeout_seconds: float) -> dict[str, Any]:
    """A whole answer as JSON."""
    content = bytearray()
    async for data in read_bytes(response, timeout_seconds):
        content += data
    try:
        return read_object(bytes(content))
    except ValueError as error:
        raise malformed(str(error)) from None


async def read_bytes(
    response: httpx.Response, timeout_seconds: float
) -> AsyncGenerator[bytes, None]:
    """The body of an answer, limited in time and size."""
    web = _httpx()
    size = 0
    if response.headers.get("content-encoding", "identity") != "identity":
        raise malformed("compressed, although plain text was requested")
    deadline = time.monotonic() + timeout_seconds
    pieces: Any = response.aiter_raw()
    try:
        while True:
            async with asyncio.timeout(max(0.0, deadline - time.monotonic())):
                data = await anext(pieces, None)
            if data is None:
                return
            size += len(data)
            if size > MAX_ANSWER:
                raise malformed(f"longer than {MAX_ANSWER:,} bytes")
            yield data
    except (TimeoutError, web.TimeoutException):
        raise no_answer_in_time() from None
    except web.HTTPError as error:
        raise broken_off(type(error).__name__) from None
    finally:
        await pieces.aclose()


async def _fault(response: httpx.Response) -> ProviderFault:
    """What an answer other than 200 means for the agent and for the record."""
    status = response.status_code
    detail = await _error_text(response)
    known = judge_status(status, detail)
    known.provider_status = status
    known.retry_after = min(retry_after_seconds(response.headers) or 0.0, LONGEST_WAIT)
    known.detail = f"{status}: {detail}"
    return known


async def _error_text(response: httpx.Response) -> str:
    text = bytearray()
    try:
        async with asyncio.timeout(CONNECT_SECONDS):
            async for data in response.aiter_raw():
                text += data
                if len(text) > MAX_ERROR:
                    break
    except (TimeoutError, _httpx().HTTPError):
        text += b" [cut off]"
    return bytes(text[:MAX_ERROR]).decode("utf-8", "replace")


def _httpx() -> Any:
    try:
        import httpx
    except ImportError:
        raise UsageError(
            "the model gateway needs httpx; install it: pip install 'mlebench[llm]'"
        ) from None
    return httpx
