"""`trajectory.jsonl`: the exchanges of a run with its model, one JSON object per line.

    open      once: model, provider, settings
    start     before a call goes out
    exchange  after a call: request, response, times, tokens, cost
    refused   a request that the gateway refused
    close     once: totals

host/
  trajectory.jsonl
  trajectory/<hash>.txt    texts above 64 kB, referred to as {"$file": …, "bytes": …}

Lines are ASCII: an agent may send unpaired surrogates, which are not UTF-8.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec

from mlebench.errors import DataError
from mlebench.records.codec import DAMAGE, MAX_WORDS, to_json
from mlebench.records.run import ModelTotals, Number

SCHEMA = 1
LONG = 64 * 1024
HEAD_BYTES = 64 * 1024
EXCHANGE_START = b'{"kind": "exchange"'
"""How the line of an exchange starts; other lines need not be decoded to count exchanges."""

REQUEST = b', "request": '
RESPONSE = b', "response": '
OURS = re.compile(r"\$+file")
REFERENCE = {"$file", "bytes"}


class OpenEntry(msgspec.Struct, frozen=True, tag_field="kind", tag="open"):
    """The first line: model and provider."""

    time: str = ""
    schema: int = SCHEMA
    run_id: str | None = None
    model: str | None = None
    base_url: str | None = None
    replay: str | None = None


class StartEntry(msgspec.Struct, frozen=True, tag_field="kind", tag="start"):
    """Written before a call is sent."""

    time: str = ""
    id: int = 0
    path: str = ""


class CallFailure(msgspec.Struct, frozen=True):
    """Why a call has no answer."""

    code: str | None = None
    text: Any = None
    """A string, or the reference to the file that contains it."""


class ExchangeEntry(msgspec.Struct, frozen=True, tag_field="kind", tag="exchange"):
    """A finished call with its messages. Small fields come before the request."""

    time: str = ""
    id: int = 0
    path: str = ""
    outcome: str = ""
    model: str | None = None
    answering_model: Any = None
    """As the provider states it; not checked."""

    seconds: Number = 0.0
    waited_seconds: Number = 0.0
    attempts: int = 0
    statuses: list[int | str] = []
    input_tokens: int | None = None
    output_tokens: int | None = None
    cached_tokens: int | None = None
    booked_tokens: int | None = None
    cost: Number | None = None
    error: CallFailure | None = None
    protocol: str | msgspec.UnsetType = msgspec.UNSET
    """The protocol of request and response: `chat`, `responses`, `messages` or `gemini`."""

    provider_protocol: str | msgspec.UnsetType = msgspec.UNSET
    """The protocol of the request to the provider; if it differs, the call was translated."""

    removed: list[str] | msgspec.UnsetType = msgspec.UNSET
    """Fields of the request that the gateway left out."""

    request: Any = None
    """As the agent sent it."""

    changed: dict[str, Any] | None = None
    """What the gateway set in the request."""

    response: Any = None
    events: list[tuple[str | None, Any]] | msgspec.UnsetType = msgspec.UNSET
    """Names and contents of a streamed answer's events, if they are recorded."""


class RefusedEntry(msgspec.Struct, frozen=True, tag_field="kind", tag="refused"):
    """A request that the gateway refused."""

    time: str = ""
    path: str = ""
    reason: str = ""
    status: int | msgspec.UnsetType = msgspec.UNSET
    code: str | msgspec.UnsetType = msgspec.UNSET


class CloseEntry(msgspec.Struct, frozen=True, tag_field="kind", tag="close"):
    """The last line."""

    time: str = ""
    totals: ModelTotals | None = None


TrajectoryEntry = OpenEntry | StartEntry | ExchangeEntry | RefusedEntry | CloseEntry
KINDS = ("open", "start", "exchange", "refused", "close")


def encode_entry(entry: TrajectoryEntry, put_beside: Callable[[str], dict[str, Any]]) -> str:
    """An entry as a line without newline.

    Args:
        put_beside: stores a long string in a file and returns the reference to it.
    """
    return json.dumps(_shorten(to_json(entry), put_beside), allow_nan=False)


