"""Messages of models as texts of four kinds: given, said by the model, executed, printed.

Understands every protocol of the gateway, and the steps and trees of our own agents.
Everything is untrusted: unknown shapes are read as texts that the agent printed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, Literal

from mlebench.records.messages import Message, request_messages, response_messages

Kind = Literal["code", "executed", "model", "output", "given", "submission"]
Text = tuple[Kind, str]

FENCED = re.compile(r"```[\w+-]*[ \t]*\n(.*?)(?:```|\Z)", re.DOTALL)
MAX_DEPTH = 40
MAX_TEXTS = 20_000


def texts_of_request(request: Any) -> Iterator[Text]:
    """The messages of a call, most of which earlier calls had as well."""
    for message in request_messages(request, MAX_TEXTS):
        yield from _texts_of(message)


def texts_of_response(response: Any) -> Iterator[Text]:
    """The answer of a model."""
    if isinstance(response, dict):
        for message in response_messages(response):
            yield from _texts_of(message)
    else:
        yield from _texts(response, "model")


def texts_of_message(message: Any) -> Iterator[Text]:
    """The texts of one message, by who wrote it."""
    for part in request_messages({"messages": [message]}):
        yield from _texts_of(part)


def _texts_of(message: Message) -> Iterator[Text]:
    if message.kind == "tool_call":
        yield from _call_texts(message.content)
    elif message.kind == "tool_result":
        yield from _texts(message.content, "output")
    elif message.kind == "reasoning" or message.role == "assistant":
        for _, text in _texts(message.content, "model"):
            yield "model", text
            yield from (("executed", block) for block in FENCED.findall(text))
    elif message.kind != "image":
        yield from _texts(message.content, "given")


def _call_texts(arguments: Any) -> Iterator[Text]:
    """The arguments of a tool call: what the agent runs or writes."""
    if isinstance(arguments, str):
        try:
            arguments = json.loads(arguments)
        except (ValueError, RecursionError):
            yield "executed", arguments
            return
    yield from _texts(arguments, "executed")


def texts_of_tree(tree: dict[str, Any]) -> Iterator[Text]:
    """The programs, plans and outputs of `tree.json`."""
    for node in _objects(tree.get("nodes")):
        yield from _texts(node.get("code"), "executed")
        yield from _texts(node.get("plan"), "model")
        yield from _texts(node.get("output"), "output")


def texts_of_notebook(notebook: dict[str, Any]) -> Iterator[Text]:
    """The code cells, in order; texts and outputs of a notebook are not executed."""
    for cell in _objects(notebook.get("cells"), MAX_TEXTS):
        kind: Kind = "executed" if cell.get("cell_type") == "code" else "output"
        source = cell.get("source")
        if isinstance(source, list):
            source = "".join(part for part in source if isinstance(part, str))
        yield from _texts(source, kind)
        yield from _texts(cell.get("outputs"), "output")


def _texts(value: Any, kind: Kind, depth: int = 0) -> Iterator[Text]:
    """Every text below a value; long inline images are left out."""
    if isinstance(value, str):
        if value:
            yield kind, value
    elif isinstance(value, dict | list) and depth < MAX_DEPTH:
        for part in value.values() if isinstance(value, dict) else value:
            yield from _texts(part, kind, depth + 1)


def _objects(value: Any, limit: int | None = None) -> Iterator[dict[str, Any]]:
    if isinstance(value, list):
        yield from (part for part in value[:limit] if isinstance(part, dict))
