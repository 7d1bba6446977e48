"""A digest of what a run did: commands, files, messages and outputs with their places, shortened.

Made in a confined child, because it parses what an agent wrote.
"""

from __future__ import annotations

import socket
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from mlebench.errors import SandboxError
from mlebench.integrity.evidence import Evidence, Passage
from mlebench.integrity.sources import find_runs
from mlebench.records.reasons import without_keys
from mlebench.system.confinement import confine_child
from mlebench.system.fork_server import ForkServer, send_json

MODULE = "mlebench.integrity.judge.digest"
CHARACTERS_PER_TOKEN = 3
"""Code and logs have fewer characters per token than prose; better too few than too many."""

PIECE_CHARACTERS = 24_000 * CHARACTERS_PER_TOKEN
OVERLAP = 0.10
DIGEST_CHARACTERS = 40_000 * CHARACTERS_PER_TOKEN
"""Of all pieces together: a judge may use 60,000 tokens for a run, with second passes."""

LIMITS = {"code": 4000, "executed": 2000, "model": 1500, "output": 500}
"""Characters of one entry, less if the run is long."""

LABELS = {"code": "saved file", "executed": "command", "model": "model", "output": "output"}
MIN_LIMIT = 60
MAX_ENTRIES = 20_000
SECONDS = 60
MEMORY_BYTES = 3 << 30
MAX_REPLY = 64 << 20


@dataclass(frozen=True)
class DigestEntry:
    """One thing that the agent did, with its place."""

    file: str
    offset: int
    label: str
    text: str

    @property
    def cost(self) -> int:
        """Characters in a piece, with the line that names the place."""
        return len(self.text) + 60


def read_digest(server: ForkServer, folder: Path) -> list[DigestEntry]:
    """The digest of a run; raises SandboxError if it cannot be made within the limits."""
    reply = None
    with suppress(TimeoutError):
        reply = server.ask(f"{MODULE}:work", {"run": str(folder)}, SECONDS, MAX_REPLY)
    if reply is None:
        raise SandboxError("reading the run takes too much memory or time")
    return [DigestEntry(**entry) for entry in reply]


def work(connection: socket.socket, facts: dict[str, Any]) -> None:
    """The task of the child."""
    (source,) = find_runs([Path(facts["run"])])
    group = str(source.group.path)
    confine_child(memory_bytes=MEMORY_BYTES, cpu_seconds=SECONDS, readable=[group])
    send_json(connection, [asdict(entry) for entry in make_digest(Evidence(source))])


def make_digest(evidence: Evidence) -> list[DigestEntry]:
    """Shortened entries in the order in which they were recorded, each text once."""
    texts: dict[tuple[str, str], Passage] = {}
    for passage in evidence.passages():
        if passage.kind in LIMITS and len(texts) < MAX_ENTRIES:
            text = without_keys(passage.text.decode("utf-8", "replace")).strip()
            if text:
                texts.setdefault((passage.kind, text), passage)
    scale = 1.0
    while True:
        entries = [_entry(passage, text, scale) for (_, text), passage in texts.items()]
        size = sum(entry.cost for entry in entries)
        if size <= DIGEST_CHARACTERS:
            return entries
        if scale * max(LIMITS.values()) < MIN_LIMIT:
            break
        scale *= 0.7
    # Too many entries, however short: keep as many at the beginning as at the end.
    half = len(entries) * DIGEST_CHARACTERS // (2 * size)
    return entries[:half] + entries[len(entries) - half :]


def _entry(passage: Passage, text: str, scale: float) -> DigestEntry:
    limit = max(MIN_LIMIT, int(scale * LIMITS[passage.kind]))
    if len(text) > limit:
        head = limit * 2 // 3
        left_out = f"\n[{len(text) - limit} characters left out]\n"
        text = text[:head] + left_out + text[len(text) - limit + head :]
    return DigestEntry(passage.file, passage.offset, LABELS[passage.kind], text)


def split_digest(
    entries: Sequence[DigestEntry], limit: int = PIECE_CHARACTERS
) -> Iterator[list[DigestEntry]]:
    """Pieces of limited length; each repeats the last tenth of the one before."""
    piece: list[DigestEntry] = []
    size = 0
    is_new = False
    for entry in entries:
        if piece and size + entry.cost > limit:
            yield piece
            piece = _last_part(piece, OVERLAP * limit)
            size = sum(kept.cost for kept in piece)
            is_new = False
        piece.append(entry)
        size += entry.cost
        is_new = True
    if is_new:
        yield piece


def _last_part(piece: Sequence[DigestEntry], size: float) -> list[DigestEntry]:
    kept: list[DigestEntry] = []
    for entry in reversed(piece):
        size -= entry.cost
        if size < 0:
            break
        kept.insert(0, entry)
    return kept