def decode_entry(line: bytes) -> TrajectoryEntry | None:
    """The entry of a line, long strings as references; None if its kind is unknown."""
    return _typed(_load(line))


def decode_exchange(line: bytes) -> ExchangeEntry:
    """The exchange of a line; raises DataError for entries of other kinds."""
    entry = decode_entry(line)
    if not isinstance(entry, ExchangeEntry):
        raise DataError("the line is not that of an exchange")
    return entry


def decode_head(line: bytes) -> ExchangeEntry:
    """An exchange without request and response, which may be megabytes long.

    The search is safe: inside strings the quotes of the key are escaped.
    """
    cut = line.find(REQUEST, 0, HEAD_BYTES)
    return decode_exchange(line[:cut] + b"}" if cut > 0 else line)


def decode_response(line: bytes) -> Any:
    """The response of an exchange; parses as little of the line as possible."""
    cut = line.rfind(RESPONSE)
    if cut >= 0:
        with suppress(DataError):
            return decode_exchange(EXCHANGE_START + line[cut:]).response
    return decode_exchange(line).response


def read_heads(path: Path) -> Iterator[ExchangeEntry]:
    """Every exchange without request and response; damaged ones are left out."""
    try:
        with path.open("rb") as stream:
            for line in stream:
                if line.startswith(EXCHANGE_START):
                    with suppress(DataError):
                        yield decode_head(line)
    except OSError:
        return


def read_entries(path: Path) -> Iterator[TrajectoryEntry]:
    """Every entry with its long strings restored; an incomplete last line is skipped."""
    try:
        with path.open("rb") as stream:
            for number, line in enumerate(stream, 1):
                try:
                    value = _load(line)
                except DataError:
                    if not line.endswith(b"\n"):
                        return
                    raise DataError(f"{path} is damaged in line {number}: no JSON") from None
                try:
                    entry = _typed(restore_texts(value, path.parent))
                except DataError as error:
                    raise DataError(f"{path} is damaged in line {number}: {error}") from None
                if entry is not None:
                    yield entry
    except OSError as error:
        raise DataError(f"{path} cannot be read: {error.strerror}") from None


def _load(line: bytes) -> Any:
    try:
        return json.loads(line)
    except DAMAGE as error:
        raise DataError(f"no JSON: {str(error)[:MAX_WORDS]}") from None


def _typed(value: Any) -> TrajectoryEntry | None:
    if isinstance(value, dict) and isinstance(kind := value.get("kind"), str) and kind not in KINDS:
        return None
    try:
        entry: TrajectoryEntry = msgspec.convert(value, TrajectoryEntry)
    except DAMAGE as error:
        raise DataError(str(error)[:MAX_WORDS]) from None
    return entry


def _shorten(value: Any, put_beside: Callable[[str], dict[str, Any]]) -> Any:
    """The value with its long strings replaced by references to files."""
    if isinstance(value, dict):
        # Escape an agent's own key of that name.
        return {
            f"${name}" if OURS.fullmatch(name) else name: _shorten(part, put_beside)
            for name, part in value.items()
        }
    if isinstance(value, list | tuple):
        return [_shorten(part, put_beside) for part in value]
    return put_beside(value) if isinstance(value, str) and len(value) > LONG else value


def restore_texts(value: Any, folder: Path) -> Any:
    """The value with its references replaced by long strings."""
    if isinstance(value, list):
        return [restore_texts(part, folder) for part in value]
    if not isinstance(value, dict):
        return value
    if set(value) == REFERENCE:
        name = Path(str(value["$file"]))
        if name.is_absolute() or ".." in name.parts:
            raise DataError(f"a trajectory in {folder} points outside its folder")
        return (folder / name).read_bytes().decode("utf-8", "surrogatepass")
    return {
        name[1:] if name != "$file" and OURS.fullmatch(name) else name: restore_texts(part, folder)
        for name, part in value.items()
    }
