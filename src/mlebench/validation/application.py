"""The published HTTP contract: POST /validate and GET /health; no other path exists."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections import deque

from mlebench.http import HttpReply, HttpRequest, RequestRefused
from mlebench.validation.log import ValidationLog
from mlebench.validation.multipart import FormError, find_file
from mlebench.validation.validator import FormatVerdict, Validator

FORM_BYTES = 64 * 1024
LARGE_FILE_BYTES = 16 << 20
MINUTE = 60.0
OUR_FAULT = "the submission could not be validated; this is not the submission's fault"

logger = logging.getLogger(__name__)


class ValidationApplication:
    """Answers for one competition.

    Args:
        per_minute: how many validations are allowed in a minute; none means any number.
        at_once: how many files are validated at the same time.
    """

    def __init__(
        self, validator: Validator, log: ValidationLog, *, per_minute: int | None, at_once: int = 1
    ) -> None:
        self.validator = validator
        self.log = log
        self.per_minute = per_minute
        self._recent_calls: deque[float] = deque()
        self._log_lock = asyncio.Lock()
        self._slots = asyncio.Semaphore(at_once)
        self._large_slot = asyncio.Semaphore(1)
        """Several large files at once could exhaust the memory."""

    @property
    def max_body_bytes(self) -> int:
        return self.validator.limits.max_bytes + FORM_BYTES

    async def __call__(self, request: HttpRequest) -> HttpReply:
        if (request.method, request.path) == ("GET", "/health"):
            return HttpReply(200, {"status": "running"})
        if (request.method, request.path) == ("POST", "/validate"):
            return await self._validate(request)
        raise RequestRefused(404, "only POST /validate and GET /health exist")

    async def _validate(self, request: HttpRequest) -> HttpReply:
        if (wait := self._seconds_to_wait()) > 0:
            text = f"at most {self.per_minute} validations a minute; try again in {wait:.0f} s"
            return HttpReply(429, {"error": text}, {"Retry-After": str(int(wait) + 1)})
        try:
            content_type = request.headers.get("content-type", "").encode("latin-1")
            file = memoryview(request.body)[find_file(content_type, request.body)]
        except FormError as error:
            raise RequestRefused(400, str(error)) from None
        try:
            verdict, seconds = await self._judge(file)
        except Exception:  # the agent must learn nothing from a fault of ours
            logger.exception("validation failed")
            return HttpReply(500, {"error": "internal error", "details": OUR_FAULT})
        async with self._log_lock:  # calls are logged one by one, in the order of their verdicts
            await asyncio.to_thread(self.log.add, verdict, file, seconds)
        return HttpReply(200, {"result": verdict.text})

    async def _judge(self, file: memoryview) -> tuple[FormatVerdict, float]:
        """The verdict and the seconds it took, in a thread, when a slot is free."""
        is_large = len(file) > LARGE_FILE_BYTES
        async with self._large_slot if is_large else contextlib.nullcontext(), self._slots:
            start = time.monotonic()
            verdict = await asyncio.to_thread(self.validator.judge, file)
            return verdict, time.monotonic() - start

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
