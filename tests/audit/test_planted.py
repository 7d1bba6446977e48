"""Forty competitions with a planted fault and forty without: recall and false alarms.

The seeds of the data are drawn by the day from a fixed list.
"""

from __future__ import annotations

import random
from datetime import date
from pathlib import Path

import pytest

from tests.audit.planted import KINDS, build_kind, checked

SEEDS = (101, 2024, 31337, 4711, 65537, 77, 888, 9090)
RECALL, FALSE_ALARMS = 0.95, 1


def found_in(folder: Path, kind: str, seed: int, *, is_faulty: bool) -> set[str]:
    records = checked(build_kind(folder, kind, seed, is_faulty=is_faulty))
    return {check for check, record in records.items() if record.status in ("warn", "fail")}


def run_suite(folder: Path, seed: int) -> tuple[list[str], dict[str, set[str]]]:
    """The kinds that are missed, and what is found in clean competitions."""
    missed, alarms = [], {}
    for kind in KINDS:
        home = folder / kind.replace(" ", "-")
        if KINDS[kind].check not in found_in(home / "faulty", kind, seed, is_faulty=True):
            missed.append(kind)
        if found := found_in(home / "clean", kind, seed, is_faulty=False):
            alarms[kind] = found
    return missed, alarms


@pytest.mark.parametrize("kind", ["DICOM", "drawn labels", "sound", "HDF5"])
def test_one_of_some_kinds(kind: str, tmp_path: Path) -> None:
    assert KINDS[kind].check in found_in(tmp_path / "faulty", kind, 7, is_faulty=True)
    assert found_in(tmp_path / "clean", kind, 7, is_faulty=False) == set()


@pytest.mark.long
@pytest.mark.timeout(1500)
@pytest.mark.parametrize("seed", random.Random(date.today().toordinal()).sample(SEEDS, 2))
def test_recall_and_false_alarms(seed: int, tmp_path: Path) -> None:
    missed, alarms = run_suite(tmp_path, seed)
    assert len(KINDS) == 40
    assert 1 - len(missed) / len(KINDS) >= RECALL, (seed, missed)
    assert len(alarms) <= FALSE_ALARMS, (seed, alarms)
