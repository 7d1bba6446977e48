"""Requests, answers and streams without the form of a protocol.

Each dialect reads its own form into these types and writes them, so that an agent of any protocol
can use a provider of any other.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any, Literal

from mlebench.gateway.prices import TokenUsage

Role = Literal["system", "user", "assistant"]
Finish = Literal["stop", "length", "tools", "filter"]


@dataclass(frozen=True)
class PlainText:
    text: str


@dataclass(frozen=True)
class Thinking:
    """What a model thought."""

    text: str
    seal: str = ""
    """What the provider needs to accept the thought in later requests: Anthropic's signature, the
    encrypted content of Responses, or for chat completions the name of the field."""


@dataclass(frozen=True)
class Image:
    """An inline image in base64."""

    media_type: str
    data: str


@dataclass(frozen=True)
class ToolCall:
    """A model's call of one of the agent's tools."""

    id: str
    name: str
    arguments: str
    """JSON, or the plain input of a custom tool."""

    is_custom: bool = False

    @property
    def values(self) -> dict[str, Any]:
        """The arguments as an object."""
        if self.is_custom:
            return {"input": self.arguments}
        return read_arguments(self.arguments)

    @property
    def json_arguments(self) -> str:
        """The arguments as JSON, also of a custom tool."""
        return json.dumps(self.values) if self.is_custom else self.arguments

    @property
    def plain_input(self) -> str:
        """The input of a custom tool, also if a function took its place."""
        return self.arguments if self.is_custom else plain_input(self.arguments)


@dataclass(frozen=True)
class ToolResult:
    """The agent's answer to a call."""

    call_id: str
    parts: tuple[PlainText | Image, ...]
    is_error: bool = False
    name: str = ""
    is_custom: bool = False

    @property
    def text(self) -> str:
        return "\n".join(part.text for part in self.parts if isinstance(part, PlainText))

    @property
    def images(self) -> list[Image]:
        return [part for part in self.parts if isinstance(part, Image)]


Part = PlainText | Thinking | Image | ToolCall | ToolResult


@dataclass
class Turn:
    """One side's contribution to a conversation."""

    role: Role
    parts: list[Part]


@dataclass(frozen=True)
class Tool:
    """One of the agent's own tools."""

    name: str
    description: str = ""
    schema: Any = None
    is_custom: bool = False
    """Whether its input is plain text, possibly with a grammar."""

    grammar: Any = None

    @property
    def label(self) -> dict[str, str]:
        """The name, and the description if there is one."""
        about = {"description": self.description} if self.description else {}
        return {"name": self.name, **about}

    @property
    def parameters(self) -> Any:
        """The schema; for protocols without custom tools, that of a function with one text."""
        if not self.is_custom:
            return self.schema or {"type": "object", "properties": {}}
        about = "The input of the tool as plain text."
        if isinstance(self.grammar, dict) and isinstance(self.grammar.get("definition"), str):
            about += f" It follows this grammar:\n{self.grammar['definition']}"
        return {
            "type": "object",
            "properties": {"input": {"type": "string", "description": about}},
            "required": ["input"],
        }


@dataclass
class Prompt:
    """A request for an answer."""

    model: str
    turns: list[Turn]
    max_output: int = 0
    tools: list[Tool] = field(default_factory=list)
    tool_choice: str | None = None
    """`auto`, `none`, `required`, or `=NAME` for one tool."""

    is_parallel: bool | None = None
    temperature: float | None = None
    top_p: float | None = None
    top_k: float | None = None
    stop: list[str] = field(default_factory=list)
    seed: int | None = None
    effort: str | None = None
    schema: Any = None
    """The JSON schema of the answer."""

    is_json: bool = False
    is_stream: bool = False

    def leading(self) -> tuple[str, list[Turn]]:
        """The leading instructions as one text, and the turns; later ones become the user's."""
        texts: list[str] = []
        rest: list[Turn] = []
        for turn in self.turns:
            if turn.role == "system" and not rest:
                texts += [part.text for part in turn.parts if isinstance(part, PlainText)]
            else:
                role: Role = "user" if turn.role == "system" else turn.role
                rest.append(Turn(role, turn.parts))
        return "\n\n".join(texts), rest

    @property
    def custom_names(self) -> set[str]:
        return {tool.name for tool in self.tools if tool.is_custom}


@dataclass
class Answer:
    """A model's whole answer."""

    id: str
    model: str
    parts: list[Part]
    finish: Finish
    usage: TokenUsage | None


@dataclass(frozen=True)
class Begin:
    """The first delta of a stream."""

    id: str
    model: str
    input_tokens: int = 0


@dataclass(frozen=True)
class TextDelta:
    text: str


@dataclass(frozen=True)
class ThinkingDelta:
    text: str
    seal: str = ""
    """The seal ends the thought."""


@dataclass(frozen=True)
class CallBegin:
    """A call starts; `number` counts the calls of the answer."""

    number: int
    id: str
    name: str


@dataclass(frozen=True)
class CallDelta:
    """A part of a call's arguments."""

    number: int
    text: str


@dataclass(frozen=True)
class End:
    """The last delta of a stream."""

    finish: Finish
    usage: TokenUsage | None


Delta = Begin | TextDelta | ThinkingDelta | CallBegin | CallDelta | End


def read_arguments(text: str) -> dict[str, Any]:
    """The arguments of a call as an object, whatever a model wrote."""
    try:
        value = json.loads(text or "{}")
    except (ValueError, RecursionError):
        return {"input": text}
    return value if isinstance(value, dict) else {"input": value}


def plain_input(arguments: str) -> str:
    """The input of a custom tool from the arguments of the function in its place."""
    value = read_arguments(arguments).get("input", arguments)
    return value if isinstance(value, str) else json.dumps(value)


def merged(turns: list[Turn]) -> list[Turn]:
    """The turns with consecutive ones of the same side joined."""
    found: list[Turn] = []
    for turn in turns:
        if found and found[-1].role == turn.role:
            found[-1].parts += turn.parts
        else:
            found.append(Turn(turn.role, list(turn.parts)))
    return found


def call_names(turns: list[Turn]) -> dict[str, str]:
    """The tool of each call, by the call's id."""
    return {p.id: p.name for turn in turns for p in turn.parts if isinstance(p, ToolCall)}


def string(value: Any) -> str:
    """A text of a provider's answer; other values are left out."""
    return value if isinstance(value, str) else ""
