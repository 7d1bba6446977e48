"""The messages between a worker and the gateway's process, one JSON line each.

The harness writes `GatewayStart` to the process's standard input. A worker connects to the control
socket, sends `EndpointRequest`, gets the run's key, sends commands and gets `ModelTotals`.
"""

from __future__ import annotations

import json
from typing import Literal, TypeVar

import msgspec

from mlebench.gateway.settings import GatewaySettings
from mlebench.records.run import ModelTotals

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
