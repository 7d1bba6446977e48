"""Validation and task as tools of the Model Context Protocol, over standard input and output.

This file is mounted into the sandbox as /home/mcp_server.py and run there by an agent, with the
standard library only. `validate` asks the same server as /home/validate_submission.sh, so the same
limits hold; `describe` returns the task. One JSON object per line in each direction.

    python3 /home/mcp_server.py
"""

from __future__ import annotations

import json
import os
import sys
import urllib.error
import urllib.request
import uuid
from pathlib import Path
from typing import Any

ROOT = os.environ.get("MLEBENCH_ROOT")
HOME = Path(ROOT) / "home" if ROOT else Path(__file__).absolute().parent  # /home, where it is
PORT = os.environ.get("MLEBENCH_VALIDATION_PORT") or "5000"
URL = f"http://localhost:{PORT}/validate"
SUBMISSION = HOME / "submission" / "submission.csv"
VERSIONS = ("2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05")
"""Of the protocol, newest first; what is used of it here is the same in all of them."""

MOST_CHARACTERS = 100_000
ANSWER_SECONDS = 600
NOT_FOUND, BAD_PARAMETERS, NO_JSON, BAD_REQUEST = -32601, -32602, -32700, -32600
TOOLS = (
    {
        "name": "validate",
        "description": "Check whether a submission has the right format. Says nothing about its"
        " score.",
        "inputSchema": {
            "type": "object",
            "properties": {
                "path": {
                    "type": "string",
                    "description": f"The file to check; {SUBMISSION} if it is left out.",
                }
            },
        },
    },
    {
        "name": "describe",
        "description": "The task: rules, places of the files, and the competition's description.",
        "inputSchema": {"type": "object", "properties": {}},
    },
)


class ToolError(Exception):
    """A sentence for the model about what it did wrong."""


class CallError(Exception):
    """A request that is not one of the protocol."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code


def main() -> int:
    """Answer requests until the input ends."""
    for line in sys.stdin:
        answer = reply(line)
        if answer is not None:
            sys.stdout.write(json.dumps(answer) + "\n")
            sys.stdout.flush()
    return 0


def reply(line: str) -> dict[str, Any] | None:
    """The answer to one line; None for notifications and empty lines."""
    if not line.strip():
        return None
    try:
        request = json.loads(line)
    except (ValueError, RecursionError):
        return _error(None, NO_JSON, "the line is not JSON")
    if not isinstance(request, dict) or not isinstance(request.get("method"), str):
        return _error(None, BAD_REQUEST, "expected an object with a method")
    if "id" not in request:
        return None
    try:
        parameters = request.get("params") or {}
        if not isinstance(parameters, dict):
            raise CallError(BAD_PARAMETERS, "params is not an object")
        result = answer_to(request["method"], parameters)
    except CallError as error:
        return _error(request["id"], error.code, str(error))
    return {"jsonrpc": "2.0", "id": request["id"], "result": result}


def answer_to(method: str, parameters: dict[str, Any]) -> dict[str, Any]:
    """The result of a request."""
    if method == "initialize":
        wanted = parameters.get("protocolVersion")
        return {
            "protocolVersion": wanted if wanted in VERSIONS else VERSIONS[0],
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "competition", "version": "1"},
        }
    if method == "ping":
        return {}
    if method == "tools/list":
        return {"tools": list(TOOLS)}
    if method == "tools/call":
        return call_tool(parameters)
    raise CallError(NOT_FOUND, f"there is no method {method}")


def call_tool(parameters: dict[str, Any]) -> dict[str, Any]:
    """Run a tool; its failure is a result, so that the model reads it."""
    name, arguments = parameters.get("name"), parameters.get("arguments") or {}
    if not isinstance(arguments, dict):
        raise CallError(BAD_PARAMETERS, "arguments is not an object")
    try:
        if name == "validate":
            text, is_error = validate(arguments.get("path") or str(SUBMISSION)), False
        elif name == "describe":
            text, is_error = describe(), False
        else:
            raise CallError(BAD_PARAMETERS, f"there is no tool {name!r}")
    except ToolError as error:
        text, is_error = str(error), True
    return {"content": [{"type": "text", "text": text}], "isError": is_error}


def validate(path: object) -> str:
    """What the validation server says about a file."""
    try:
        data = Path(str(path)).read_bytes()
    except (OSError, ValueError) as error:
        raise ToolError(f"{path} cannot be read: {error}") from None
    mark = uuid.uuid4().hex
    part = 'Content-Disposition: form-data; name="file"; filename="submission.csv"'
    body = f"--{mark}\r\n{part}\r\n\r\n".encode() + data + f"\r\n--{mark}--\r\n".encode()
    request = urllib.request.Request(URL, body)
    request.add_header("Content-Type", f"multipart/form-data; boundary={mark}")
    try:
        with urllib.request.urlopen(request, timeout=ANSWER_SECONDS) as stream:
            answer = stream.read()
    except urllib.error.HTTPError as error:
        raise ToolError(_words(error.read())) from None
    except OSError as error:
        raise ToolError(f"the validation server does not answer: {error}") from None
    return _words(answer)


def describe() -> str:
    """Instructions and description, cut where they are longer than a model should read at once."""
    parts = []
    for file in (HOME / "instructions.txt", HOME / "data" / "description.md"):
        try:
            parts.append(file.read_text("utf-8", "replace"))
        except OSError:
            continue
    text = "\n\n".join(parts)
    if len(text) > MOST_CHARACTERS:
        rest = len(text) - MOST_CHARACTERS
        text = f"{text[:MOST_CHARACTERS]}\n[{rest} more characters in /home/data/description.md]"
    return text


def _words(answer: bytes) -> str:
    """The sentence in an answer of the validation server."""
    text = answer.decode("utf-8", "replace")
    try:
        facts = json.loads(text)
    except ValueError:
        return text
    found = [str(facts[name]) for name in ("result", "error", "details") if facts.get(name)]
    return ": ".join(found) or text


def _error(identity: object, code: int, message: str) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": identity, "error": {"code": code, "message": message}}


if __name__ == "__main__":
    sys.exit(main())
