"""Answer the requests of one run: check its key, find the route, refuse or forward the call."""

from __future__ import annotations

import asyncio
import hmac
import math
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from typing import Any

from mlebench.gateway.budget import BudgetSpent
from mlebench.gateway.dialects.table import provider_dialect
from mlebench.gateway.exchange import Exchange, RunAccount
from mlebench.gateway.faults import ProviderFault
from mlebench.gateway.forwarding import Forwarder, SharedParts
from mlebench.gateway.replay import Recording, ReplayError
from mlebench.gateway.routes import Call, find_route, front_dialect, read_call
from mlebench.gateway.rules import Denied
from mlebench.gateway.streams import Event, write_events
from mlebench.gateway.translation import estimate_tokens
from mlebench.http import HttpReply, HttpRequest, HttpStream, RequestRefused
from mlebench.records.trajectory import RefusedEntry

MAX_BODY = 32 << 20
UNAUTHORISED = "this key is not valid for this endpoint"
BUSY_SECONDS = 1
"""How long a client should wait before it retries, unless the provider specifies a time."""


@dataclass
class GatewayApplication:
    """Answers the requests of one run."""

    key: str
    """The throw-away key of the run."""

    account: RunAccount
    shared: SharedParts
    recording: Recording | None = None
    _slots: asyncio.Semaphore = field(init=False)

    def __post_init__(self) -> None:
        self._slots = asyncio.Semaphore(self.account.settings.max_in_flight)

    async def __call__(self, request: HttpRequest) -> HttpReply | HttpStream:
        if (request.method, request.path) == ("HEAD", "/"):
            return HttpReply(200)  # a client checks that the server is up
        try:
            if not self._has_key(request):
                raise Denied(401, UNAUTHORISED, "invalid_api_key")
            return await self._answer(request)
        except Denied as denied:
            return self._refuse(request, denied)
        except BudgetSpent as spent:
            self.account.totals.budget_spent = True
            return self._refuse(request, Denied(402, str(spent), "budget_spent"))
        except ProviderFault as fault:
            await self._find_cause()
            return _fail(request, fault)
        except OSError as error:  # the record or the budget log cannot be written
            self.account.totals.fault = f"the gateway cannot write: {error.strerror}"
            text = "the gateway itself failed; try again later"
            return _error(request, 503, text, "gateway_fault")

    def _has_key(self, request: HttpRequest) -> bool:
        """Whether one of the headers in which clients send a key contains the run's key."""
        headers = request.headers
        given = [headers.get("x-api-key", ""), headers.get("x-goog-api-key", "")]
        scheme, _, token = headers.get("authorization", "").partition(" ")
        given.append(token if scheme == "Bearer" else "")
        key = self.key.encode()
        return any([hmac.compare_digest(value.encode(), key) for value in given])

    async def _find_cause(self) -> None:
        """After a failed call: note whether a request of our own fails as well."""
        upstream = self.shared.upstream
        self.account.totals.is_provider_out = upstream is not None and await upstream.is_out()

    def note_refused(self, refused: RequestRefused) -> None:
        """Record an invalid request: too large, without a length and so on."""
        self._note("", refused.status, str(refused), "invalid_request")

    def _note(self, path: str, status: int, reason: str, code: str) -> None:
        self.account.totals.refused += 1
        entry = RefusedEntry(path=path[:200], reason=reason, status=status, code=code)
        self.account.trajectory.add(entry)

    def _refuse(self, request: HttpRequest, denied: Denied) -> HttpReply:
        self._note(request.path, denied.status, str(denied), denied.code)
        return _error(request, denied.status, str(denied), denied.code)

    async def _answer(self, request: HttpRequest) -> HttpReply | HttpStream:
        settings = self.account.settings
        if (models := _list_models(request, settings.model)) is not None:
            return HttpReply(200, models)
        route = find_route(request.method, request.path, request.query)
        call = read_call(route, request.body, settings, request.headers)
        request.body.clear()  # it may be large, and the call has all that is needed
        async with AsyncExitStack() as stack:
            await self._take_slots(stack)
            return await self._run_call(call, stack)

    async def _run_call(self, call: Call, stack: AsyncExitStack) -> HttpReply | HttpStream:
        """Replay the call, answer it here, or forward it; a stream takes over the exit stack."""
        back = provider_dialect(call.dialect, self.account.settings.api)
        forwarder = None
        if self.recording is None and not (call.route.is_count and back is not call.dialect):
            forwarder = Forwarder(self.account, self.shared, call, back)
        exchange = stack.enter_context(Exchange(self.account, call))
        if self.recording is not None:
            return self._replay(self.recording, exchange)
        if forwarder is None:
            answer = estimate_tokens(call)
            exchange.answered(answer, None)
            return HttpReply(200, answer)
        exchange.provider_protocol = back.name
        exchange.removed += forwarder.removed
        if not call.is_stream:
            return await forwarder.forward(exchange)
        data = await forwarder.open_stream(exchange, stack)
        chunks = forwarder.forward_stream(exchange, data, stack.pop_all(), self._find_cause)
        return HttpStream(chunks)

    async def _take_slots(self, stack: AsyncExitStack) -> None:
        """Wait until this run and all runs together have fewer calls in flight than allowed."""
        try:
            async with asyncio.timeout(self.account.settings.timeout_seconds):
                for slots in (self._slots, self.shared.slots):
                    await slots.acquire()
                    stack.callback(slots.release)
        except TimeoutError:
            most = self.account.settings.max_in_flight
            text = f"too many calls are waiting; make at most {most} at once"
            raise Denied(429, text, "too_many_calls") from None

    def _replay(self, recording: Recording, exchange: Exchange) -> HttpReply | HttpStream:
        call = exchange.call
        try:
            answer, events = recording.answer_to(call)
        except ReplayError as error:
            totals = self.account.totals
            totals.replay_difference = totals.replay_difference or str(error)
            raise ProviderFault("request", 400, str(error), detail=str(error)) from None
        exchange.answered(answer, call.dialect.read_usage(answer))
        if not call.is_stream:
            return HttpReply(200, answer)
        return HttpStream(_stream(events))


async def _stream(events: list[Event]) -> AsyncGenerator[bytes, None]:
    for event in events:
        yield write_events([event])


def _list_models(request: HttpRequest, model: str) -> dict[str, Any] | None:
    """The only model of the run, in a form that the clients of every protocol understand."""
    if request.method != "GET":
        return None
    if request.path == "/v1/models":
        facts = {"object": "model", "owned_by": "mlebench", "created": 0}
        facts |= {"type": "model", "display_name": model, "created_at": "1970-01-01T00:00:00Z"}
        ends = {"has_more": False, "first_id": model, "last_id": model}
        return {"object": "list", "data": [{"id": model, **facts}], **ends}
    if request.path == "/v1beta/models":
        methods = ["generateContent", "streamGenerateContent", "countTokens"]
        name = {"name": f"models/{model}", "displayName": model}
        return {"models": [{**name, "supportedGenerationMethods": methods}]}
    return None


def _fail(request: HttpRequest, fault: ProviderFault) -> HttpReply:
    status = fault.status
    if fault.cause == "overloaded":
        status = front_dialect(request.path).overloaded_status
    return _error(request, status, str(fault), fault.code, fault.retry_after)


def _error(
    request: HttpRequest, status: int, message: str, code: str, wait_seconds: float = 0.0
) -> HttpReply:
    body = front_dialect(request.path).write_error(status, message, code)
    headers = {}
    if status in (429, 503, 529):
        headers["Retry-After"] = str(math.ceil(wait_seconds) or BUSY_SECONDS)
    return HttpReply(status, body, headers)
