"""Every fault that rehearsal data of v1 can show is found there, and not in v1.1."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from mlebench.catalogue import Catalogue
from mlebench.catalogue.layout import published_ids
from mlebench.preparing.prepare import Rehearsal, prepare
from mlebench.records.audit import AuditRecord
from tests.audit.faults import IN_BOTH, SHOWN, UNDECIDED, ShownFault, known_checks
from tests.audit.planted import checked
from tests.competitions.test_exploits import EXPLOITS, Exploit, make_archive

QUICK = {"hubmap-kidney-segmentation", "hotel-id-2021-fgvc8"}
CASES = [
    pytest.param(
        fault, id=f"{fault.id}-{number}", marks=[pytest.mark.long] * (fault.id not in QUICK)
    )
    for number, fault in enumerate(SHOWN)
]


@pytest.mark.parametrize("fault", CASES)
def test_fault(fault: ShownFault, tmp_path: Path) -> None:
    v1 = record_of(fault, "v1", tmp_path)
    assert v1.status in ("warn", "fail"), v1
    assert fault.evidence in " ".join(v1.evidence), v1.evidence
    revised = record_of(fault, "v1.1", tmp_path)
    allowed = ("pass", "not applicable", "warn")
    assert revised.status in allowed if IN_BOTH & {fault.id, fault.check} else allowed[:2], revised


def record_of(fault: ShownFault, revision: str, folder: Path) -> AuditRecord:
    competition = Catalogue(folder / "data", revision=revision).get_competition(fault.id)
    rehearsal = None if fault.planted else Rehearsal(seed=0, scale=fault.scale)
    if fault.planted and revision == "v1":
        exploit = EXPLOITS[fault.id]
        raw = folder / "raw"
        raw.mkdir()
        make_archive(competition, Exploit(exploit.agent, plant=exploit.plant), raw)
    prepare(competition, rehearsal)
    return checked(competition)[fault.check]


@pytest.mark.long
@pytest.mark.parametrize("competition_id", published_ids())
def test_nothing_else_is_found(competition_id: str, tmp_path: Path) -> None:
    """v1 has the listed faults only; the contract test of v1.1 looks for the rest."""
    competition = Catalogue(tmp_path).get_competition(competition_id)
    prepare(competition, Rehearsal(seed=0))
    failed = {check for check, r in checked(competition).items() if r.status == "fail"}
    assert failed <= known_checks(competition_id)


def test_list_names_competitions() -> None:
    names = {fault.id for fault in SHOWN} | {name.partition(",")[0] for name in UNDECIDED}
    assert names <= set(published_ids())
    assert all(UNDECIDED.values())


def test_docs_list_every_fault() -> None:
    text = (Path(__file__).parents[2] / "docs" / "audit.md").read_text("utf-8")
    shown = {(fault.id, fault.check) for fault in SHOWN}
    assert set(re.findall(r"^\| `([^`]+)` \| `(\w+)` \|", text, re.M)) == shown
    assert {f"{name}: {why}" for name, why in UNDECIDED.items()} == set(
        re.findall(r"^- (.+: .+)$", text.split("cannot show", 1)[1], re.M)
    )
