"""The protocols that agents and providers speak, each as one record of functions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from mlebench.gateway.dialects import (
    assemblies,
    chat,
    errors,
    gemini,
    messages,
    responses,
    responses_writer,
    stream_readers,
    stream_writers,
)
from mlebench.gateway.dialects.neutral import Answer, Prompt
from mlebench.gateway.prices import (
    TokenUsage,
    read_gemini_usage,
    read_messages_usage,
    read_openai_usage,
)
from mlebench.gateway.rules.chat import CHAT_REQUEST
from mlebench.gateway.rules.gemini import GEMINI_REQUEST
from mlebench.gateway.rules.messages import MESSAGES_REQUEST
from mlebench.gateway.rules.responses import RESPONSES_REQUEST
from mlebench.gateway.rules.shapes import Shape, names
from mlebench.gateway.settings import ProviderApi
from mlebench.gateway.streams import DONE, Event, named_events, plain_events

Body = dict[str, Any]


class Form(Protocol):
    """A module that reads and writes one protocol."""

    def read_request(self, body: Body, /) -> Prompt: ...

    def write_request(self, prompt: Prompt, /) -> Body: ...

    def read_answer(self, body: Body, /) -> Answer: ...

    def write_answer(self, answer: Answer, prompt: Prompt, /) -> Body: ...


@dataclass(frozen=True)
class Dialect:
    """One protocol: how to check, read and write it."""

    name: str
    shape: Shape
    output_fields: tuple[str, ...]
    """Fields that limit the answer's length; the first is set if the request has none."""

    form: Form
    make_reader: Callable[[], stream_readers.StreamReader]
    make_writer: Callable[[Prompt], stream_writers.StreamWriter]
    make_assembly: Callable[[], assemblies.Assembly]
    make_events: Callable[[Body], list[Event]]
    """A short stream equivalent to a whole answer, for replays without recorded events."""

    lost: frozenset[str]
    """Fields of a request that are not translated."""

    lacks: frozenset[str]
    """Settings of a `Prompt` for which the protocol has no field."""

    read_usage: Callable[[Body], TokenUsage | None]
    write_error: Callable[[int, str, str], Body]
    error_events: Callable[[Body], list[Event]]
    """How an error within a stream is sent."""

    choices_field: str | None = None
    options_field: str | None = None
    """The object with limits and choices, if they are not in the request itself."""

    count_field: str | None = None
    """The field with the number of tokens, in the answer to a request that counts them."""

    overloaded_status: int = 503
    knows_seal: Callable[[str], object] = bool
    """Whether a provider accepts an earlier thought with this seal."""


CHAT = Dialect(
    name="chat",
    shape=CHAT_REQUEST,
    output_fields=("max_completion_tokens", "max_tokens"),
    form=chat,
    lost=names(
        """min_p presence_penalty frequency_penalty repetition_penalty logit_bias logprobs
        top_logprobs verbosity user"""
    ),
    lacks=names("top_k"),
    make_reader=stream_readers.ChatReader,
    make_writer=stream_writers.ChatWriter,
    make_assembly=assemblies.ChatAssembly,
    make_events=lambda answer: [*plain_events(assemblies.chat_pieces(answer)), (None, DONE)],
    read_usage=read_openai_usage,
    write_error=errors.openai_error,
    error_events=lambda body: plain_events([body]),
    choices_field="n",
    knows_seal=chat.THOUGHTS.__contains__,
)
RESPONSES = Dialect(
    name="responses",
    shape=RESPONSES_REQUEST,
    output_fields=("max_output_tokens",),
    form=responses,
    lost=names("truncation include top_logprobs user reasoning.summary text.verbosity"),
    lacks=names("top_k stop seed"),
    make_reader=stream_readers.ResponsesReader,
    make_writer=responses_writer.ResponsesWriter,
    make_assembly=assemblies.ResponseAssembly,
    make_events=lambda answer: named_events(assemblies.response_pieces(answer)),
    read_usage=read_openai_usage,
    write_error=errors.openai_error,
    error_events=errors.responses_events,
)
MESSAGES = Dialect(
    name="messages",
    shape=MESSAGES_REQUEST,
    output_fields=("max_tokens",),
    form=messages,
    lost=names("thinking context_management cache_control output_config.effort"),
    lacks=names("seed effort"),
    make_reader=stream_readers.MessagesReader,
    make_writer=stream_writers.MessagesWriter,
    make_assembly=assemblies.MessageAssembly,
    make_events=lambda answer: named_events(assemblies.message_pieces(answer)),
    read_usage=read_messages_usage,
    write_error=errors.messages_error,
    error_events=lambda body: named_events([body]),
    count_field="input_tokens",
    overloaded_status=529,
)
GEMINI = Dialect(
    name="gemini",
    shape=GEMINI_REQUEST,
    output_fields=("maxOutputTokens",),
    form=gemini,
    lost=names(
        """safetySettings generationConfig.thinkingConfig generationConfig.presencePenalty
        generationConfig.frequencyPenalty generationConfig.responseLogprobs
        generationConfig.logprobs generationConfig.mediaResolution"""
    ),
    lacks=names("effort is_parallel"),
    make_reader=stream_readers.GeminiReader,
    make_writer=stream_writers.GeminiWriter,
    make_assembly=assemblies.GeminiAssembly,
    make_events=lambda answer: plain_events([answer]),
    read_usage=read_gemini_usage,
    write_error=errors.gemini_error,
    error_events=lambda body: plain_events([body]),
    choices_field="candidateCount",
    options_field="generationConfig",
    count_field="totalTokens",
    # Signatures belong to calls there, and no other protocol has a place for them.
    knows_seal=lambda seal: False,
)
SPOKEN: dict[ProviderApi, tuple[Dialect, ...]] = {
    "openai": (CHAT, RESPONSES),
    "openai-chat": (CHAT,),
    "openai-responses": (RESPONSES,),
    "anthropic": (MESSAGES,),
    "gemini": (GEMINI,),
}
"""The protocols of each kind of provider; a call in none of them is translated to the first."""


def provider_dialect(front: Dialect, api: ProviderApi) -> Dialect:
    """The protocol in which a call is sent to the provider."""
    spoken = SPOKEN[api]
    return front if front in spoken else spoken[0]
