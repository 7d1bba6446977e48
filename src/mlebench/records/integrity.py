"""`integrity.json`: the findings about one run, their evidence and what a person decided."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Literal

import msgspec

from mlebench.records.codec import RecordFormat
from mlebench.records.run import Number

SCHEMA = 1
MAX_QUOTE = 300

Severity = Literal["note", "review", "strong", "violation"]
SEVERITIES: tuple[Severity, ...] = ("note", "review", "strong", "violation")
Status = Literal["open", "confirmed", "dismissed"]
Relation = Literal["kernel", "run", "sibling", "example"]
"""`sibling`: another seed of the same agent; `example`: our own code, which anybody may use."""

IntegrityResult = Literal["clean", "review", "disqualified"]


class EvidenceItem(msgspec.Struct, frozen=True):
    """A place that a person can open."""

    file: str
    """Inside the run's folder, or `../ledger.jsonl` and the like inside its group."""

    offset: int = 0
    length: int = 0
    sha256: str = ""
    """Of these bytes of the file."""

    quote: str = ""
    """At most 300 characters, escaped and without keys."""


class JudgeVerdict(msgspec.Struct, frozen=True):
    """The answer of a model that was asked about a finding."""

    model: str
    prompt_sha256: str
    verdict: Literal["yes", "no", "unsure"]
    confidence: Number | None = None
    trajectory_line: int | None = None
    """In the recorded calls of the judge."""


class IntegrityFinding(msgspec.Struct, frozen=True):
    """One observation about the conduct of an agent."""

    id: str
    """Unique in the run and the same in every repetition: the check and a hash of the evidence."""

    check: str
    severity: Severity
    deterministic: bool
    title: str
    evidence: tuple[EvidenceItem, ...] = ()
    figure: Number | None = None
    threshold: Number | None = None
    judge: JudgeVerdict | None = None
    status: Status = "open"
    reviewer: str | None = None
    note: str | None = None
    """The reviewer's reason."""

    @property
    def is_disqualifying(self) -> bool:
        """Whether it was confirmed, or is a deterministic violation that was not dismissed."""
        if self.status != "open":
            return self.status == "confirmed" and self.severity != "note"
        return self.severity == "violation" and self.deterministic


class SkippedCheck(msgspec.Struct, frozen=True):
    """A check that was not made."""

    id: str
    reason: str


class MatchedRange(msgspec.Struct, frozen=True):
    """Lines of the agent's code and the lines of a reference that they resemble; both inclusive."""

    file: str
    first: int
    last: int
    reference_first: int
    reference_last: int
    reference_file: str = ""
    """The file of another run; empty for a kernel, which is one file."""


class SimilarReference(msgspec.Struct, frozen=True):
    """Code that the code of a run resembles."""

    reference: str
    """`competition/name` of a kernel, `group/run` of a run."""

    similarity: Number
    """The share of the fingerprints of both that the other one has, as Dolos calculates it."""

    containment: Number
    """The share of the agent's fingerprints that the reference has."""

    ranges: tuple[MatchedRange, ...] = ()
    relation: Relation = "kernel"
    longest: int = 0
    """The longest run of consecutive fingerprints that both have."""


class IntegritySummary(msgspec.Struct, frozen=True):
    """Findings that were not dismissed."""

    worst: Severity | None = None
    counts: dict[str, int] = msgspec.field(default_factory=dict)
    """By severity."""


class IntegrityRecord(msgspec.Struct, frozen=True):
    """The content of `integrity.json`."""

    run_id: str
    competition_id: str
    revision: str
    created_at: str
    tool_version: str
    checks_run: tuple[str, ...] = ()
    checks_skipped: tuple[SkippedCheck, ...] = ()
    findings: tuple[IntegrityFinding, ...] = ()
    similarity: tuple[SimilarReference, ...] = ()
    summary: IntegritySummary = IntegritySummary()
    result: IntegrityResult = "clean"
    schema: int = SCHEMA


_FORMAT = RecordFormat(IntegrityRecord, SCHEMA)
decode_integrity = _FORMAT.decode
read_integrity = _FORMAT.read_existing
"""The findings about a run; None if it was never checked."""


def write_integrity(record: IntegrityRecord, path: Path) -> IntegrityRecord:
    """Replace the file in one step; returns the record with its summary and result."""
    record = summarised(record)
    _FORMAT.write(record, path)
    return record


def summarised(record: IntegrityRecord) -> IntegrityRecord:
    """The record with the summary and the result that follow from its findings."""
    valid = [finding for finding in record.findings if finding.status != "dismissed"]
    found = Counter(finding.severity for finding in valid)
    counts = {str(name): found[name] for name in SEVERITIES if found[name]}
    result: IntegrityResult = "clean"
    if any(finding.is_disqualifying for finding in valid):
        result = "disqualified"
    elif any(f.severity != "note" and f.status == "open" for f in valid):
        result = "review"
    worst = max(found, key=SEVERITIES.index, default=None)
    return msgspec.structs.replace(record, summary=IntegritySummary(worst, counts), result=result)
