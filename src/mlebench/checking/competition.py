"""All checks of one competition, on its prepared data or on a rehearsal made for them."""

from __future__ import annotations

import logging
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from mlebench.audit import audit
from mlebench.audit.examined import Examined
from mlebench.checking.submissions import check_broken, check_gold, check_sample
from mlebench.checking.texts import check_description
from mlebench.doctor.check import Check
from mlebench.errors import BenchError
from mlebench.grading.pool import SECONDS_PER_SUBMISSION
from mlebench.preparing.on_disk import has_prepared_files
from mlebench.preparing.prepare import Rehearsal, prepare
from mlebench.records.folders import CompetitionFolder

if TYPE_CHECKING:
    from mlebench.catalogue import LocatedCompetition
    from mlebench.records.audit import AuditRecord


def check_time(examined: Examined) -> Iterator[Check]:
    """Grading stays well within its limit, for a submission of full size."""
    began = time.monotonic()
    _ = examined.gold_verdict
    seconds = time.monotonic() - began
    reason = f"the gold submission takes {seconds:.1f} s to grade"
    limit = f"the limit is {SECONDS_PER_SUBMISSION} s, on a busy machine as well"
    if seconds > SECONDS_PER_SUBMISSION / 5:
        is_late = seconds > SECONDS_PER_SUBMISSION
        yield Check("time", "fail" if is_late else "warn", f"{reason}; {limit}", "make it faster")
    else:
        yield Check("time", "ok", reason)


CHECKS: dict[str, Callable[[Examined], Iterator[Check]]] = {
    "time": check_time,
    "sample": check_sample,
    "gold": check_gold,
    "broken": check_broken,
    "description": check_description,
}
REMEDIES = {
    "trivial": "refuse malformed files; compare metric, direction and leaderboard.json",
    "oracle": "check answers, metric and leaderboard.json; align rows by id",
    "duplicates": "keep duplicates in one part",
    "order": "order test items by id or by a hash, with ids that do not follow the answers",
    "metadata": "publish the listed fields only",
    "groups": "split by group",
    "noise": "take more test rows, or raise the scores of the board",
    "board": "make leaderboard.json and the direction of the metric agree",
    "baseline": "look at the named fields: are they known when predictions are made?",
}
"""What to do about the findings of each check of the audit."""

REPEATED = Rehearsal(seed=1)

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class CompetitionChecks:
    """What was found about a competition, and on which data."""

    competition_id: str
    is_rehearsal: bool
    checks: list[Check]

    @property
    def exit_code(self) -> int:
        """1 where something is wrong, 3 where something needs a look."""
        states = {check.state for check in self.checks}
        return 1 if "fail" in states else 3 if "warn" in states else 0


def check_on_data(competition: LocatedCompetition, *, rehearse: bool = False) -> CompetitionChecks:
    """Check a competition on its prepared data.

    Where there is none, or a rehearsal is asked for, synthetic data is made in a temporary folder,
    twice: preparing the same data must write the same files.
    """
    if has_prepared_files(competition) and not rehearse:
        is_rehearsal = Examined(competition).is_rehearsal
        return CompetitionChecks(competition.id, is_rehearsal, check_competition(competition))
    with tempfile.TemporaryDirectory(prefix="mlebench-check-") as folder:
        place = CompetitionFolder(Path(folder) / "data", competition.id)
        synthetic = replace(competition, folder=place)
        found = _attempt("preparation", competition, partial(_check_preparation, synthetic))
        if found[0].state == "ok" or has_prepared_files(synthetic):
            found += check_competition(synthetic)
    return CompetitionChecks(competition.id, True, found)


def check_competition(competition: LocatedCompetition) -> list[Check]:
    """What was found about a prepared competition; one `ok` for each subject without a finding.

    The subjects are those of `CHECKS`, then the checks of the audit.
    """
    return [*check_basics(competition), *map(_from_audit, audit(competition))]


def check_basics(competition: LocatedCompetition) -> list[Check]:
    """The subjects of `CHECKS` only, without the audit."""
    examined = Examined(competition)
    checks = []
    for subject, check in CHECKS.items():
        found = _attempt(subject, competition, partial(check, examined))
        checks += [entry for entry in found if entry.state != "ok"] or found
    return checks


def _from_audit(record: AuditRecord) -> Check:
    state = record.status if record.status in ("warn", "fail") else "ok"
    remedy = None if state == "ok" else REMEDIES[record.check]
    return Check(record.check, state, "; ".join(record.evidence), remedy, record.id)


def _attempt(
    subject: str, competition: LocatedCompetition, check: Callable[[], Iterator[Check]]
) -> list[Check]:
    """The result of a check; an error in the code of the competition is a finding, too."""
    try:
        found = list(check())
    except BenchError as error:
        found = [Check(subject, "fail", str(error), error.hint)]
    except Exception as error:
        log.debug("the check of %s failed", subject, exc_info=True)
        place = _place_in(competition.home, error)
        found = [Check(subject, "fail", f"{type(error).__name__}: {error}{place}")]
    return [replace(entry, competition_id=competition.id) for entry in found]


def _place_in(home: Path, error: Exception) -> str:
    """The innermost line of the competition's own files that an error came through."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [f for f in frames if Path(f.filename).resolve().is_relative_to(home.resolve())]
    return f" ({Path(own[-1].filename).name}, line {own[-1].lineno})" if own else ""


def _check_preparation(competition: LocatedCompetition) -> Iterator[Check]:
    began = time.monotonic()
    first = prepare(competition, REPEATED)
    seconds = time.monotonic() - began
    second = prepare(competition, REPEATED)
    hashes, again = (
        {(name, facts["sha256"]) for name, facts in manifest.files.items()}
        for manifest in (first, second)
    )
    if different := sorted({name for name, _ in hashes ^ again}):
        yield Check(
            "preparation",
            "fail",
            f"preparing the same data twice writes different bytes: {', '.join(different[:5])}",
            "use fixed seeds, sorted names and no current time",
        )
    else:
        reason = f"{len(first.files):,} files in {seconds:.1f} s, the same the second time"
        yield Check("preparation", "ok", reason)
