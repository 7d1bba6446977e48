"""The published HTTP contract: POST /validate, GET /health; everything else does not exist."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections import deque
from collections.abc import AsyncIterator
from weakref import WeakValueDictionary

from mlebench.http.heads import Refused
from mlebench.http.server import Reply, Request
from mlebench.validation.multipart import FormError, find_file, find_plain_file
from mlebench.validation.recent import Glimpse, Judged, Recent, glimpse
from mlebench.validation.validator import Record, Validator

FORM_BYTES = 64 * 1024
LARGE_FILE = 16 << 20
MINUTE = 60.0
OUR_FAULT = "the submission could not be validated; this is not the submission's fault"

log = logging.getLogger(__name__)


class Application:
    """Answers for one competition; some validations at a time, a bounded number a minute."""

    def __init__(
        self, validator: Validator, record: Record, per_minute: int | None, *, at_once: int = 1
    ) -> None:
        self.validator = validator
        self.record = record
        self.per_minute = per_minute
        self._recent = Recent()
        self._twins: WeakValueDictionary[Glimpse, asyncio.Lock] = WeakValueDictionary()
        self._calls: deque[float] = deque()
        self._turn = asyncio.Semaphore(at_once)
        self._large_turn = asyncio.Semaphore(1)
        """Large files would fill the memory together."""

    @property
    def max_body(self) -> int:
        return self.validator.limits.max_bytes + FORM_BYTES

    async def __call__(self, request: Request) -> Reply:
        if (request.method, request.path) == ("GET", "/health"):
            return Reply(200, {"status": "running"})
        if request.path == "/validate" and request.method == "POST":
            return await self._validate(request)
        raise Refused(404, "only POST /validate and GET /health exist")

    async def _validate(self, request: Request) -> Reply:
        if (wait := self._seconds_to_wait()) > 0:
            text = f"at most {self.per_minute} validations a minute; try again in {wait:.0f} s"
            return Reply(429, {"error": text}, {"Retry-After": str(int(wait) + 1)})
        start = time.monotonic()
        place, judged = self._find(request)
        if judged is None:
            # Equal files wait for the first of them.
            twins = self._twins.setdefault(glimpse(request.body, place), asyncio.Lock())
            async with twins, self._place_to_work(place.stop - place.start):
                start = time.monotonic()
                try:
                    judged = await self._judged(request.body, place)
                except Exception:  # the agent must learn nothing from a fault of ours
                    log.exception("validation failed")
                    return Reply(500, {"error": "internal error", "details": OUR_FAULT})
        # Always in this thread: calls are recorded one by one, in the order of their verdicts.
        self.record.add(judged.verdict, judged.data, time.monotonic() - start)
        return Reply(200, {"result": judged.verdict.text})

    def _find(self, request: Request) -> tuple[slice, Judged | None]:
        """Where the file lies in a request, and the same file if it came before."""
        kind, body = request.headers.get("content-type", "").encode("latin-1"), request.body
        place = find_plain_file(kind, body)
        judged = self._recent.find(body, place) if place else None
        if place and judged and judged.is_plain:
            return place, judged
        try:
            place = find_file(kind, body)
        except FormError as error:
            raise Refused(400, str(error)) from None
        return place, self._recent.find(body, place)

    async def _judged(self, body: bytearray, place: slice) -> Judged:
        """A verdict on a file; an equal one may have been judged while this one waited."""
        if judged := self._recent.find(body, place):
            return judged
        verdict = await asyncio.to_thread(self.validator.judge, memoryview(body)[place])
        return self._recent.add(body, place, verdict)

    @contextlib.asynccontextmanager
    async def _place_to_work(self, size: int) -> AsyncIterator[None]:
        """One of the places; all wait in the order in which they came, so that none starves."""
        is_large = size > LARGE_FILE
        async with self._large_turn if is_large else contextlib.nullcontext(), self._turn:
            yield

    def _seconds_to_wait(self) -> float:
        """0 when there is room in this minute, which is then taken."""
        if self.per_minute is None:
            return 0.0
        now = time.monotonic()
        while self._calls and now - self._calls[0] >= MINUTE:
            self._calls.popleft()
        if len(self._calls) >= self.per_minute:
            return MINUTE - (now - self._calls[0])
        self._calls.append(now)
        return 0.0
