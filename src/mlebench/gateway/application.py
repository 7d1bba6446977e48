"""Answer the requests of one run: check its key, find the route, forward or replay the call."""

from __future__ import annotations

import asyncio
import hmac
import json
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, aclosing
from dataclasses import dataclass, field
from typing import Any

from mlebench.gateway.anthropic import Translation, Translator
from mlebench.gateway.budget import BudgetSpent
from mlebench.gateway.exchange import Exchange, RunAccount
from mlebench.gateway.keys import KeyFilter, KeyFound, StreamGuard
from mlebench.gateway.prices import read_usage
from mlebench.gateway.replay import Recording, ReplayError
from mlebench.gateway.routes import CHAT, ROUTES, Call, read_call
from mlebench.gateway.rules import Denied, read_object
from mlebench.gateway.streams import (
    DONE,
    Assembly,
    Event,
    EventReader,
    StreamError,
    make_assembly,
    write_event,
)
from mlebench.gateway.upstream import (
    ProviderFault,
    Upstream,
    broken_off,
    malformed,
    read_answer,
    read_bytes,
)
from mlebench.http import HttpReply, HttpRequest, HttpStream
from mlebench.records.trajectory import RefusedEntry

MAX_BODY = 32 << 20
UNAUTHORISED = "this key is not valid for this endpoint"


@dataclass(frozen=True)
class SharedParts:
    """What all runs of one gateway share."""

    upstream: Upstream | None
    """None in a replay, which contacts no provider."""

    key_filter: KeyFilter
    slots: asyncio.Semaphore
    """For calls in flight, of all runs together."""

    translator: Translator | None = None
    """Set if the provider speaks another protocol than agents do."""


