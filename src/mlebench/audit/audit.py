"""All checks of prepared competitions, one record for each competition and check."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from typing import TYPE_CHECKING

from mlebench.audit.audited import Audited
from mlebench.audit.baseline import check_baseline
from mlebench.audit.board import check_board
from mlebench.audit.duplicates import check_duplicates
from mlebench.audit.groups import check_groups
from mlebench.audit.metadata import check_metadata
from mlebench.audit.noise import check_noise
from mlebench.audit.order import check_order
from mlebench.audit.record import Observation, summarise
from mlebench.audit.submissions import check_oracle, check_trivial_files
from mlebench.errors import BenchError
from mlebench.grading.grade import require_prepared
from mlebench.records.audit import AuditRecord, write_audit

if TYPE_CHECKING:
    from mlebench.catalogue import Catalogue, LocatedCompetition

CHECKS: dict[str, Callable[[Audited], Iterator[Observation]]] = {
    "trivial": check_trivial_files,
    "oracle": check_oracle,
    "duplicates": check_duplicates,
    "order": check_order,
    "metadata": check_metadata,
    "groups": check_groups,
    "noise": check_noise,
    "board": check_board,
    "baseline": check_baseline,
}

ERRORS = (
    *(ArithmeticError, AssertionError, AttributeError, BenchError, ImportError, LookupError),
    *(MemoryError, NameError, OSError, RuntimeError, TypeError, ValueError),
)
"""What the code of a competition may raise."""

log = logging.getLogger(__name__)


def audit(competition: LocatedCompetition, *, with_baseline: bool = True) -> list[AuditRecord]:
    """The records of a prepared competition, in the order of `CHECKS`; nothing is stored.

    Args:
        with_baseline: let the baseline agent train, where a check needs it.

    Raises NotPreparedError if there is no prepared data.
    """
    require_prepared(competition)
    with Audited.open(competition, with_baseline=with_baseline) as audited:
        return [_run(name, audited) for name in CHECKS]


def audit_all(
    catalogue: Catalogue, ids: Sequence[str], *, jobs: int = 1, with_baseline: bool = True
) -> Iterator[list[AuditRecord]]:
    """The records of each competition, in the given order, which are stored beside its data.

    `jobs` processes work side by side.
    """
    for competition_id in ids:
        require_prepared(catalogue.get_competition(competition_id))
    one = partial(_audit_and_store, catalogue, with_baseline)
    if jobs == 1:
        yield from map(one, ids)
        return
    # Not forked: a child of a process with threads may hold a lock forever.
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        yield from pool.map(one, ids)


def _audit_and_store(
    catalogue: Catalogue, with_baseline: bool, competition_id: str
) -> list[AuditRecord]:
    competition = catalogue.get_competition(competition_id)
    records = audit(competition, with_baseline=with_baseline)
    try:
        write_audit(records, competition.folder)
    except OSError as error:
        log.warning("the records of %s are not stored: %s", competition_id, error.strerror)
    return records


def exit_code(records: Iterable[AuditRecord]) -> int:
    """4 for a fail, 3 for a warning to review, otherwise 0."""
    found = {record.status for record in records}
    return 4 if "fail" in found else 3 if "warn" in found else 0


def _run(name: str, audited: Audited) -> AuditRecord:
    """The record of one check; an error in the competition's code is a fail.

    Messages of unexpected errors are not shown: they may quote an answer.
    """
    began = time.monotonic()
    try:
        worst, evidence = summarise(CHECKS[name](audited))
    except ERRORS as error:
        log.debug("the check %s stopped: %s", name, type(error).__name__)
        worst = Observation("fail", f"the check stopped: {type(error).__name__}")
        evidence = (worst.evidence,)
    return AuditRecord(
        id=audited.competition.id,
        revision=audited.competition.revision,
        check=name,
        status=worst.status,
        figure=worst.figure,
        threshold=worst.threshold,
        evidence=evidence,
        seconds=round(time.monotonic() - began, 3),
    )
