"""Each check finds the fault that it is for, and nothing in a competition without it."""

from __future__ import annotations

from pathlib import Path

import pytest

from mlebench.audit import CHECKS, AuditRecord, audit
from tests.audit.planted import build


def records(folder: Path, **changes: str) -> dict[str, AuditRecord]:
    return {record.check: record for record in audit(build(folder, 0, **changes))}


def test_clean_competition(tmp_path: Path) -> None:
    found = records(tmp_path)
    assert list(found) == list(CHECKS)
    assert {r.status for r in found.values()} <= {"pass", "not applicable"}, found


SPLIT_SORTED = (
    "table = table.sort_values('label').reset_index(drop=True);"
    "table = table.iloc[np.random.RandomState(42).permutation(ROWS)]"
)
FAULTS: dict[str, tuple[str, dict[str, str], str]] = {
    "sample wins": (
        "trivial",
        {"gold": "0.6", "silver": "0.55", "bronze": "0.5"},
        "sample submission: scores 0.5, a bronze medal",
    ),
    "rows left out": ("trivial", {"format": "Partial"}, "a file with missing row is graded"),
    "gaps": ("trivial", {"format": "Lenient"}, "a file with nan is graded"),
    "gold is out of reach": ("oracle", {"gold": "1.5"}, "wins no gold medal"),
    "ids follow labels": (
        "order",
        {
            "before": "table = table.sort_values('label').assign(id=range(ROWS)).sample(frac=1,"
            " random_state=SEED)"
        },
        "follows it",
    ),
    "rows follow labels": (
        "order",
        {"after": "test = test.sort_values('label')", "is_sorted": "False"},
        "rows of the sample submission: 'label' follows it",
    ),
    "known seed over a sorted list": (
        "order",
        {"before": SPLIT_SORTED, "is_sorted": "False"},
        "seed 42 over 400 items restores a source order",
    ),
}


@pytest.mark.parametrize("name", FAULTS)
def test_fault_is_found(name: str, tmp_path: Path) -> None:
    check, changes, evidence = FAULTS[name]
    found = records(tmp_path, **changes)[check]
    assert found.status == "fail", found
    assert any(evidence in text for text in found.evidence), found.evidence
