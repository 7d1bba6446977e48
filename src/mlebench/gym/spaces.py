"""Gymnasium's spaces of actions and observations, and how ours are put into them.

A `Text` space needs its set of characters. It contains the scripts of Europe, the Near East and
South Asia, punctuation and symbols; every other character of an observation becomes U+FFFD.
`Episode` itself has no such limit.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Any

import numpy as np
from gymnasium import spaces

from mlebench.gym.actions import Action, Info, Read, Restart, Run, Submit, Validate, Write
from mlebench.gym.limits import EpisodeLimits
from mlebench.gym.observation import (
    MAX_TEXT_BYTES,
    STATUSES,
    TIMES_LEFT,
    VALIDATIONS,
    Observation,
)

RANGES = ((0x09, 0x0A), (0x20, 0x7E), (0xA0, 0x17FF), (0x2000, 0x27BF), (0xFFFD, 0xFFFD))
KINDS = ("info", "run", "command", "write", "read", "validate", "submit", "restart")
"""What the number `kind` of an action means; `command` is a run of a shell command."""

MAX_ARGUMENT, MAX_ACTION_TEXT = 256, 1 << 16
MAX_START = 1 << 30
OUTSIDE = re.compile("[^" + "".join(f"\\u{a:04x}-\\u{b:04x}" for a, b in RANGES) + "]")


@cache
def charset() -> str:
    """All characters that texts may contain."""
    return "".join(chr(code) for first, last in RANGES for code in range(first, last + 1))


def text_space(length: int) -> spaces.Text:
    return spaces.Text(length, min_length=0, charset=charset())


def action_space() -> spaces.Dict:
    """`argument` is a topic or a path, `text` code, a command or the content of a file."""
    return spaces.Dict(
        {
            "kind": spaces.Discrete(len(KINDS)),
            "argument": text_space(MAX_ARGUMENT),
            "text": text_space(MAX_ACTION_TEXT),
            "start": spaces.Discrete(MAX_START),
        }
    )


def observation_space(limits: EpisodeLimits) -> spaces.Dict:
    """The fields of an `Observation`; words are numbers, in the order of their declaration."""
    return spaces.Dict(
        {
            "text": text_space(MAX_TEXT_BYTES),
            "status": spaces.Discrete(len(STATUSES)),
            "step": spaces.Discrete(limits.steps + 1),
            "seconds_left": spaces.Discrete(len(TIMES_LEFT)),
            "validation": spaces.Discrete(len(VALIDATIONS)),
        }
    )


def to_space(observation: Observation) -> dict[str, Any]:
    """An observation as an element of its space."""
    return {
        "text": OUTSIDE.sub("�", observation.text),
        "status": np.int64(STATUSES.index(observation.status)),
        "step": np.int64(observation.step),
        "seconds_left": np.int64(TIMES_LEFT.index(observation.seconds_left)),
        "validation": np.int64(VALIDATIONS.index(observation.validation)),
    }


def from_space(action: Mapping[str, Any]) -> Action:
    """The action that an element of the action space means; fields it does not use are ignored."""
    kind = KINDS[int(action["kind"])]
    argument, text = str(action.get("argument", "")), str(action.get("text", ""))
    simple: dict[str, Action] = {"validate": Validate(), "submit": Submit(), "restart": Restart()}
    if kind in simple:
        return simple[kind]
    if kind == "run":
        return Run(code=text)
    if kind == "command":
        return Run(command=text)
    if kind == "write":
        return Write(argument, text)
    if kind == "read":
        return Read(argument, int(action.get("start", 0)))
    return Info(argument or "overview")


def make_action(kind: str, *, argument: str = "", text: str = "", start: int = 0) -> dict[str, Any]:
    """An element of the action space by the name of its kind."""
    number = np.int64(KINDS.index(kind))
    return {"kind": number, "argument": argument, "text": text, "start": np.int64(start)}
