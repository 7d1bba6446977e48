"""The published HTTP contract: POST /validate and GET /health; no other path exists."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections import deque
from collections.abc import Sequence
from typing import Protocol

from mlebench.http import HttpReply, HttpRequest, RequestRefused, Upload
from mlebench.validation.judges import Judged
from mlebench.validation.log import ValidationLog
from mlebench.validation.multipart import FormError

LARGE_FILE_BYTES = 16 << 20
MINUTE = 60.0
OUR_FAULT = "the submission could not be validated; this is not the submission's fault"

logger = logging.getLogger(__name__)


class Judge(Protocol):
    """Parses uploads, one at a time."""

    async def judge(self, upload: Upload, content_type: str) -> Judged:
        """The verdict; raises FormError or JudgeFault."""


class ValidationApplication:
    """Answers requests for one competition.

    Args:
        judges: one for each file that may be validated at the same time.
        per_minute: how many validations are allowed in a minute; None means unlimited.
    """

    def __init__(
        self, judges: Sequence[Judge], log: ValidationLog, *, per_minute: int | None
    ) -> None:
        self.log = log
        self.per_minute = per_minute
        self._recent_calls: deque[float] = deque()
        self._idle: asyncio.Queue[Judge] = asyncio.Queue()
        for judge in judges:
            self._idle.put_nowait(judge)
        self._large_slot = asyncio.Semaphore(1)
        """Several large files at once could exhaust the memory."""

    async def __call__(self, request: HttpRequest) -> HttpReply:
        if (request.method, request.path) == ("GET", "/health"):
            return HttpReply(200, {"status": "running"})
        if (request.method, request.path) == ("POST", "/validate") and request.upload:
            return await self._validate(request.upload, request.headers.get("content-type", ""))
        raise RequestRefused(404, "only POST /validate and GET /health exist")

    async def _validate(self, upload: Upload, content_type: str) -> HttpReply:
        if (wait := self._seconds_to_wait()) > 0:
            text = f"at most {self.per_minute} validations a minute; try again in {wait:.0f} s"
            return HttpReply(429, {"error": text}, {"Retry-After": str(int(wait) + 1)})
        try:
            judged, seconds = await self._judge(upload, content_type)
            self.log.add(judged, upload, seconds)
        except FormError as error:
            raise RequestRefused(400, str(error)) from None
        except Exception:  # the agent must learn nothing from our bugs
            logger.exception("validation failed")
            return HttpReply(500, {"error": "internal error", "details": OUR_FAULT})
        return HttpReply(200, {"result": judged.verdict.text})

    async def _judge(self, upload: Upload, content_type: str) -> tuple[Judged, float]:
        """The verdict and the seconds it took, when a judge is free."""
        is_large = upload.size > LARGE_FILE_BYTES
        async with self._large_slot if is_large else contextlib.nullcontext():
            judge = await self._idle.get()
            try:
                start = time.monotonic()
                judged = await judge.judge(upload, content_type)
                return judged, time.monotonic() - start
            finally:
                self._idle.put_nowait(judge)

    def _seconds_to_wait(self) -> float:
        """0 if another call is allowed now, which is then counted."""
        if self.per_minute is None:
            return 0.0
        now = time.monotonic()
        while self._recent_calls and now - self._recent_calls[0] >= MINUTE:
            self._recent_calls.popleft()
        if len(self._recent_calls) >= self.per_minute:
            return MINUTE - (now - self._recent_calls[0])
        self._recent_calls.append(now)
        return 0.0
