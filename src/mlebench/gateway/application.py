"""What stands behind a run's endpoint: whose key, which route, what passes, how it is answered."""

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
from mlebench.gateway.keys import KeyFilter
from mlebench.gateway.prices import read_usage
from mlebench.gateway.replay import Recording, ReplayError
from mlebench.gateway.routes import CHAT, ROUTES, Call, read_call
from mlebench.gateway.rules import Denied, read_object
from mlebench.gateway.streams import (
    DONE,
    Assembly,
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

MAX_BODY = 32 << 20
UNAUTHORISED = "this key is not valid for this endpoint"


@dataclass(frozen=True)
class Shared:
    """What all runs of a gateway share."""

    upstream: Upstream | None
    """None in a replay: nobody is contacted."""

    key_filter: KeyFilter
    places: asyncio.Semaphore
    translator: Translator | None = None
    """Where the provider speaks another protocol than agents do."""


@dataclass
class GatewayApplication:
    """Answers for one run."""

    key: str
    """The throw-away key of the run."""

    account: RunAccount
    shared: Shared
    recording: Recording | None = None
    _places: asyncio.Semaphore = field(init=False)

    def __post_init__(self) -> None:
        self._places = asyncio.Semaphore(self.account.settings.max_in_flight)

    async def __call__(self, request: HttpRequest) -> HttpReply | HttpStream:
        given = request.headers.get("authorization", "").encode()
        if not hmac.compare_digest(given, f"Bearer {self.key}".encode()):
            return _error(401, UNAUTHORISED, "invalid_api_key")
        try:
            return await self._answer(request)
        except Denied as denied:
            self.account.totals.refused += 1
            self._record_refusal(request.path, str(denied))
            return _error(denied.status, str(denied), denied.code)
        except BudgetSpent as spent:
            self.account.totals.refused += 1
            self.account.totals.budget_spent = True
            self._record_refusal(request.path, str(spent))
            return _error(402, str(spent), "budget_spent")
        except ProviderFault as fault:
            return _error(fault.status, str(fault), fault.code)
        except OSError as error:  # the record or the budget log cannot be written
            self.account.totals.fault = f"the gateway cannot write: {error.strerror}"
            return _error(503, "the gateway has a fault of its own; try later", "gateway_fault")

    def _record_refusal(self, path: str, reason: str) -> None:
        self.account.trajectory.add("refused", path=path[:200], reason=reason)

    async def _answer(self, request: HttpRequest) -> HttpReply | HttpStream:
        if (request.method, request.path) == ("GET", "/v1/models"):
            model = {"id": self.account.settings.model, "object": "model", "owned_by": "mlebench"}
            return HttpReply(200, {"object": "list", "data": [model]})
        route = ROUTES.get((request.method, request.path))
        if route is None:
            known = "POST /v1/chat/completions, POST /v1/responses and GET /v1/models"
            raise Denied(404, f"only {known} exist here", "not_found")
        call = read_call(route, request.body, self.account.settings)
        request.body.clear()  # the call holds all that is needed, and it may be large
        translator = self.shared.translator
        other = translator.translate(call) if translator else None
        async with AsyncExitStack() as stack:
            await self._take_place(stack)
            exchange = stack.enter_context(Exchange(self.account, call))
            if self.recording is not None:
                return self._replay(self.recording, call, exchange)
            if not call.is_stream:
                return await self._whole(call, other, exchange)
            events = await self._begin_stream(call, other, exchange, stack)
            return HttpStream(self._pass_on(call, other, exchange, events, stack.pop_all()))

    async def _take_place(self, stack: AsyncExitStack) -> None:
        """Wait for a place among the calls in flight, of this run and of all."""
        try:
            async with asyncio.timeout(self.account.settings.timeout_seconds):
                for places in (self._places, self.shared.places):
                    await places.acquire()
                    stack.callback(places.release)
        except TimeoutError:
            text = f"more than {self.account.settings.max_in_flight} calls wait; make fewer at once"
            raise Denied(429, text, "too_many_calls") from None

    async def _whole(self, call: Call, other: Translation | None, exchange: Exchange) -> HttpReply:
        seconds = self.account.settings.timeout_seconds
        async with self._upstream.send(
            call.route, _body(call, other), is_stream=False, effort=exchange.effort
        ) as response:
            answer = await read_answer(response, seconds)
        answer = read_clean(other.answer(answer) if other else answer, self.shared.key_filter)
        exchange.answered(answer, read_usage(answer))
        return HttpReply(200, answer)

    @property
    def _upstream(self) -> Upstream:
        if self.shared.upstream is None:
            raise ReplayError("a replay contacts nobody")
        return self.shared.upstream

    async def _begin_stream(
        self, call: Call, other: Translation | None, exchange: Exchange, stack: AsyncExitStack
    ) -> Any:
        """Wait for the head of the answer, so that an error still has a status of its own."""
        response = await stack.enter_async_context(
            self._upstream.send(
                call.route, _body(call, other), is_stream=True, effort=exchange.effort
            )
        )
        if "text/event-stream" not in response.headers.get("content-type", ""):
            raise malformed("no stream of events, though we asked for one")
        return read_bytes(response, self.account.settings.timeout_seconds)

    async def _pass_on(
        self,
        call: Call,
        other: Translation | None,
        exchange: Exchange,
        data: Any,
        stack: AsyncExitStack,
    ) -> AsyncGenerator[bytes, None]:
        """Pass events on as they come; the exchange is booked however the stream ends."""
        assembly = make_assembly(call.route)
        exchange.partial = assembly.answer
        async with stack:
            try:
                events = self._events(call, _translated(data, other), exchange, assembly)
                async with aclosing(data), aclosing(events):
                    async for event in events:
                        yield event
                if not assembly.is_complete:
                    raise broken_off("the stream has no end")
                answer = assembly.answer()
                exchange.answered(answer, read_usage(answer))
            except (ProviderFault, StreamError) as error:
                fault = error if isinstance(error, ProviderFault) else malformed(str(error))
                exchange.fail(fault)
                yield write_event(None, json.dumps(_error_body(str(fault), fault.code)))

    async def _events(
        self,
        call: Call,
        blocks: AsyncGenerator[list[tuple[str | None, str]], None],
        exchange: Exchange,
        assembly: Assembly,
    ) -> AsyncGenerator[bytes, None]:
        async for block in blocks:
            passed = []
            for name, text in block:
                if text == DONE:
                    assembly.is_complete = True
                else:
                    try:
                        piece = read_object(text)
                    except ValueError as error:
                        raise StreamError(f"an event is {error}") from None
                    text = self._keep_piece(piece, assembly)
                    if _is_usage_only(piece) and call.route is CHAT and not call.wants_usage:
                        continue
                if self.account.settings.is_recording:
                    exchange.events.append([name, text])
                passed.append(write_event(name, text))
            if passed:
                yield b"".join(passed)

    def _keep_piece(self, piece: dict[str, Any], assembly: Assembly) -> str:
        text = json.dumps(piece)
        if self.shared.key_filter.is_in(text):
            text = self.shared.key_filter(text)
            piece = json.loads(text)
        if piece.get("error"):
            raise StreamError(text[:2000])
        assembly.add(piece)
        return text

    def _replay(
        self, recording: Recording, call: Call, exchange: Exchange
    ) -> HttpReply | HttpStream:
        try:
            answer, events = recording.answer_to(call)
        except ReplayError as error:
            self.account.totals.replay_difference = self.account.totals.replay_difference or str(
                error
            )
            fault = ProviderFault("request", 400, str(error), detail=str(error))
            raise fault from None
        exchange.answered(answer, read_usage(answer))
        if not call.is_stream:
            return HttpReply(200, answer)
        return HttpStream(_recorded(events))


async def _translated(
    data: Any, other: Translation | None
) -> AsyncGenerator[list[tuple[str | None, str]], None]:
    """The events of each block of bytes, in the agent's protocol."""
    reader = EventReader()
    async for block in data:
        events = list(reader.feed(block))
        if other is not None:
            events = [(None, new) for _, text in events for new in other.events(text)]
        yield events


async def _recorded(events: list[tuple[str | None, str]]) -> AsyncGenerator[bytes, None]:
    for name, text in events:
        yield write_event(name, text)


def read_clean(answer: dict[str, Any], key_filter: KeyFilter) -> dict[str, Any]:
    """The answer without any trace of the key."""
    text = json.dumps(answer)
    if not key_filter.is_in(text):
        return answer
    return dict(json.loads(key_filter(text)))


def _is_usage_only(piece: dict[str, Any]) -> bool:
    return piece.get("choices") == [] and "usage" in piece


def _body(call: Call, other: Translation | None) -> bytes:
    return json.dumps(other.body if other else call.body, separators=(",", ":")).encode()


def _error_body(message: str, code: str) -> dict[str, Any]:
    return {"error": {"message": message, "type": "gateway_error", "param": None, "code": code}}


def _error(status: int, message: str, code: str) -> HttpReply:
    return HttpReply(status, _error_body(message, code))
