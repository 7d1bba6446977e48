"""The messages of a step as the page shows them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mlebench.records.actions import find_action
from mlebench.records.messages import Message
from mlebench.viewer.text import show_text

MAX_MESSAGE = 20_000
MAX_NAME = 200


def shown_message(message: Message, whole: Callable[[Any], tuple[str, int]]) -> dict[str, Any]:
    """For the page; `whole` returns the text of a content and the number of bytes left out.

    Commands and edits of files are marked as such, with what they run or write as their text.
    """
    action = find_action(message)
    text, left_out = whole(action.content if action else message.content)
    shown = show_text(text, MAX_MESSAGE)
    found = {"role": message.role[:40], "kind": message.kind, "text": shown.text}
    if message.name:
        found["name"] = show_text(message.name, MAX_NAME).text
    if action:
        found["action"] = action.kind
        if action.target:
            found["target"] = show_text(action.target, MAX_NAME).text
        if action.rest:
            found["rest"] = show_text(action.rest, MAX_NAME).text
    cut = shown.cut + left_out
    return found | ({"cut": cut} if cut else {})
