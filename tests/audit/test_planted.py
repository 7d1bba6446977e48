"""Forty competitions with a planted fault and forty without: recall and false alarms."""

from __future__ import annotations

from pathlib import Path

import pytest

from mlebench.audit import audit
from tests.audit.planted import KINDS, build_kind

SEEDS = range(4)
SUITE = [(kind, seed) for kind in KINDS for seed in SEEDS]


def found_in(folder: Path, kind: str, seed: int, *, is_faulty: bool) -> set[str]:
    records = audit(build_kind(folder, kind, seed, is_faulty=is_faulty))
    return {record.check for record in records if record.status in ("warn", "fail")}


@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS)
def test_one_of_each_kind(kind: str, tmp_path: Path) -> None:
    expected = KINDS[kind][0]
    assert expected in found_in(tmp_path / "faulty", kind, 7, is_faulty=True)
    assert found_in(tmp_path / "clean", kind, 7, is_faulty=False) == set()


@pytest.mark.long
def test_recall_and_false_alarms(tmp_path: Path) -> None:
    """Recall of at least 0.95, and at most one false alarm."""
    missed, alarms = [], []
    for kind, seed in SUITE:
        home = tmp_path / f"{kind}-{seed}"
        if KINDS[kind][0] not in found_in(home / "faulty", kind, seed, is_faulty=True):
            missed.append((kind, seed))
        if found := found_in(home / "clean", kind, seed, is_faulty=False):
            alarms.append((kind, seed, found))
    assert len(SUITE) == 40
    assert len(missed) <= 2, missed
    assert len(alarms) <= 1, alarms
