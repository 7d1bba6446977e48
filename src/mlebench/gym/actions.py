"""Actions of an episode: a tagged union, and the five names of MLE-Dojo as aliases."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from mlebench.errors import UsageError

MAX_TEXT = 1 << 20
"""Characters of code, of a command or of a file that an action may contain."""

MAX_START = 2**63 - 1
"""The largest offset that the kernel accepts."""


class _Tagged(msgspec.Struct, frozen=True, tag_field="kind", forbid_unknown_fields=True):
    """The field `kind` says which action a JSON object is."""


class Info(_Tagged, frozen=True, tag="info"):
    """Ask for a text about the task; `TOPICS` in `texts.py` lists the topics."""

    topic: str = "overview"


class Run(_Tagged, frozen=True, tag="run"):
    """Run Python code, or a shell command, in the sandbox; exactly one of the two is given."""

    code: str | None = None
    command: str | None = None
    seconds: float | None = None
    """At most as long as the limits of the episode allow."""

    is_trial: bool = False
    """Whether a submission that it writes is left ungraded, whatever the reward."""


class Write(_Tagged, frozen=True, tag="write"):
    """Replace a file below /home."""

    path: str
    text: str


class Read(_Tagged, frozen=True, tag="read"):
    """Read bytes of a file below /home."""

    path: str
    start: int = 0
    count: int | None = None


class Validate(_Tagged, frozen=True, tag="validate"):
    """Ask whether /home/submission/submission.csv has the right format."""


class Submit(_Tagged, frozen=True, tag="submit"):
    """Hand in /home/submission/submission.csv, which ends the episode."""


class Restart(_Tagged, frozen=True, tag="restart"):
    """Start again with empty folders; steps and seconds go on counting."""


Action = Info | Run | Write | Read | Validate | Submit | Restart
KINDS = ("info", "run", "write", "read", "validate", "submit", "restart")

ALIASES: dict[str, Callable[[Mapping[str, Any]], Action]] = {
    "request_info": lambda given: Info(str(given.get("info_type", "overview"))),
    "validate_code": lambda given: Run(code=str(given.get("code", "")), is_trial=True),
    "execute_code": lambda given: Run(code=str(given.get("code", ""))),
    "get_history": lambda given: Info("history"),
    "reset": lambda given: Restart(),
}
"""MLE-Dojo's names. Its `reset` clears the state within an episode."""


def parse_action(value: Action | Mapping[str, Any]) -> Action:
    """An action from a JSON object such as `{"kind": "run", "code": "…"}`.

    Raises:
        UsageError: it is not an action; the message says why, and may be shown to the policy.
    """
    if isinstance(value, _Tagged):
        action = value
    elif isinstance(value, Mapping):
        action = _convert(value)
    else:
        raise UsageError(f"an action is an object with a field 'kind', not {type(value).__name__}")
    _check(action)
    return action


def _convert(value: Mapping[str, Any]) -> Action:
    kind = value.get("kind")
    if isinstance(kind, str) and kind in ALIASES:
        return ALIASES[kind](value)
    try:
        converted: Action = msgspec.convert(dict(value), Action)
    except msgspec.ValidationError as error:
        raise UsageError(f"not an action: {error}; expected one of {', '.join(KINDS)}") from None
    return converted


def _check(action: _Tagged) -> None:
    if isinstance(action, Run):
        if (action.code is None) == (action.command is None):
            raise UsageError("a run needs either code or command")
        if action.seconds is not None and not 0 < action.seconds < float("inf"):
            raise UsageError(f"seconds must be above 0, found {action.seconds}")
    if isinstance(action, Read) and (action.start < 0 or (action.count or 0) < 0):
        raise UsageError("start and count of a read must not be negative")
    if isinstance(action, Read) and action.start > MAX_START:
        raise UsageError(f"start must be at most {MAX_START}, found {action.start}")
    for name in action.__struct_fields__:
        text = getattr(action, name)
        if isinstance(text, str) and len(text) > MAX_TEXT:
            raise UsageError(
                f"{name} has {len(text):,} characters, at most {MAX_TEXT:,} are accepted"
            )
        if isinstance(text, str) and "\0" in text and name != "text":
            raise UsageError(f"{name} contains a null character")
