"""Evidence: what a run left, as passages of text with their place in a file.

Files of the agent are hostile: links and special files are not opened, sizes and depths are
limited, and nothing is executed, imported or unpickled.
"""

from __future__ import annotations

import hashlib
import json
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain, islice
from pathlib import Path
from typing import Any

from mlebench.errors import DataError
from mlebench.integrity.conversation import (
    Kind,
    Text,
    texts_of_message,
    texts_of_notebook,
    texts_of_request,
    texts_of_response,
    texts_of_tree,
)
from mlebench.integrity.sources import RunSource
from mlebench.records.activity import VALIDATIONS, ResourceSample, ValidationCall, read_samples
from mlebench.records.ledger import GradingLedger, read_ledger
from mlebench.records.report import CompetitionReport, read_report

CHUNK = 1 << 20
OVERLAP = 4096
"""Bytes of the previous passage that a passage repeats, so that no match is cut in two."""

MAX_FILE_BYTES = 96 << 20
"""Of longer files, half of this is read at each end."""

MAX_FILES = 2000
MAX_SCRATCH = 20_000
"""Files of the working folder that are examined; few of them are programs."""

MAX_FOLDERS = 500
MAX_CODE_BYTES = 5 << 20
"""The largest program or notebook that is read as a whole."""

MAX_LINE_BYTES = 8 << 20
"""Longer lines of JSON are read as plain text."""

MAX_RECORDS_BYTES = 32 << 20
PROGRAMS = {".py", ".ipynb", ".r", ".jl", ".sh", ".bash", ".zsh", ".pyx", ".sql", ".rmd", ".c"}
PROGRAMS |= {".cpp", ".rs", ".go"}
CODE = PROGRAMS | {".txt", ".md", ".toml", ".yaml", ".yml", ".json", ".cfg", ""}
LIBRARIES = {"site-packages", "dist-packages", "node_modules", "__pycache__"}
PACKED = {".gz", ".zip", ".npz", ".npy", ".pkl", ".pt", ".pth", ".bin", ".h5", ".parquet"}
PACKED |= {".png", ".jpg", ".jpeg", ".joblib", ".feather", ".onnx", ".safetensors", ".pyc", ".so"}


@dataclass(frozen=True)
class Passage:
    """A text that the run left, and where it is stored."""

    kind: Kind
    file: str
    """Inside the run's folder."""

    offset: int
    text: bytes
    length: int
    """Of the passage in the file; equal to that of the text unless it was decoded."""

    is_raw: bool = True
    """Whether the text is the bytes of the file at this offset."""

    sha256: str = ""
    """Of the bytes in the file, for a text that was decoded."""


