"""Reviews: a person confirms or dismisses a finding; the ledger keeps who, when and why."""

from __future__ import annotations

from msgspec import structs

from mlebench.errors import DataError, UnknownNameError, UsageError
from mlebench.integrity.sources import RunSource
from mlebench.records.integrity import (
    IntegrityFinding,
    IntegrityRecord,
    Status,
    read_integrity,
    write_integrity,
)
from mlebench.records.ledger import FindingReview, append_entry, read_ledger
from mlebench.results.redaction import visible


def with_earlier(record: IntegrityRecord, source: RunSource) -> IntegrityRecord:
    """The record with earlier findings that this check could not find again.

    Those are the findings and verdicts of a judge or of kernels that are not used this time, and
    what a person confirmed: no later check takes it back.
    """
    try:
        before = read_integrity(source.folder.integrity)
    except DataError:
        before = None
    findings = {one.id: one for one in record.findings}
    for one in before.findings if before else ():
        if one.id in findings:
            if "judge" not in record.checks_run:
                findings[one.id] = structs.replace(findings[one.id], judge=one.judge)
        elif one.status == "confirmed" or _origin(one) not in {*record.checks_run, "all"}:
            findings[one.id] = structs.replace(one, status="open", reviewer=None, note=None)
    return structs.replace(record, findings=tuple(findings.values()))


def _origin(finding: IntegrityFinding) -> str:
    """The check that would find it again; `all` is about the checking itself."""
    return finding.check if finding.deterministic else "judge"


def with_reviews(record: IntegrityRecord, source: RunSource) -> IntegrityRecord:
    """The record with the decisions in the ledger; a broken ledger decides nothing."""
    try:
        ledger = read_ledger(source.group.ledger)
    except DataError:
        return record
    known = {} if ledger.problems else ledger.reviews_of(record.run_id)
    findings = [
        structs.replace(one, status=found.decision, reviewer=found.reviewer, note=found.reason)
        if (found := known.get(one.id))
        else one
        for one in record.findings
    ]
    return structs.replace(record, findings=tuple(findings))


def review(
    source: RunSource, finding: str, *, decision: Status, reviewer: str, reason: str
) -> IntegrityRecord:
    """Append a decision to the ledger and apply it to `integrity.json`.

    Raises:
        UsageError: the run was not checked, or a name or reason is missing.
        UnknownNameError: the run has no such finding.
    """
    record = read_integrity(source.folder.integrity)
    if record is None:
        raise UsageError(
            f"{source.record.run_id} was not checked", hint="run mlebench integrity RUNS first"
        )
    if decision == "open" or not reviewer.strip() or not reason.strip():
        raise UsageError("a review needs a name and a reason")
    known = [one.id for one in record.findings]
    if finding not in known:
        raise UnknownNameError(
            f"{record.run_id} has no finding {finding!r}, it has {', '.join(known) or 'none'}"
        )
    entry = FindingReview(
        run_id=record.run_id,
        finding=finding,
        decision=decision,
        reviewer=visible(reviewer.strip())[:100],
        reason=visible(reason.strip())[:1000],
    )
    append_entry(source.group.ledger, entry)
    return write_integrity(with_reviews(record, source), source.folder.integrity)
