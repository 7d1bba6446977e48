"""Reads and writes all files of `records`; a damaged file raises DataError.

A record is a msgspec struct or a frozen dataclass with a field `schema`. Fields that are not known
are ignored, so that a file of a later version with the same schema is read.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

import msgspec

from mlebench.errors import DataError
from mlebench.system.files import write_atomically

MAX_WORDS = 300
DAMAGE = (msgspec.MsgspecError, ValueError, RecursionError)
"""Exceptions that decoding arbitrary bytes can raise."""


class Versioned(Protocol):
    """A record that states the version of its format."""

    @property
    def schema(self) -> int: ...


class _Header(msgspec.Struct):
    """The only field that is read from a file of a newer version."""

    schema: int = 0


Record = TypeVar("Record", bound=Versioned)
Entry = TypeVar("Entry")


class RecordFormat(Generic[Record]):
    """The JSON format of one kind of file: its type and the newest version that is understood."""

    def __init__(self, kind: type[Record], schema: int) -> None:
        self.schema = schema
        self._decoder = msgspec.json.Decoder(kind)

    def read(self, path: Path | str) -> Record:
        """Read a file; raises DataError if it is missing, damaged or of a newer version."""
        return self.decode(read_bytes(path), path)

    def read_existing(self, path: Path | str) -> Record | None:
        """Read a file; None if it does not exist."""
        data = find_bytes(path)
        return None if data is None else self.decode(data, path)

    def try_read(self, path: Path) -> Record | None:
        """Read a file; None if `read` would raise."""
        try:
            return self.read(path)
        except DataError:
            return None

    def decode(self, data: bytes, source: Path | str) -> Record:
        """Decode bytes that the caller has read; `source` names the file in messages."""
        try:
            record = self._decoder.decode(data)
        except DAMAGE as error:
            record = self._decode_old(data, source, error)
        require_known(record.schema, self.schema, source)
        return record

    def write(self, record: Record, path: Path, *, syncs_folder: bool = True) -> None:
        """Replace the file in one step: a crash leaves the old or the new content.

        Args:
            syncs_folder: false where a later write in the folder does so.
        """
        write_atomically(path, encode(record), syncs_folder=syncs_folder)

    def _decode_old(self, data: bytes, source: Path | str, error: Exception) -> Record:
        """Version 0.1 wrote unpaired surrogates, which msgspec does not accept."""
        if b"\\ud" in data:
            with suppress(*DAMAGE):
                text = json.dumps(json.loads(data), ensure_ascii=False, allow_nan=False)
                return self._decoder.decode(text.encode("utf-8", "replace"))
        with suppress(*DAMAGE):
            require_known(msgspec.json.decode(data, type=_Header).schema, self.schema, source)
        raise DataError(f"{source} is damaged: {str(error)[:MAX_WORDS]}") from None


class LineFormat(Generic[Entry]):
    """A file with one JSON object per line, which a crash may have cut short."""

    def __init__(self, kind: type[Entry]) -> None:
        self._decoder = msgspec.json.Decoder(kind)

    def decode(self, data: bytes) -> Iterator[Entry]:
        """The entries without damaged lines."""
        for line in data.splitlines():
            try:
                yield self._decoder.decode(line)
            except DAMAGE:
                continue

    def encode(self, entry: Entry) -> bytes:
        """One line, including its newline."""
        return _dump(to_json(entry), indent=None) + b"\n"


def require_known(schema: int, newest: int, source: Path | str) -> None:
    """Raise DataError if a file has a schema that this version does not know."""
    if schema > newest:
        raise DataError(
            f"{source} was written by a newer mlebench: it has schema {schema}, this version"
            f" reads schemas up to {newest}",
            hint="update mlebench",
        )


def read_bytes(path: Path | str) -> bytes:
    """The content of a file; raises DataError if it does not exist."""
    data = find_bytes(path)
    if data is None:
        raise DataError(f"{path} does not exist")
    return data


def find_bytes(path: Path | str) -> bytes | None:
    """The content of a file; None if it does not exist."""
    try:
        # Half the time of `path.read_bytes()`; a group may have ten thousand records.
        with open(path, "rb", buffering=0) as stream:
            return stream.readall()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise DataError(f"{path} cannot be read: {error.strerror}") from None


def encode(record: object) -> bytes:
    """A record as it is stored: indented JSON in UTF-8, without NaN and Infinity."""
    return _dump(to_json(record), indent=1) + b"\n"


def to_json(record: object) -> Any:
    """A record as dictionaries, lists, strings and numbers."""
    return msgspec.to_builtins(record)


def _dump(value: object, indent: int | None) -> bytes:
    text = json.dumps(value, ensure_ascii=False, allow_nan=False)
    # File names of agents may contain unpaired surrogates, which are not UTF-8.
    data = text.encode("utf-8", "replace")
    # json itself indents in Python, which takes ten times as long.
    return data if indent is None else msgspec.json.format(data, indent=indent)
