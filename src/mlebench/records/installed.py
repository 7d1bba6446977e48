"""`installed.json`: an agent's installed program, with the checksum of every file."""

from __future__ import annotations

import msgspec

from mlebench.records.codec import RecordFormat

SCHEMA = 1


class InstalledRecord(msgspec.Struct, frozen=True):
    """An installed program; written last, so that a folder without it is incomplete."""

    name: str
    """Of the agent."""

    kind: str
    package: str
    version: str
    lock_sha256: str
    """Of the file that pins everything that was installed."""

    installed_at: str = ""
    seconds: float = 0.0
    bytes: int = 0
    python: str | None = None
    """The version that its libraries were built for, such as 3.12."""

    node: str | None = None
    files: dict[str, str] = msgspec.field(default_factory=dict)
    """SHA-256 by path; of a symbolic link, its target after `->`."""

    schema: int = SCHEMA


_INSTALLED = RecordFormat(InstalledRecord, SCHEMA)
read_installed, write_installed = _INSTALLED.read, _INSTALLED.write
