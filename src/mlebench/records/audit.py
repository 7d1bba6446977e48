"""The audit of prepared data: `prepared/audit.json`, replaced by each audit.

It is stored inside the prepared folder, so that preparing again removes it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from mlebench.records.codec import RecordFormat
from mlebench.records.folders import CompetitionFolder
from mlebench.version import __version__

SCHEMA = 1
Status = Literal["pass", "warn", "fail", "not applicable"]


@dataclass(frozen=True)
class AuditRecord:
    """The worst finding of a check, with the evidence of all findings that are as bad."""

    id: str
    revision: str
    check: str
    status: Status
    figure: float | None
    threshold: float | None
    evidence: tuple[str, ...]
    seconds: float


@dataclass(frozen=True)
class StoredAudit:
    """The content of `audit.json`."""

    records: tuple[AuditRecord, ...]
    mlebench: str = __version__
    schema: int = SCHEMA


_FORMAT = RecordFormat(StoredAudit, SCHEMA)


def read_audit(folder: CompetitionFolder) -> tuple[AuditRecord, ...]:
    """The stored records; empty if the prepared data was never audited."""
    stored = _FORMAT.read_existing(folder.audit)
    return stored.records if stored else ()


def write_audit(records: list[AuditRecord], folder: CompetitionFolder) -> None:
    _FORMAT.write(StoredAudit(tuple(records)), folder.audit)
