"""Anthropic's messages API behind the same endpoint: LiteLLM translates requests and answers.

Nothing else of LiteLLM is used: connection, key, retries and limits are the gateway's own.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from mlebench.errors import UsageError
from mlebench.gateway.routes import CHAT, Call
from mlebench.gateway.rules import Denied, read_object
from mlebench.gateway.streams import DONE
from mlebench.gateway.upstream import malformed

OURS = ("model", "messages", "n", "store", "stream", "stream_options")
MESSAGE_KEYS = ("role", "content", "tool_calls", "reasoning_content")
"""Kept of an answer's message; other keys of LiteLLM would be refused when sent back."""


class Translator:
    """Translates calls; made once, since LiteLLM takes seconds to load."""

    def __init__(self) -> None:
        # Without these it fetches a price table and reads `.env` files when it is imported.
        os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
        os.environ["LITELLM_MODE"] = "PRODUCTION"
        try:
            import openai
            from litellm.llms.anthropic.chat.handler import ModelResponseIterator
            from litellm.llms.anthropic.chat.transformation import AnthropicConfig
            from litellm.llms.base_llm.chat.transformation import BaseLLMException
            from litellm.types.utils import ModelResponse
        except ImportError:
            raise UsageError(
                "Anthropic's messages API needs LiteLLM; install it: pip install"
                " 'mlebench[anthropic]'"
            ) from None
        self.config = AnthropicConfig()
        self.new_answer = ModelResponse
        self.new_reader = ModelResponseIterator
        self.errors = (
            openai.OpenAIError,
            BaseLLMException,
            ValueError,
            LookupError,
            TypeError,
            AttributeError,
        )

    def translate(self, call: Call) -> Translation:
        """A call in the provider's protocol.

        Raises:
            Denied: the protocol has no equivalent.
        """
        if call.route is not CHAT:
            raise Denied(404, "this provider knows POST /v1/chat/completions only", "not_found")
        if call.choices > 1:
            raise Denied(400, "not allowed: 'n' above 1 with this provider", "not_allowed")
        model = call.body["model"]
        try:
            known = self.config.get_supported_openai_params(model=model)
            asked = {k: v for k, v in call.body.items() if k in known and k not in OURS}
            # Anthropic requires a limit in every request.
            if not {"max_tokens", "max_completion_tokens"} & set(asked):
                asked["max_tokens"] = call.max_output
            options = self.config.map_openai_params(asked, {}, model, True)
            is_json = bool(options.pop("json_mode", False))
            facts: dict[str, Any] = {}
            # The translation changes its input, and the call is recorded as the agent sent it.
            messages = json.loads(json.dumps(call.body["messages"]))
            body = self.config.transform_request(model, messages, options, facts, {})
        except self.errors as error:
            text = f"the request cannot be translated for this provider: {str(error)[:300]}"
            raise Denied(400, text, "invalid_request") from None
        if call.is_stream:
            body["stream"] = True
        return Translation(self, model, body, options, facts, is_json)


class Translation:
    """One call in the provider's protocol; translates its answer back."""

    def __init__(
        self,
        translator: Translator,
        model: str,
        body: dict[str, Any],
        options: dict[str, Any],
        facts: dict[str, Any],
        is_json: bool,
    ) -> None:
        self.body = body
        self._translator = translator
        self._model = model
        self._options = options
        self._facts = facts
        self._is_json = is_json
        self._reader: Any = None

    def answer(self, data: dict[str, Any]) -> dict[str, Any]:
        """A whole answer as a chat completion."""
        import httpx

        with self._readable():
            found = self._translator.config.transform_response(
                self._model,
                httpx.Response(200, json=data),
                self._translator.new_answer(),
                _NoLog(),
                self.body,
                self.body["messages"],
                self._options,
                self._facts,
                None,
                json_mode=self._is_json,
            )
        return _plain(found.model_dump(exclude_none=True), "message")

    def events(self, text: str) -> list[str]:
        """The chat completion events that correspond to one event of the provider."""
        try:
            piece = read_object(text)
        except ValueError:
            return [text]  # the caller rejects it
        kind = piece.get("type")
        if kind == "ping":
            return []
        if kind == "message_stop":
            return [DONE]
        if kind == "error":
            return [text]
        with self._readable():
            if self._reader is None:
                self._reader = self._translator.new_reader(
                    None, sync_stream=True, json_mode=self._is_json
                )
            found = self._reader.chunk_parser(piece)
        return [json.dumps(_plain(found.model_dump(exclude_none=True), "delta"))]

    @contextmanager
    def _readable(self) -> Iterator[None]:
        try:
            yield
        except self._translator.errors as error:
            raise malformed(f"{type(error).__name__}: {error}") from None


class _NoLog:
    """Takes the place of LiteLLM's logger; the gateway keeps its own record."""

    def post_call(self, **facts: Any) -> None:
        pass


def _plain(answer: dict[str, Any], key: str) -> dict[str, Any]:
    for choice in answer.get("choices", []):
        said = choice.get(key) or {}
        choice[key] = {name: said[name] for name in MESSAGE_KEYS if name in said}
        for number, call in enumerate(choice[key].get("tool_calls") or []):
            # A whole answer's calls carry the numbers of Anthropic's blocks.
            if key == "message":
                call["index"] = number
    return answer
