"""Actions in the text of a model: a JSON object, or a block of Python code."""

from __future__ import annotations

import json
import re
from typing import Any

FENCE = re.compile(r"```([a-zA-Z]*)[ \t]*\n(.*?)(?:```|\Z)", re.DOTALL)
PYTHON = ("python", "py", "python3")
SHELL = ("bash", "sh", "shell")

ACTION_HELP = """Answer with one action per turn: a JSON object with a field "kind", such as
{"kind": "info", "topic": "description"}, {"kind": "read", "path": "/home/data/train.csv"},
{"kind": "run", "code": "print(1)"}, {"kind": "run", "command": "ls /home/data"},
{"kind": "validate"} or {"kind": "submit"}. A block of Python code is run as it is."""


def action_of_text(text: str) -> dict[str, Any]:
    """The action in a text; `parse_action` refuses anything else, with a reason for the policy."""
    language, body = _block(text)
    if language in PYTHON:
        return {"kind": "run", "code": body}
    if language in SHELL:
        return {"kind": "run", "command": body}
    found = _object(body)
    return found if found is not None else {"kind": text.strip()[:40]}


def _block(text: str) -> tuple[str, str]:
    match = FENCE.search(text)
    return (match.group(1).lower(), match.group(2)) if match else ("", text)


def _object(text: str) -> dict[str, Any] | None:
    """The first JSON object with a field `kind`, wherever it begins."""
    decoder = json.JSONDecoder()
    start = text.find("{")
    while start >= 0:
        try:
            found, _ = decoder.raw_decode(text, start)
        except (ValueError, RecursionError):
            found = None
        if isinstance(found, dict) and "kind" in found:
            return found
        start = text.find("{", start + 1)
    return None