@dataclass
class Evidence:
    """Everything that one run left."""

    source: RunSource
    left_out: list[str] = field(default_factory=list)
    """Files, or parts of them, that exceed the limits and were not read."""

    @property
    def root(self) -> Path:
        return self.source.folder.path

    @cached_property
    def report(self) -> CompetitionReport | None:
        with suppress(DataError):
            return read_report(self.source.folder.report)
        return None

    @cached_property
    def ledger(self) -> GradingLedger:
        """The gradings and reviews of the group; a damaged file is a problem of the chain."""
        try:
            return read_ledger(self.source.group.ledger)
        except DataError as error:
            return GradingLedger(problems=(str(error),))

    @cached_property
    def validations(self) -> list[ValidationCall]:
        return list(
            VALIDATIONS.decode(read_start(self.source.folder.validations, MAX_RECORDS_BYTES)[0])
        )

    @cached_property
    def resources(self) -> list[ResourceSample]:
        return list(read_samples(read_start(self.source.folder.resources, MAX_RECORDS_BYTES)[0]))

    @cached_property
    def snapshots(self) -> list[Path]:
        """Copies of the submission over time, the oldest first."""
        found = [file for file in self.source.folder.snapshots.glob("*.csv") if _seconds(file) >= 0]
        return sorted(found, key=_seconds)

    @cached_property
    def programs(self) -> list[Passage]:
        """Code that was saved or executed, as far as it can be held in memory."""
        return [p for p in self.small_passages if p.kind in ("code", "executed")]

    def executed(self) -> Iterator[Passage]:
        """Programs that the conversation and the agent's records say were executed."""
        found = chain(self._conversation(), self._of_folder("logs"))
        return (passage for passage in found if passage.kind == "executed")

    @cached_property
    def small_passages(self) -> list[Passage]:
        """Saved files, the conversation with the model and the agent's records of it."""
        code, logs, scratch = map(self._of_folder, ("code", "logs", "agent"))
        return [*code, *self._conversation(), *logs, *scratch]

    def passages(self) -> Iterator[Passage]:
        """All passages: the small ones, then what the agent printed, in pieces."""
        yield from self.small_passages
        yield from self.pieces("host/agent.log", "output")
        yield from self.pieces("host/submission.csv", "submission")

    def pieces(self, name: str, kind: Kind) -> Iterator[Passage]:
        """A file in overlapping pieces of at most 1 MB."""
        with _opened(self.root / name) as stream:
            if stream < 0:
                return
            size = os.fstat(stream).st_size
            for start, stop in self._parts(name, size):
                position = start
                while position < stop:
                    data = os.pread(stream, min(CHUNK, stop - position), position)
                    if not data:
                        return
                    yield Passage(kind, name, position, data, len(data))
                    if position + len(data) >= stop:
                        break
                    position += max(1, len(data) - OVERLAP)

    def _parts(self, name: str, size: int) -> list[tuple[int, int]]:
        if size <= MAX_FILE_BYTES:
            return [(0, size)]
        half = MAX_FILE_BYTES // 2
        self.left_out.append(f"{size - 2 * half:,} bytes in the middle of {name}")
        return [(0, half), (size - half, size)]

    def _of_folder(self, name: str) -> Iterator[Passage]:
        files = self._scratch() if name == "agent" else files_below(self.root / name)
        for number, file in enumerate(files):
            if number == MAX_FILES:
                self.left_out.append(f"files of {name}/ after the first {MAX_FILES:,}")
                return
            yield from self._of_file(str(file.relative_to(self.root)), name != "logs")

    def _scratch(self) -> Iterator[Path]:
        """Programs in the agent's working folder, which also has copied data, libraries, caches."""
        # The agent's own package is not conduct of the run.
        own = {read_start(file, MAX_CODE_BYTES) for file in files_below(self.source.group.agent)}
        for file in islice(files_below(self.root / "agent"), MAX_SCRATCH):
            folders = file.relative_to(self.root).parts[:-1]
            is_other = any(part in LIBRARIES or part.startswith(".") for part in folders)
            if is_other or file.suffix.lower() not in PROGRAMS:
                continue
            if read_start(file, MAX_CODE_BYTES) not in own:
                yield file

    def _of_file(self, name: str, is_code: bool) -> Iterator[Passage]:
        suffix = Path(name).suffix.lower()
        if suffix in PACKED:
            return
        kind: Kind = "code" if is_code and suffix in CODE else "output"
        data, size = read_start(self.root / name, MAX_CODE_BYTES)
        if size > MAX_CODE_BYTES:
            yield from self.pieces(name, kind)
            return
        if suffix in (".ipynb", ".json"):
            decoded = list(_decoded(name, data))
            yield from decoded
            if suffix == ".ipynb" and decoded:
                return
        if suffix == ".jsonl":
            yield from _decoded_lines(name, data)
        if data:
            yield Passage(kind, name, 0, data, len(data))

    def _conversation(self) -> Iterator[Passage]:
        """Every message of the trajectory once, although each request repeats the earlier ones."""
        seen: set[bytes] = set()
        name = "host/trajectory.jsonl"
        with _opened(self.root / name) as descriptor:
            if descriptor < 0:
                return
            with os.fdopen(os.dup(descriptor), "rb") as stream:
                offset = 0
                while line := stream.readline(MAX_LINE_BYTES):
                    if line.endswith(b"\n") or len(line) < MAX_LINE_BYTES:
                        yield from _entry_passages(name, offset, line, self.root, seen)
                    else:
                        yield Passage("output", name, offset, line, len(line))
                    offset += len(line)


