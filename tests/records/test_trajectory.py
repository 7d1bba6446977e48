"""The contract of `trajectory.jsonl`: exact lines, parts of them, tomorrow's fields, damage."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from mlebench.errors import DataError
from mlebench.records.run import ModelTotals
from mlebench.records.trajectory import (
    EXCHANGE_START,
    LONG,
    CallFailure,
    CloseEntry,
    ExchangeEntry,
    OpenEntry,
    RefusedEntry,
    StartEntry,
    TrajectoryEntry,
    decode_entry,
    decode_head,
    decode_response,
    encode_entry,
    read_entries,
    read_heads,
)

TRICKY = '"}, "request": {}, "response": {"model": "x"}, "$file": \ud800 \u2028\n'
EXCHANGE = ExchangeEntry(
    time="2026-03-01T08:00:00.000+00:00",
    id=2,
    path="/v1/chat/completions",
    outcome="answered",
    model="m",
    answering_model="m-1",
    seconds=1.5,
    attempts=2,
    statuses=[529, "timeout"],
    input_tokens=10**20,
    output_tokens=7,
    cached_tokens=0,
    booked_tokens=12,
    request={"messages": [{"role": "user", "content": TRICKY}], "$file": "a", "bytes": 1},
    changed={"store": False},
    response={"model": "m-1", "tools": [{"a": 1, "response": {}}], "b": TRICKY},
    events=[(None, "[DONE]"), ("end", TRICKY)],
)
TRANSLATED = msgspec.structs.replace(
    EXCHANGE, protocol="messages", provider_protocol="chat", removed=["metadata", TRICKY]
)
FAILED = ExchangeEntry(time="t", outcome="failed", error=CallFailure("provider_key", TRICKY))
ENTRIES: list[TrajectoryEntry] = [
    OpenEntry(time="t", run_id="r", model="m", base_url="https://example.com/v1"),
    StartEntry(time="t", id=1, path="/v1/responses"),
    EXCHANGE,
    FAILED,
    TRANSLATED,
    RefusedEntry(time="t", path="/x", reason="no such route"),
    RefusedEntry(time="t", path="/x", reason="wrong", status=401, code="invalid_api_key"),
    CloseEntry(time="t", totals=ModelTotals(name="m", calls=2, cost=0.5)),
]


def encoded(entry: TrajectoryEntry) -> bytes:
    return encode_entry(entry, lambda text: pytest.fail("no text is long")).encode("ascii")


def test_lines_are_what_version_0_1_wrote() -> None:
    """Readers of parts rely on the order of the fields."""
    assert encoded(ENTRIES[0]) == (
        b'{"kind": "open", "time": "t", "schema": 1, "run_id": "r", "model": "m",'
        b' "base_url": "https://example.com/v1", "replay": null}'
    )
    assert (
        encoded(ENTRIES[1]) == b'{"kind": "start", "time": "t", "id": 1, "path": "/v1/responses"}'
    )
    plain = msgspec.structs.replace(EXCHANGE, request={"$file": "\ud800"}, events=msgspec.UNSET)
    assert encoded(msgspec.structs.replace(plain, response=None)) == (
        b'{"kind": "exchange", "time": "2026-03-01T08:00:00.000+00:00", "id": 2,'
        b' "path": "/v1/chat/completions", "outcome": "answered", "model": "m",'
        b' "answering_model": "m-1", "seconds": 1.5, "waited_seconds": 0.0, "attempts": 2,'
        b' "statuses": [529, "timeout"], "input_tokens": 100000000000000000000,'
        b' "output_tokens": 7, "cached_tokens": 0, "booked_tokens": 12, "cost": null,'
        b' "error": null, "request": {"$$file": "\\ud800"}, "changed": {"store": false},'
        b' "response": null}'
    )


def test_what_is_written_is_read(tmp_path: Path) -> None:
    lines = [encoded(entry) for entry in ENTRIES]
    file = tmp_path / "trajectory.jsonl"
    file.write_bytes(b"\n".join(lines) + b"\n")
    assert list(read_entries(file)) == ENTRIES
    # Fields and kinds of tomorrow, and what a crash leaves.
    tomorrow = [json.dumps(json.loads(line) | {"of_tomorrow": [1]}).encode() for line in lines]
    file.write_bytes(b"\n".join([*tomorrow, b'{"kind": "of_tomorrow"}', lines[2][:-9]]))
    assert list(read_entries(file)) == ENTRIES


def test_long_texts_go_beside_and_come_back(tmp_path: Path) -> None:
    text = "\ud800" + "x" * LONG

    def put_beside(text: str) -> dict[str, Any]:
        (tmp_path / "a.txt").write_bytes(text.encode("utf-8", "surrogatepass"))
        return {"$file": "a.txt", "bytes": len(text)}

    entry = ExchangeEntry(request=[text], events=[(None, text)])
    line = encode_entry(entry, put_beside)
    assert len(line) < 1000
    (tmp_path / "t.jsonl").write_text(line)
    assert list(read_entries(tmp_path / "t.jsonl")) == [entry]
    reference = {"$file": "a.txt", "bytes": LONG + 1}
    assert decode_entry(line.encode()) == ExchangeEntry(
        request=[reference], events=[(None, reference)]
    )


@pytest.mark.parametrize("entry", [EXCHANGE, FAILED, TRANSLATED, ExchangeEntry()])
def test_parts_of_an_exchange(entry: ExchangeEntry, tmp_path: Path) -> None:
    line = encoded(entry)
    assert line.startswith(EXCHANGE_START)
    nothing: dict[str, Any] = {"request": None, "changed": None, "response": None}
    head = msgspec.structs.replace(entry, **nothing, events=msgspec.UNSET)
    assert decode_head(line) == head
    assert decode_response(line) == json.loads(line)["response"]
    file = tmp_path / "trajectory.jsonl"
    file.write_bytes(b"\n".join([encoded(ENTRIES[0]), b'{"kind": "exchange", "x', line]))
    assert list(read_heads(file)) == [head]
    assert list(read_heads(tmp_path / "none")) == []


DAMAGE = [b"", b"{", b"[]", b"null", b"{}", b"\xff\xfe", b"[" * 100_000, b'{"kind": 3}']
DAMAGE += [b'{"kind": "exchange", "time": 7}', b'{"kind": "exchange", "seconds": "x"}']


@pytest.mark.parametrize("damage", DAMAGE, ids=range(len(DAMAGE)))
def test_f04_damage_is_named(damage: bytes, tmp_path: Path) -> None:
    for decode in (decode_entry, decode_head, decode_response):
        with pytest.raises(DataError):
            decode(damage)
    file = tmp_path / "trajectory.jsonl"
    file.write_bytes(encoded(EXCHANGE) + b"\n" + damage + b"\n")
    with pytest.raises(DataError, match=r"trajectory\.jsonl is damaged in line 2: "):
        list(read_entries(file))


def test_a_reference_out_of_the_folder_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "trajectory.jsonl"
    for name in ("/etc/passwd", "../secret.txt"):
        file.write_text(json.dumps({"kind": "exchange", "request": {"$file": name, "bytes": 1}}))
        with pytest.raises(DataError, match="points outside its folder"):
            list(read_entries(file))


def test_not_a_number_is_never_written() -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        encoded(ExchangeEntry(request=float("nan")))
