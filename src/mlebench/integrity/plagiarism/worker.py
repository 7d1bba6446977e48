"""Fingerprints made in confined children: the code is hostile, and parsers are written in C."""

from __future__ import annotations

import base64
import hashlib
import socket
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

import numpy as np

from mlebench.integrity.evidence import Evidence, files_below, read_start
from mlebench.integrity.plagiarism.code import (
    MAX_RUN_BYTES,
    PYTHON,
    CodeText,
    Collection,
    executed_programs,
    read_code,
)
from mlebench.integrity.plagiarism.fingerprints import Fingerprints, fingerprint, winnow
from mlebench.integrity.plagiarism.tokens import MAX_ERROR_BYTES, find_tokenizer
from mlebench.integrity.sources import find_runs
from mlebench.results.attempts import grouped
from mlebench.system.confinement import confine_child
from mlebench.system.fork_server import ForkServer, send_json

MODULE = "mlebench.integrity.plagiarism.worker"
MEMORY_BYTES = 2 << 30
SECONDS = 60
MAX_REPLY = 256 << 20
BATCH = 50
FOLDERS = ("code", "agent")


@dataclass(frozen=True)
class PrintedProgram:
    """The fingerprints of one program, and the digest of the file that it is from."""

    name: str
    digest: str
    fingerprints: Fingerprints


@dataclass
class Fingerprinter:
    """Makes fingerprints in children of a fork server, which ends with the context."""

    server: ForkServer = field(default_factory=lambda: ForkServer((f"{MODULE}:warm",)))
    jobs: int = 2

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.server.stop()

    def of_run(self, folder: Path) -> list[PrintedProgram] | None:
        """All programs of a run; None if they cannot be read."""
        return self._ask({"run": str(folder)})

    def of_files(self, files: Sequence[Path]) -> Iterator[PrintedProgram | None]:
        """The programs of files in their order; None for one that cannot be read.

        If a file makes its child fail, each file of the batch gets a child of its own.
        """
        batches = [files[start : start + BATCH] for start in range(0, len(files), BATCH)]
        with ThreadPoolExecutor(self.jobs) as threads:
            for batch, found in zip(batches, threads.map(self._of_batch, batches), strict=True):
                if found is not None and len(found) == len(batch):
                    yield from found
                else:
                    for file in batch:
                        alone = self._of_batch([file])
                        yield alone[0] if alone else None

    def _of_batch(self, files: Sequence[Path]) -> list[PrintedProgram] | None:
        return self._ask({"files": [str(file) for file in files]})

    def _ask(self, facts: dict[str, Any]) -> list[PrintedProgram] | None:
        try:
            reply = self.server.ask(f"{MODULE}:work", facts, SECONDS, MAX_REPLY)
        except TimeoutError:
            return None
        return None if reply is None else [_unpacked(entry) for entry in reply]


def warm() -> None:
    """Load the parser before children are forked."""
    fingerprint(b"pass")


def work(connection: socket.socket, facts: dict[str, Any]) -> None:
    """The task of a child: send the fingerprints as one line of JSON."""
    if "run" in facts:
        (source,) = find_runs([Path(facts["run"])])
        _confine([str(source.group.path)])
        found = list(_of_programs(collect_run(Evidence(source))))
    else:
        _confine(facts["files"])
        found = [_of_file(Path(name)) for name in facts["files"]]
    send_json(connection, found)


def _confine(readable: Sequence[str]) -> None:
    confine_child(memory_bytes=MEMORY_BYTES, cpu_seconds=SECONDS, readable=readable)


def collect_run(evidence: Evidence) -> list[CodeText]:
    """The code that an agent saved, then what it executed; without the agent's own files."""
    own = {_digest(_start(file)) for file in files_below(evidence.source.group.agent)}
    collection = Collection()
    for folder in FOLDERS:
        for file in files_below(evidence.root / folder):
            if file.suffix.lower() in PYTHON and _digest(data := _start(file)) not in own:
                name = str(file.relative_to(evidence.root))
                collection.add(CodeText(name, read_code(name, data)))
    for program in _executed(evidence):
        collection.add(program)
    return collection.programs


def _executed(evidence: Evidence) -> Iterable[CodeText]:
    for name, found in grouped(evidence.executed(), lambda passage: passage.file).items():
        yield from executed_programs(name, (p.text.decode("utf-8", "replace") for p in found))


def _of_programs(programs: Iterable[CodeText]) -> Iterator[dict[str, str]]:
    """The programs of a run, until too much of it is not Python."""
    errors = 0
    for program in programs:
        tokens = find_tokenizer().read(program.text)
        errors += tokens.errors
        if errors > MAX_ERROR_BYTES:
            return
        yield _packed(program.name, _digest(b""), winnow(tokens))


def _of_file(file: Path) -> dict[str, str]:
    data = _start(file)
    return _packed(str(file), _digest(data), fingerprint(read_code(file.name, data)))


def _start(file: Path) -> bytes:
    return read_start(file, MAX_RUN_BYTES)[0]


def _digest(data: bytes) -> str:
    return hashlib.blake2b(data, digest_size=16).hexdigest()


def _packed(name: str, digest: str, found: Fingerprints) -> dict[str, str]:
    packed = {
        field: base64.b64encode(getattr(found, field).tobytes()).decode()
        for field in ("hashes", "first", "last")
    }
    return {"name": name, "digest": digest, **packed}


def _unpacked(entry: dict[str, str]) -> PrintedProgram:
    def array(name: str, kind: type[np.generic]) -> Any:
        return np.frombuffer(base64.b64decode(entry[name]), kind)

    fingerprints = Fingerprints(
        array("hashes", np.uint64), array("first", np.int32), array("last", np.int32)
    )
    return PrintedProgram(entry["name"], entry["digest"], fingerprints)
