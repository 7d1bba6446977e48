"""Questions that a model answers in words, through the chat route or as a completion."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from mlebench.contamination.answers import Question
from mlebench.contamination.client import ModelClient

GenerationRoute = Literal["chat", "completions"]


@dataclass(frozen=True)
class Generator:
    """Asks at temperature 0, unless samples are wanted."""

    client: ModelClient
    route: GenerationRoute = "chat"

    def ask(self, prompts: Sequence[str], *, max_tokens: int = 128) -> list[str]:
        """The answers in the order of the prompts."""
        body = {"max_tokens": max_tokens, "temperature": 0}
        return self._answers([self._question(prompt, body) for prompt in prompts])

    def sample(
        self, prompt: str, count: int, *, temperature: float, max_tokens: int = 128
    ) -> list[str]:
        """Several answers to one prompt, each with a seed of its own."""
        body = {"max_tokens": max_tokens, "temperature": temperature}
        seeds = range(1, count + 1)
        return self._answers([self._question(prompt, body | {"seed": seed}) for seed in seeds])

    def _answers(self, questions: Sequence[Question]) -> list[str]:
        return [str(answer.get("text", "")) for answer in self.client.ask(questions)]

    def _question(self, prompt: str, body: dict[str, Any]) -> Question:
        if self.route == "chat":
            return Question("chat", {"messages": [{"role": "user", "content": prompt}], **body})
        return Question("completions", {"prompt": f"{prompt}\n", **body})