@dataclass
class GatewayApplication:
    """Answers for one run."""

    key: str
    """The throw-away key of the run."""

    account: RunAccount
    shared: SharedParts
    recording: Recording | None = None
    _slots: asyncio.Semaphore = field(init=False)

    def __post_init__(self) -> None:
        self._slots = asyncio.Semaphore(self.account.settings.max_in_flight)

    async def __call__(self, request: HttpRequest) -> HttpReply | HttpStream:
        given = request.headers.get("authorization", "").encode()
        if not hmac.compare_digest(given, f"Bearer {self.key}".encode()):
            return HttpReply(401, _error_body(UNAUTHORISED, "invalid_api_key"))
        try:
            return await self._answer(request)
        except Denied as denied:
            return self._refuse(request, denied)
        except BudgetSpent as spent:
            self.account.totals.budget_spent = True
            return self._refuse(request, Denied(402, str(spent), "budget_spent"))
        except ProviderFault as fault:
            await self._find_cause()
            return HttpReply(fault.status, _error_body(str(fault), fault.code))
        except OSError as error:  # the record or the budget log cannot be written
            self.account.totals.fault = f"the gateway cannot write: {error.strerror}"
            text = "the gateway has a fault of its own; try later"
            return HttpReply(503, _error_body(text, "gateway_fault"))

    async def _find_cause(self) -> None:
        """After a failed call: note whether the provider fails without the agent, too."""
        upstream = self.shared.upstream
        self.account.totals.is_provider_out = upstream is not None and await upstream.is_out()

    def _refuse(self, request: HttpRequest, denied: Denied) -> HttpReply:
        self.account.totals.refused += 1
        self.account.trajectory.add(RefusedEntry(path=request.path[:200], reason=str(denied)))
        return HttpReply(denied.status, _error_body(str(denied), denied.code))

    async def _answer(self, request: HttpRequest) -> HttpReply | HttpStream:
        if (request.method, request.path) == ("GET", "/v1/models"):
            model = {"id": self.account.settings.model, "object": "model", "owned_by": "mlebench"}
            return HttpReply(200, {"object": "list", "data": [model]})
        route = ROUTES.get((request.method, request.path))
        if route is None:
            known = "POST /v1/chat/completions, POST /v1/responses and GET /v1/models"
            raise Denied(404, f"only {known} exist here", "not_found")
        call = read_call(route, request.body, self.account.settings)
        request.body.clear()  # it may be large, and the call has all that is needed
        translator = self.shared.translator
        translation = translator.translate(call) if translator else None
        async with AsyncExitStack() as stack:
            await self._take_slots(stack)
            exchange = stack.enter_context(Exchange(self.account, call))
            if self.recording is not None:
                return self._replay(self.recording, exchange)
            if not call.is_stream:
                return await self._forward(exchange, translation)
            data = await self._open_stream(exchange, translation, stack)
            return HttpStream(self._forward_stream(exchange, translation, data, stack.pop_all()))

    async def _take_slots(self, stack: AsyncExitStack) -> None:
        """Wait until this run and all runs together have fewer calls in flight than allowed."""
        try:
            async with asyncio.timeout(self.account.settings.timeout_seconds):
                for slots in (self._slots, self.shared.slots):
                    await slots.acquire()
                    stack.callback(slots.release)
        except TimeoutError:
            text = f"more than {self.account.settings.max_in_flight} calls wait; make fewer at once"
            raise Denied(429, text, "too_many_calls") from None

    async def _forward(self, exchange: Exchange, translation: Translation | None) -> HttpReply:
        body = _encode_body(exchange.call, translation)
        async with self._upstream.send(
            exchange.call.route, body, is_stream=False, effort=exchange.effort
        ) as response:
            answer = await read_answer(response, self.account.settings.timeout_seconds)
        if translation is not None:
            answer = translation.answer(answer)
        answer = remove_key(answer, self.shared.key_filter)
        exchange.answered(answer, read_usage(answer))
        return HttpReply(200, answer)

    @property
    def _upstream(self) -> Upstream:
        if self.shared.upstream is None:
            raise ReplayError("a replay contacts no provider")
        return self.shared.upstream

    async def _open_stream(
        self, exchange: Exchange, translation: Translation | None, stack: AsyncExitStack
    ) -> AsyncGenerator[bytes, None]:
        """Wait for the head of the answer, so that an error can still set the reply's status."""
        body = _encode_body(exchange.call, translation)
        sending = self._upstream.send(
            exchange.call.route, body, is_stream=True, effort=exchange.effort
        )
        response = await stack.enter_async_context(sending)
        if "text/event-stream" not in response.headers.get("content-type", ""):
            raise malformed("not a stream of events, although one was requested")
        return read_bytes(response, self.account.settings.timeout_seconds)

    async def _forward_stream(
        self,
        exchange: Exchange,
        translation: Translation | None,
        data: AsyncGenerator[bytes, None],
        stack: AsyncExitStack,
    ) -> AsyncGenerator[bytes, None]:
        """Pass events on as they arrive; the exchange is settled however the stream ends."""
        assembly = make_assembly(exchange.call.route)
        exchange.partial = assembly.answer
        async with stack:
            try:
                events = self._events(_read_events(data, translation), exchange, assembly)
                async with aclosing(data), aclosing(events):
                    async for event in events:
                        yield event
                if not assembly.is_complete:
                    raise broken_off("the stream ended without its last event")
                answer = assembly.answer()
                exchange.answered(answer, read_usage(answer))
            except (ProviderFault, StreamError) as error:
                fault = error if isinstance(error, ProviderFault) else malformed(str(error))
                exchange.fail(fault)
                await self._find_cause()
                yield write_event(None, json.dumps(_error_body(str(fault), fault.code)))

    async def _events(
        self,
        blocks: AsyncGenerator[list[Event], None],
        exchange: Exchange,
        assembly: Assembly,
    ) -> AsyncGenerator[bytes, None]:
        guard = StreamGuard(self.shared.key_filter)
        async for block in blocks:
            events: list[Event] = []
            for name, text in block:
                if text == DONE:
                    assembly.is_complete = True
                    events += [*guard.release(), (name, text)]
                else:
                    events += self._take_event((name, text), exchange, assembly, guard)
            if self.account.settings.is_recording:
                exchange.events += events
            if events:
                yield b"".join(write_event(name, text) for name, text in events)
        if rest := guard.release():
            yield b"".join(write_event(name, text) for name, text in rest)

    def _take_event(
        self,
        event: Event,
        exchange: Exchange,
        assembly: Assembly,
        guard: StreamGuard,
    ) -> list[Event]:
        """Add an event to the whole answer; returns the events that may pass on now."""
        try:
            piece = read_object(event[1])
        except ValueError as error:
            raise StreamError(f"an event is {error}") from None
        piece = remove_key(piece, self.shared.key_filter)
        text = json.dumps(piece)
        if piece.get("error"):
            raise StreamError(text[:2000])
        assembly.add(piece)
        call = exchange.call
        is_usage_only = piece.get("choices") == [] and "usage" in piece
        if is_usage_only and call.route is CHAT and not call.wants_usage:
            return []
        try:
            return guard.pass_on(piece, (event[0], text))
        except KeyFound as error:
            raise StreamError(str(error)) from None

    def _replay(self, recording: Recording, exchange: Exchange) -> HttpReply | HttpStream:
        call = exchange.call
        try:
            answer, events = recording.answer_to(call)
        except ReplayError as error:
            totals = self.account.totals
            totals.replay_difference = totals.replay_difference or str(error)
            raise ProviderFault("request", 400, str(error), detail=str(error)) from None
        exchange.answered(answer, read_usage(answer))
        if not call.is_stream:
            return HttpReply(200, answer)
        return HttpStream(_write_events(events))


async def _read_events(
    data: AsyncGenerator[bytes, None], translation: Translation | None
) -> AsyncGenerator[list[Event], None]:
    """The events of each block of bytes, in the agent's protocol."""
    reader = EventReader()
    async for block in data:
        events = list(reader.feed(block))
        if translation is not None:
            events = [(None, new) for _, text in events for new in translation.events(text)]
        yield events


async def _write_events(events: list[Event]) -> AsyncGenerator[bytes, None]:
    for name, text in events:
        yield write_event(name, text)


def remove_key(answer: dict[str, Any], key_filter: KeyFilter) -> dict[str, Any]:
    """The answer without any trace of the key."""
    text = json.dumps(answer)
    if not key_filter.is_in(text):
        return answer
    return dict(json.loads(key_filter(text)))


def _encode_body(call: Call, translation: Translation | None) -> bytes:
    body = translation.body if translation else call.body
    return json.dumps(body, separators=(",", ":")).encode()


def _error_body(message: str, code: str) -> dict[str, Any]:
    return {"error": {"message": message, "type": "gateway_error", "param": None, "code": code}}
