"""The published HTTP contract: POST /validate, GET /health; everything else does not exist."""

from __future__ import annotations

import asyncio
import logging
import time
from collections import deque

from mlebench.server.heads import Refused
from mlebench.server.http import Reply, Request
from mlebench.server.multipart import FormError, find_file
from mlebench.server.validator import Record, Validator

FORM_BYTES = 64 * 1024
MINUTE = 60.0

log = logging.getLogger(__name__)


class Application:
    """Answers for one competition; one validation at a time, a bounded number a minute."""

    def __init__(self, validator: Validator, record: Record, per_minute: int | None) -> None:
        self.validator = validator
        self.record = record
        self.per_minute = per_minute
        self._recent: deque[float] = deque()
        self._turn = asyncio.Lock()

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
        try:
            data = find_file(
                request.headers.get("content-type", "").encode("latin-1"), request.body
            )
        except FormError as error:
            raise Refused(400, str(error)) from None
        async with self._turn:
            start = time.monotonic()
            try:
                verdict = self.validator.known(data)
                if verdict is None:
                    verdict = await asyncio.to_thread(self.validator.judge, data)
            except Exception:  # the agent must learn nothing from a fault of ours
                log.exception("validation failed")
                text = "the submission could not be validated; this is not the submission's fault"
                return Reply(500, {"error": "internal error", "details": text})
            self.record.add(verdict, data, time.monotonic() - start)
        return Reply(200, {"result": verdict.text})

    def _seconds_to_wait(self) -> float:
        """0 when there is room in this minute, which is then taken."""
        if self.per_minute is None:
            return 0.0
        now = time.monotonic()
        while self._recent and now - self._recent[0] >= MINUTE:
            self._recent.popleft()
        if len(self._recent) >= self.per_minute:
            return MINUTE - (now - self._recent[0])
        self._recent.append(now)
        return 0.0
