"""Send requests to the provider: constant addresses, our own headers, bounded waits.

Redirects are not followed and the operator's proxy variables are not read. The text of a provider's
error goes to the record only, because it may contain parts of the key.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, cast

from mlebench.errors import UsageError
from mlebench.gateway.routes import Route
from mlebench.gateway.rules import CHAT_FIELDS, RESPONSES_FIELDS, read_object
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
RETRYABLE = frozenset((408, 409, 425, 429, 500, 502, 503, 504, 520, 522, 524, 529))

ANTHROPIC_PATH = "/messages"
ANTHROPIC_VERSION = "2023-06-01"

Cause = Literal["key", "connection", "busy", "server", "redirect", "request", "answer", "timeout"]


class ProviderFault(Exception):
    """The provider gave no usable answer; the text is for the agent, `detail` for the record."""

    def __init__(
        self, cause: Cause, status: int, message: str, *, detail: str = "", is_billed: bool = False
    ) -> None:
        super().__init__(message)
        self.cause = cause
        self.status = status
        self.detail = detail
        self.is_billed = is_billed
        """Whether the provider may have charged for it."""

        self.provider_status: int | None = None
        self.retry_after = 0.0

    @property
    def code(self) -> str:
        return f"provider_{self.cause}"

    @property
    def is_retryable(self) -> bool:
        is_passing = self.provider_status in RETRYABLE or self.cause == "connection"
        return is_passing and not self.is_billed


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
            bearer = ("Authorization", f"Bearer {key}")
            self._headers.append(("x-api-key", key) if settings.api == "anthropic" else bearer)
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
        self, route: Route, body: bytes, *, is_stream: bool, effort: Effort
    ) -> AsyncIterator[httpx.Response]:
        """The provider's answer with status 200, after retries; its body is not read yet."""
        start = time.monotonic()
        while True:
            effort.attempts += 1
            try:
                response = await self._try_once(route, body, is_stream=is_stream)
            except ProviderFault as fault:
                effort.statuses.append(fault.provider_status or fault.cause)
                wait = self._policy.wait_seconds(
                    effort.attempts,
                    retry_after=fault.retry_after,
                    elapsed=time.monotonic() - start,
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

    async def _try_once(self, route: Route, body: bytes, *, is_stream: bool) -> httpx.Response:
        web = _httpx()
        accept = "text/event-stream" if is_stream else "application/json"
        request = web.Request(
            "POST",
            self.settings.base_url.rstrip("/") + self._path(route),
            headers=[*self._headers, ("Accept", accept), ("Content-Length", str(len(body)))],
            content=_pieces(body),
        )
        try:
            async with asyncio.timeout(self.settings.timeout_seconds):
                response = await self._client.send(request, stream=True)
        except (web.ConnectError, web.ConnectTimeout) as error:
            raise _unreachable(error) from None
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

    def _path(self, route: Route) -> str:
        return ANTHROPIC_PATH if self.settings.api == "anthropic" else route.path


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
    known = _judge_status(status, detail)
    known.provider_status = status
    known.retry_after = min(retry_after_seconds(response.headers) or 0.0, LONGEST_WAIT)
    known.detail = f"{status}: {detail}"
    return known


def _judge_status(status: int, detail: str) -> ProviderFault:
    if 300 <= status < 400:
        return ProviderFault("redirect", 502, "the model provider answers with a redirect")
    if status in (401, 402, 403):
        return ProviderFault("key", 502, "the model provider does not accept the gateway's key")
    if status == 429:
        return ProviderFault("busy", 429, "the model provider has too many requests; try later")
    if status >= 500 or status in (408, 409, 425) or status < 300:
        return ProviderFault("server", 502, f"the model provider has a fault (status {status})")
    return ProviderFault("request", 400, _request_sentence(status, detail))


def _request_sentence(status: int, detail: str) -> str:
    """Our own sentence for what the provider found wrong with a request."""
    low = detail.lower()
    if "context" in low and ("length" in low or "window" in low or "too long" in low):
        return "the request is longer than the model's context (context_length_exceeded)"
    try:
        error = read_object(detail).get("error")
        param = error.get("param") if isinstance(error, dict) else None
    except ValueError:
        param = None
    text = f"the model provider refuses the request (status {status})"
    if isinstance(param, str) and param.split(".")[0].split("[")[0] in (
        CHAT_FIELDS | RESPONSES_FIELDS
    ):
        field_name = param.split(".")[0].split("[")[0]
        return f"{text} because of {field_name!r}"
    return text


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


def malformed(what: str) -> ProviderFault:
    text = "the model provider's answer cannot be read"
    return ProviderFault("answer", 502, text, detail=what, is_billed=True)


def broken_off(what: str) -> ProviderFault:
    text = "the model provider broke off its answer"
    return ProviderFault("answer", 502, text, detail=what, is_billed=True)


def no_answer_in_time() -> ProviderFault:
    text = "the model provider did not answer in time"
    return ProviderFault("timeout", 504, text, is_billed=True)


def _unreachable(error: Exception) -> ProviderFault:
    text = "the model provider cannot be reached"
    return ProviderFault("connection", 502, text, detail=type(error).__name__)


def _httpx() -> Any:
    try:
        import httpx
    except ImportError:
        raise UsageError(
            "the model gateway needs httpx; install it: pip install 'mlebench[llm]'"
        ) from None
    return httpx
