"""The messages between a worker and the gateway's process, one JSON line each.

The harness writes `GatewayStart` to the process's standard input. A worker connects to the control
socket, sends `EndpointRequest`, gets the run's key, sends commands and gets `ModelTotals`.
"""

from __future__ import annotations

import json
from typing import Literal, TypeVar

import msgspec

from mlebench.gateway.settings import GatewaySettings

Message = TypeVar("Message", bound=msgspec.Struct)


class GatewayStart(msgspec.Struct, frozen=True):
    """Everything a gateway needs; this is the only message that holds the provider's key."""

    settings: GatewaySettings
    key: str
    budget_log: str
    control: str
    """The path of the control socket."""


class EndpointRequest(msgspec.Struct, frozen=True):
    """Serve one run on a socket of its own."""

    run_id: str
    socket: str
    trajectory: str
    recording: str | None = None
    """Replay this trajectory instead of contacting the provider."""


class EndpointCommand(msgspec.Struct, frozen=True):
    """What a worker asks of its open endpoint; `close` is the last command."""

    command: Literal["totals", "close"]


class ModelTotals(msgspec.Struct, frozen=True):
    """What a run has used, as it is stored in `run.json`."""

    name: str
    calls: int
    answered: int
    failed: int
    aborted: int
    refused: int
    input_tokens: int
    output_tokens: int
    cached_tokens: int
    unknown_tokens: int
    """Counted for calls without a reported usage: their worst case."""

    cost: float | None
    """In dollars; none if the model's price is unknown."""

    waited_seconds: float
    seconds: float
    budget_spent: bool
    outage: str | None
    """Why the run had no model at its end, if gateway or provider are to blame."""

    is_replay: bool
    replay_difference: str | None
    """The first request that a recording had no answer for."""


class ControlAnswer(msgspec.Struct, frozen=True, omit_defaults=True):
    """The gateway's answer to any of these messages: one of the fields is set."""

    error: str | None = None
    key: str | None = None
    """The throw-away key of the run."""

    totals: ModelTotals | None = None
    is_ready: bool = False


def encode_line(message: msgspec.Struct) -> bytes:
    """A message as one line of ASCII, so that paths in any encoding pass."""
    return json.dumps(msgspec.to_builtins(message)).encode() + b"\n"


def decode_line(line: bytes | str, kind: type[Message]) -> Message:
    return msgspec.convert(json.loads(line), kind)