def _unseen(passages: Iterator[Passage], seen: set[bytes]) -> Iterator[Passage]:
    """The passages that did not occur before."""
    for passage in passages:
        digest = hashlib.blake2b(passage.kind.encode() + passage.text, digest_size=16).digest()
        if digest not in seen:
            seen.add(digest)
            yield passage


def _entry_passages(
    name: str, offset: int, line: bytes, root: Path, seen: set[bytes]
) -> Iterator[Passage]:
    """New messages of the request, and every answer: many answers may be the same word."""
    value = load_json(line)
    if not isinstance(value, dict) or value.get("kind") != "exchange":
        yield Passage("output", name, offset, line, len(line))
        return
    value = _restored(value, root / "host")
    asked = _located(texts_of_request(value.get("request")), name, offset, line)
    yield from _unseen(asked, seen)
    answered = list(_located(texts_of_response(value.get("response")), name, offset, line))
    list(_unseen(iter(answered), seen))
    yield from answered


def _restored(value: dict[str, Any], folder: Path) -> dict[str, Any]:
    """The entry with its long texts, which are stored beside the trajectory."""
    from mlebench.records.trajectory import restore_texts

    with suppress(DataError, OSError, RecursionError):
        restored = restore_texts(value, folder)
        if isinstance(restored, dict):
            return restored
    return value


def _located(texts: Iterator[Text], name: str, offset: int, line: bytes) -> Iterator[Passage]:
    digest = hashlib.sha256(line).hexdigest()
    for kind, text in texts:
        data = text.encode("utf-8", "replace")
        yield Passage(kind, name, offset, data, len(line), is_raw=False, sha256=digest)


def _decoded(name: str, data: bytes) -> Iterator[Passage]:
    """The texts of a notebook or of a search tree."""
    value = load_json(data)
    if isinstance(value, dict) and isinstance(value.get("cells"), list):
        yield from _located(texts_of_notebook(value), name, 0, data)
    elif isinstance(value, dict) and isinstance(value.get("nodes"), list):
        yield from _located(texts_of_tree(value), name, 0, data)


def _decoded_lines(name: str, data: bytes) -> Iterator[Passage]:
    """The messages in the steps that an agent recorded."""
    offset = 0
    for line in data.splitlines(keepends=True):
        value = load_json(line)
        messages = value.get("messages") if isinstance(value, dict) else None
        if isinstance(messages, list):
            texts = (text for message in messages for text in texts_of_message(message))
            yield from _located(texts, name, offset, line)
        offset += len(line)


def load_json(data: bytes) -> Any:
    """The value, or None if it is damaged or nested too deeply."""
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        return None


def read_start(path: Path, limit: int) -> tuple[bytes, int]:
    """The first bytes of a regular file and its size; links and special files count as empty."""
    with _opened(path) as descriptor:
        if descriptor < 0:
            return b"", 0
        size = os.fstat(descriptor).st_size
        return os.pread(descriptor, min(limit, size), 0), size


@contextmanager
def _opened(path: Path) -> Iterator[int]:
    """The descriptor of a regular file, or -1 for links, special and missing files."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        yield -1
        return
    try:
        yield descriptor if stat.S_ISREG(os.fstat(descriptor).st_mode) else -1
    finally:
        os.close(descriptor)


def files_below(folder: Path) -> Iterator[Path]:
    """Regular files below a folder by name; links are not followed."""
    for number, (home, folders, names) in enumerate(os.walk(folder)):
        if number == MAX_FOLDERS:
            return
        folders.sort()
        for name in sorted(names):
            file = Path(home) / name
            with suppress(OSError):
                if stat.S_ISREG(file.lstat().st_mode):
                    yield file


def _seconds(file: Path) -> float:
    try:
        return float(file.stem)
    except ValueError:
        return -1.0
