"""What the tool calls of agents do: commands and edits of files, whatever the tools are called."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any, Literal

from mlebench.records.messages import Message, read_json

COMMAND_NAME = re.compile(
    r"bash|shell|terminal|exec|command|run|python|jupyter|notebook", re.IGNORECASE
)
EDIT_NAME = re.compile(r"write|edit|replace|create|patch|insert|save", re.IGNORECASE)
COMMANDS = ("command", "cmd", "script", "code", "commands")
PATHS = ("file_path", "filePath", "path", "filename", "file", "absolute_path", "target_file")
NEW = ("content", "contents", "file_text", "new_string", "newString", "new_str", "new_text", "text")
OLD = ("old_string", "oldString", "old_str", "old_text")
PATCHES = ("patch", "diff", "input", "patchText")
PATCH_TARGET = re.compile(r"^\*\*\* (?:Add|Update|Delete) File: (.{1,300})$", re.MULTILINE)
SHELLS = re.compile(r"(?:.*/)?(?:ba|z|da)?sh")
EDITING = ("create", "str_replace", "insert", "write", "edit")
"""The names of edits in the tool with which some agents view and edit files."""

MAX_REST = 500


@dataclass(frozen=True)
class Action:
    """A tool call by what it does."""

    kind: Literal["command", "edit"]
    content: Any
    """The command, or the new text or patch; a reference if it is long."""

    target: str | None = None
    """The file that is edited."""

    rest: str | None = None
    """The other arguments as JSON."""


def find_action(message: Message) -> Action | None:
    """The command or edit of a tool call; None for all other calls."""
    if message.kind != "tool_call":
        return None
    name = message.name or ""
    given = message.content
    if isinstance(given, str):
        if given.startswith("*** Begin Patch"):
            return Action("edit", given, _patched(given))
        given = read_json(given)
    if not isinstance(given, dict):
        return None
    return _edit(name, given) or _command(name, given)


def _edit(name: str, given: dict[str, Any]) -> Action | None:
    if not EDIT_NAME.search(name):
        return None
    verb = given.get("command")
    if isinstance(verb, str) and verb not in EDITING:
        return None
    used = {key for key in (*PATHS, *OLD, *NEW) if key in given}
    target = _first(given, PATHS)
    old, new = _first(given, OLD), _first(given, NEW)
    if patch := _first(given, PATCHES):
        used, content = {*used, *PATCHES}, patch
        target = target or (_patched(patch) if isinstance(patch, str) else None)
    elif isinstance(old, str) and isinstance(new, str):
        content = "\n".join([*_marked("-", old), *_marked("+", new)])
    elif new is not None:
        content = new
    else:
        return None
    path = target if isinstance(target, str) else None
    return Action("edit", content, path, _rest(given, used))


def _command(name: str, given: dict[str, Any]) -> Action | None:
    if not COMMAND_NAME.search(name):
        return None
    content = _first(given, COMMANDS)
    if isinstance(content, list) and all(isinstance(word, str) for word in content):
        is_shell = len(content) == 3 and SHELLS.fullmatch(content[0]) and content[1][:1] == "-"
        content = content[2] if is_shell else " ".join(content)
    if not isinstance(content, str | dict):
        return None
    if isinstance(content, str) and content.startswith("*** Begin Patch"):
        return Action("edit", content, _patched(content), _rest(given, set(COMMANDS)))
    return Action("command", content, None, _rest(given, set(COMMANDS)))


def _first(given: dict[str, Any], names: tuple[str, ...]) -> Any:
    return next((given[name] for name in names if given.get(name) is not None), None)


def _marked(mark: str, text: str) -> list[str]:
    return [f"{mark}{line}" for line in text.split("\n")]


def _patched(patch: str) -> str | None:
    found = PATCH_TARGET.findall(patch[:100_000])
    return ", ".join(found[:5]) or None


def _rest(given: dict[str, Any], used: set[str]) -> str | None:
    rest = {name: value for name, value in given.items() if name not in used}
    return json.dumps(rest, ensure_ascii=False)[:MAX_REST] if rest else None
