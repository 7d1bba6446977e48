"""What a policy sees after each action. It never contains a score unless the reward shows it."""

from __future__ import annotations

from typing import Literal, get_args

import msgspec

MAX_TEXT_BYTES = 16_000
CUT = "\n… {} bytes left out …\n"

Status = Literal["ok", "failed", "timeout", "memory", "refused", "submitted", "lost"]
"""`failed`: the program ended with an error. `refused`: the action was not possible. `lost`: the
sandbox is gone, through no fault of the policy."""

TimeLeft = Literal["all", "most", "half", "little", "none"]
Validation = Literal["unknown", "valid", "invalid"]
"""The last verdict on the submission's format; `unknown` until the first one."""

STATUSES: tuple[str, ...] = get_args(Status)
TIMES_LEFT: tuple[str, ...] = get_args(TimeLeft)
VALIDATIONS: tuple[str, ...] = get_args(Validation)


class EpisodeObservation(msgspec.Struct, frozen=True):
    """The result of an action."""

    text: str
    """At most 16 kB in UTF-8; of a longer text the head and the tail are kept."""

    status: Status = "ok"
    step: int = 0
    seconds_left: TimeLeft = "all"
    """A class instead of a number, so that the same actions lead to the same observation."""

    validation: Validation = "unknown"


Observation = EpisodeObservation
"""The name in the public interface."""


def clip(data: bytes | str, limit: int = MAX_TEXT_BYTES) -> str:
    """A text of at most `limit` bytes; the middle of a longer one is cut out."""
    if isinstance(data, str):
        data = data.encode("utf-8", "replace")
    if len(data) > limit:
        note = CUT.format(f"{len(data):,}").encode()
        half = (limit - len(note) - 8) // 2
        left_out = len(data) - 2 * half
        data = data[:half] + CUT.format(f"{left_out:,}").encode() + data[-half:]
    text = data.decode("utf-8", "replace")
    while len(text.encode()) > limit:  # a replaced byte takes three
        text = text[: len(text) - (len(text.encode()) - limit + 2) // 3]
    return text


def time_left(share: float) -> TimeLeft:
    """The class of a share of the time that is left."""
    bounds: tuple[tuple[float, TimeLeft], ...] = ((0.9, "all"), (0.6, "most"), (0.25, "half"))
    for bound, name in bounds:
        if share > bound:
            return name
    return "little" if share > 0 else "none"
