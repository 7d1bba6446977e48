"""The findings of many runs as one page that opens from disk and fetches nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from mlebench.records.integrity import IntegrityRecord
from mlebench.results.page.rendering import PageTable, render
from mlebench.results.page.report import style_text
from mlebench.results.runs_table import write_whole

HEAD = ("run", "check", "severity", "status", "finding", "figure", "threshold", "evidence")


def write_findings(records: Sequence[IntegrityRecord], path: Path) -> None:
    """Write the page in one step."""
    rows = [
        [
            *(record.run_id, finding.check, finding.severity, finding.status),
            *(f"{finding.id}: {finding.title}", finding.figure, finding.threshold),
            "; ".join(f"{item.file} at {item.offset}: {item.quote}" for item in finding.evidence),
        ]
        for record in records
        for finding in record.findings
    ]
    skipped = Counter((s.id, s.reason) for record in records for s in record.checks_skipped)
    results = Counter(record.result for record in records)
    context = {
        "style": style_text(),
        "runs": len(records),
        "counts": ", ".join(f"{count} {name}" for name, count in results.items()),
        "findings": PageTable(HEAD, rows, ["figure", "threshold"]),
        "skipped": PageTable(
            ("check", "reason", "runs"), [[*key, count] for key, count in skipped.items()], ["runs"]
        ),
    }
    write_whole(render("findings.html", context, Path(__file__).parent / "templates"), path)
