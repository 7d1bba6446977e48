"""Forward one call to the provider and its answer to the agent, whole or as a stream."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import AsyncExitStack, aclosing
from dataclasses import dataclass
from typing import Any

from mlebench.gateway.dialects.assemblies import Assembly
from mlebench.gateway.dialects.table import CHAT, Dialect
from mlebench.gateway.exchange import Exchange, RunAccount
from mlebench.gateway.faults import ProviderFault, broken_off, malformed, overloaded
from mlebench.gateway.keys import KeyFilter, KeyFound, StreamGuard
from mlebench.gateway.prices import TokenUsage
from mlebench.gateway.replay import ReplayError
from mlebench.gateway.routes import Call
from mlebench.gateway.rules import read_object
from mlebench.gateway.streams import DONE, Event, EventReader, StreamError, write_events
from mlebench.gateway.translation import Translation, provider_path
from mlebench.gateway.upstream import Upstream, read_answer, read_bytes
from mlebench.http import HttpReply

OVERLOAD_WORDS = ("overloaded_error", '"UNAVAILABLE"', "server_is_overloaded")


@dataclass(frozen=True)
class SharedParts:
    """What all runs of one gateway share."""

    upstream: Upstream | None
    """None in a replay, which contacts no provider."""

    key_filter: KeyFilter
    slots: asyncio.Semaphore
    """Limits the calls in flight, of all runs together."""


class Forwarder:
    """Forwards one call; translates it if agent and provider speak different protocols."""

    def __init__(self, account: RunAccount, shared: SharedParts, call: Call, back: Dialect) -> None:
        settings = account.settings
        self.call, self.settings, self.key_filter = call, settings, shared.key_filter
        if shared.upstream is None:
            raise ReplayError("a replay contacts no provider")
        self._upstream = shared.upstream
        is_same = back is call.dialect
        self._translation = None if is_same else Translation(call, back, settings)
        self._path = provider_path(call, back, settings)
        self._betas = call.betas if is_same else ()

    @property
    def removed(self) -> list[str]:
        """What a translation left out."""
        return self._translation.removed if self._translation else []

    @property
    def _body(self) -> bytes:
        body = self._translation.body if self._translation else self.call.body
        return json.dumps(body, separators=(",", ":")).encode()

    async def forward(self, exchange: Exchange) -> HttpReply:
        """The whole answer."""
        async with self._upstream.send(
            self._path, self._body, is_stream=False, effort=exchange.effort, betas=self._betas
        ) as response:
            answer = await read_answer(response, self.settings.timeout_seconds)
        if self._translation is not None:
            answer = self._translation.answer(answer)
        answer = remove_key(answer, self.key_filter)
        exchange.answered(answer, self._usage(answer))
        return HttpReply(200, answer)

    def _usage(self, answer: dict[str, Any]) -> TokenUsage | None:
        """As the provider counted it; a translated answer may be less exact."""
        if self._translation is not None:
            return self._translation.usage
        return self.call.dialect.read_usage(answer)

    async def open_stream(
        self, exchange: Exchange, stack: AsyncExitStack
    ) -> AsyncGenerator[bytes, None]:
        """Wait for the head of the answer, so that an error can still set the reply's status."""
        sending = self._upstream.send(
            self._path, self._body, is_stream=True, effort=exchange.effort, betas=self._betas
        )
        response = await stack.enter_async_context(sending)
        if "text/event-stream" not in response.headers.get("content-type", ""):
            raise malformed("not a stream of events, although one was requested")
        return read_bytes(response, self.settings.timeout_seconds)

    async def forward_stream(
        self,
        exchange: Exchange,
        data: AsyncGenerator[bytes, None],
        stack: AsyncExitStack,
        find_cause: Callable[[], Awaitable[None]],
    ) -> AsyncGenerator[bytes, None]:
        """Pass events on as they arrive; the exchange is settled however the stream ends."""
        dialect = self.call.dialect
        assembly = dialect.make_assembly()
        exchange.partial = assembly.answer
        async with stack:
            try:
                events = self._events(self._read_events(data), exchange, assembly)
                async with aclosing(data), aclosing(events):
                    async for event in events:
                        yield event
                if not assembly.is_complete:
                    raise broken_off("the stream ended without its last event")
                answer = assembly.answer()
                exchange.answered(answer, self._usage(answer))
            except (ProviderFault, StreamError) as error:
                fault = error if isinstance(error, ProviderFault) else _judge(error)
                exchange.fail(fault)
                await find_cause()
                body = dialect.write_error(fault.status, str(fault), fault.code)
                yield write_events(dialect.error_events(body))

    async def _read_events(
        self, data: AsyncGenerator[bytes, None]
    ) -> AsyncGenerator[list[Event], None]:
        """The events of each block of bytes, in the agent's protocol."""
        reader, translation = EventReader(), self._translation
        async for block in data:
            events = list(reader.feed(block))
            if translation is not None:
                events = [new for _, text in events for new in translation.events(text)]
            yield events
        if translation is not None:
            yield translation.close()

    async def _events(
        self, blocks: AsyncGenerator[list[Event], None], exchange: Exchange, assembly: Assembly
    ) -> AsyncGenerator[bytes, None]:
        guard = StreamGuard(self.key_filter)
        async for block in blocks:
            events: list[Event] = []
            for name, text in block:
                if text == DONE:
                    assembly.is_complete = True
                    events += [*guard.release(), (name, text)]
                else:
                    events += self._take_event((name, text), assembly, guard)
            if self.settings.is_recording:
                exchange.events += events
            if events:
                yield write_events(events)
        if rest := guard.release():
            yield write_events(rest)

    def _take_event(self, event: Event, assembly: Assembly, guard: StreamGuard) -> list[Event]:
        """Add an event to the whole answer; returns the events that can be passed on now."""
        try:
            piece = read_object(event[1])
        except ValueError as error:
            raise StreamError(f"an event is {error}") from None
        piece = remove_key(piece, self.key_filter)
        text = json.dumps(piece)
        if piece.get("error") or piece.get("type") == "error":
            raise StreamError(text[:2000])
        assembly.add(piece)
        is_usage_only = piece.get("choices") == [] and "usage" in piece
        if is_usage_only and self.call.dialect is CHAT and not self.call.wants_usage:
            return []
        try:
            return guard.pass_on(piece, (event[0], text))
        except KeyFound as error:
            raise StreamError(str(error)) from None


def _judge(error: StreamError) -> ProviderFault:
    """What an error within a stream means; its tokens may have been billed."""
    if any(word in str(error) for word in OVERLOAD_WORDS):
        fault = overloaded(is_billed=True)
        fault.detail = str(error)
        return fault
    return malformed(str(error))


def remove_key(answer: dict[str, Any], key_filter: KeyFilter) -> dict[str, Any]:
    """The answer without any trace of the key."""
    text = json.dumps(answer)
    if not key_filter.is_in(text):
        return answer
    return dict(json.loads(key_filter(text)))
