"""Answer calls from a recorded trajectory: equal requests only, or in the recorded order."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any, Literal

from mlebench.errors import UsageError
from mlebench.gateway.routes import Call
from mlebench.gateway.streams import Event
from mlebench.records.trajectory import ExchangeEntry, read_entries

SHOWN = 120


class ReplayError(Exception):
    """The recording has no answer to a call; the text names the first difference."""


class Recording:
    """Returns each recorded answer once."""

    def __init__(self, file: Path, mode: Literal["strict", "order"]) -> None:
        self.file = file
        self.mode = mode
        exchanges = (e for e in read_entries(file) if isinstance(e, ExchangeEntry))
        self._left = [exchange for exchange in exchanges if exchange.outcome == "answered"]
        self._given = 0

    def answer_to(self, call: Call) -> tuple[dict[str, Any], list[Event]]:
        """The recorded answer and the events of its stream."""
        found = self._find(call)
        self._left.remove(found)
        self._given += 1
        recorded = found.events if call.is_stream else None
        return found.response, recorded or call.dialect.make_events(found.response)

    def _find(self, call: Call) -> ExchangeEntry:
        if not self._left:
            raise ReplayError(f"the recording ends after {self._given} calls, and this is one more")
        following = self._left[0]
        if self.mode == "order":
            if following.path != call.route.path:
                raise ReplayError(f"the next recorded call is {following.path}")
            return following
        wanted = digest(call.route.path, call.asked)
        for recorded in self._left:
            if digest(recorded.path, recorded.request) == wanted:
                return recorded
        difference = first_difference(_kept(following.request), _kept(call.asked))
        raise ReplayError(f"call {self._given + 1} was not recorded: {difference}")


def digest(path: str, request: dict[str, Any]) -> str:
    """A hash of a request that does not depend on whether it is streamed."""
    text = json.dumps([path, _kept(request)], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()


def _kept(request: dict[str, Any]) -> dict[str, Any]:
    return {k: v for k, v in request.items() if k not in ("stream", "stream_options", "store")}


def first_difference(recorded: Any, asked: Any, place: str = "request") -> str:
    """One sentence about the first place where two requests differ."""
    if isinstance(recorded, dict) and isinstance(asked, dict):
        for name in sorted(recorded.keys() | asked.keys()):
            if name not in recorded or name not in asked:
                side = "the recorded request" if name in recorded else "this request"
                return f"{place}.{name} is in {side} only"
            if recorded[name] != asked[name]:
                return first_difference(recorded[name], asked[name], f"{place}.{name}")
    if isinstance(recorded, list) and isinstance(asked, list):
        for number, (one, other) in enumerate(zip(recorded, asked, strict=False)):
            if one != other:
                return first_difference(one, other, f"{place}[{number}]")
        return f"{place} has {len(asked)} entries, {len(recorded)} were recorded"
    return f"{place} is {_shown(asked)}, {_shown(recorded)} was recorded"


def _shown(value: Any) -> str:
    text = json.dumps(value)
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}…"


def find_recording(place: Path, competition_id: str, seed: int) -> Path:
    """The recording for a run: a file, a run's folder, or a folder or group with one for each."""
    for file in (
        place,
        place / "trajectory.jsonl",
        place / "host" / "trajectory.jsonl",
        place / f"{competition_id}.jsonl",
    ):
        if file.is_file():
            return file
    for state in sorted(place.glob("*/run.json")):
        try:
            run = json.loads(state.read_text("utf-8"))
        except (OSError, ValueError):
            continue
        file = state.parent / "host" / "trajectory.jsonl"
        is_ours = (run.get("competition_id"), run.get("seed")) == (competition_id, seed)
        if is_ours and file.is_file():
            return file
    raise UsageError(f"{place} contains no recording of {competition_id}, seed {seed}")
