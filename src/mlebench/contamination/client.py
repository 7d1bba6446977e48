"""The host's own client of a model: sends questions to `/completions` and `/chat/completions`.

Not for agents, which reach a model through the gateway only.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Sequence
from typing import Any

from mlebench.contamination.answers import AnswerLog, Question, reduced
from mlebench.errors import DataError
from mlebench.gateway.faults import ProviderFault
from mlebench.gateway.keys import KeyFilter
from mlebench.gateway.settings import GatewaySettings
from mlebench.gateway.upstream import Effort, Upstream, read_answer

PATHS = {"chat": "/chat/completions", "completions": "/completions"}

OnProgress = Callable[[int], None]
"""Called after each call to the model with the number of calls so far."""


class ModelClient:
    """Answers questions: from the recording, else from the model, some at a time."""

    def __init__(
        self,
        log: AnswerLog,
        settings: GatewaySettings | None = None,
        *,
        key: str = "",
        jobs: int = 1,
        on_progress: OnProgress = lambda calls: None,
    ) -> None:
        """Without settings the recording must have every answer."""
        self.log = log
        self.model = str(log.header["model"])
        self.calls = 0
        self._settings = settings
        self._key, self._clean = key, KeyFilter(key)
        self._jobs = jobs
        self._on_progress = on_progress
        self._runner = asyncio.Runner()
        self._upstream: Upstream | None = None

    @property
    def is_local(self) -> bool:
        """Whether the texts stay on this machine."""
        return self._settings is None or self._settings.is_local

    def close(self) -> None:
        """Close the connections to the provider and the recording."""
        if self._upstream:
            self._runner.run(self._upstream.close())
        self._runner.close()
        self.log.close()

    def ask(self, questions: Sequence[Question]) -> list[dict[str, Any]]:
        """The answers in the order of the questions; `is_too_long` if the context is too short.

        Raises:
            DataError: the provider has no usable answer, or the recording has none.
        """
        missing = {q.key: q for q in questions if q not in self.log}
        if missing and self._settings:
            try:
                self._runner.run(self._send_all(self._settings, list(missing.values())))
            except ProviderFault as fault:
                detail = f" ({self._clean(fault.detail)[:300]})" if fault.detail else ""
                raise DataError(
                    f"{self._settings.base_url}: {fault}{detail}",
                    hint="what was answered is recorded; the same command continues",
                ) from None
        return [self.log.get(question) for question in questions]

    async def _send_all(self, settings: GatewaySettings, questions: list[Question]) -> None:
        upstream = self._upstream = self._upstream or Upstream(settings, self._key)
        slots = asyncio.Semaphore(self._jobs)

        async def send(question: Question) -> None:
            async with slots:
                answer = await _send(upstream, {"model": self.model, **question.body}, question)
            self.log.add(question, answer, self._clean)
            self.calls += 1
            self._on_progress(self.calls)

        tasks = [asyncio.ensure_future(send(question)) for question in questions]
        try:
            await asyncio.gather(*tasks)
        finally:
            for task in tasks:
                task.cancel()


async def _send(upstream: Upstream, body: dict[str, Any], question: Question) -> dict[str, Any]:
    path, data = PATHS[question.route], json.dumps(body).encode()
    try:
        async with upstream.send(path, data, is_stream=False, effort=Effort()) as response:
            answer = await read_answer(response, upstream.settings.timeout_seconds)
    except ProviderFault as fault:
        if "context_length_exceeded" in str(fault):
            return {"is_too_long": True}
        raise
    return reduced(question, answer)
