"""Check a bundle: compute every number again from its content.

The zip is untrusted: names, sizes and compression ratios are checked before anything is written,
and only files that it lists with their hashes are read.
"""

from __future__ import annotations

import math
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from mlebench.archives.unpacking import extract_archive
from mlebench.catalogue import SPLITS as KNOWN_SPLITS
from mlebench.catalogue import Catalogue
from mlebench.errors import BenchError, DataError
from mlebench.leaderboards.medals import Thresholds
from mlebench.records.bundle import BUNDLE, BUNDLE_FILE, BundleRecord
from mlebench.records.disclosure import Disclosure
from mlebench.records.folders import GroupFolder
from mlebench.records.group import read_group
from mlebench.records.integrity import summarised
from mlebench.records.ledger import read_ledger
from mlebench.records.report import CompetitionReport
from mlebench.results.aggregate import SPLITS, revision_of, summarize
from mlebench.results.attempts import (
    Attempt,
    differences,
    find_equal_submissions,
    grouped,
    load_attempts,
    of_revision,
    plans_of,
)
from mlebench.results.boards import Boards
from mlebench.results.bundle import PLAIN_NAME, describe_file
from mlebench.results.disclosure import (
    Level,
    contradictions,
    disclose,
    find_level,
    missing_seeds,
    not_stated,
)
from mlebench.results.published import LeaderboardRow, my_row
from mlebench.results.tables import summary_json

MAX_FILE_BYTES = 64 << 20
"""For all but submissions."""

MEDALS = ("gold", "silver", "bronze")


@dataclass
class Checked:
    """Differences in the order of the checks, notes, and the row for the leaderboard."""

    problems: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    row: LeaderboardRow | None = None
    attempts: int = 0
    graded_again: int = 0
    disclosure: Disclosure | None = None
    level: Level = "claimed"


def check_bundle(
    path: Path,
    catalogue: Catalogue,
    *,
    revision: str | None = None,
    grade: bool = False,
    jobs: int = 1,
) -> Checked:
    """Compute all figures again and compare them with those claimed.

    Args:
        revision: the one that the results must have, if any; else RevisionError.
        grade: grade the submissions in the bundle again; their competitions must be prepared.
    """
    with opened(path) as (folder, bundle):
        checked = Checked()
        sources = _sources(bundle, folder)
        attempts = of_revision(load_attempts(sources), revision)
        checked.attempts = len(attempts)
        checked.problems += _check_files(folder, bundle)
        checked.problems += _check_conditions(attempts)
        checked.problems += _check_reports(attempts, Boards(catalogue))
        for source in sources:
            _check_ledger(source, attempts, checked)
        _check_runs(attempts, checked)
        _check_claim(attempts, bundle, catalogue, checked)
        _check_disclosure(attempts, bundle, checked)
        if grade:
            _grade_again(attempts, catalogue, checked, jobs)
    return checked


@contextmanager
def opened(path: Path) -> Iterator[tuple[Path, BundleRecord]]:
    """Unpack a bundle; yields its temporary folder and the content of `bundle.json`."""
    if not path.is_file():
        raise DataError(f"{path} does not exist")
    with tempfile.TemporaryDirectory(prefix="mlebench-bundle-") as name:
        folder = Path(name) / "content"
        extract_archive(path, folder)
        try:
            data = (folder / BUNDLE_FILE).read_bytes()
        except OSError:
            raise DataError(f"{path.name} is not a bundle: it contains no {BUNDLE_FILE}") from None
        yield folder, BUNDLE.decode(data, f"{BUNDLE_FILE} in {path.name}")


def _sources(bundle: BundleRecord, folder: Path) -> list[Path]:
    """Groups and reports in the order of their seeds."""
    there = {"/".join(name.split("/")[:2]) for name in bundle.files if "/" in name}
    if sorted(bundle.sources) != sorted(there):
        raise DataError("the sources of the bundle are not the groups and reports in it")
    groups = [name for name in bundle.sources if name.startswith("groups/")]
    for run in (run for name in groups for run in read_group(folder / name / "metadata.json").runs):
        # Run ids become paths, which must not lead out of the bundle.
        if not PLAIN_NAME.fullmatch(run.run_id):
            raise DataError(f"the bundle has a run with the id {run.run_id[:80]!a}")
    return [folder / name for name in bundle.sources]


def _check_files(folder: Path, bundle: BundleRecord) -> Iterator[str]:
    there = {str(f.relative_to(folder)) for f in folder.rglob("*") if f.is_file()}
    listed = bundle.files
    for name in sorted(there - set(listed) - {BUNDLE_FILE}):
        yield f"{name} is in the bundle but not listed"
    for name in sorted(set(listed) - there):
        yield f"{name} is listed but not in the bundle"
    for name in sorted(there & set(listed)):
        file = folder / name
        if not name.endswith("/submission.csv") and file.stat().st_size > MAX_FILE_BYTES:
            yield f"{name} is larger than any record"
        elif (digest := describe_file(file).sha256) != listed[name].sha256:
            yield f"{name} has the hash {digest[:12]}…, but {listed[name].sha256[:12]}… is listed"


def _check_conditions(attempts: Sequence[Attempt]) -> Iterator[str]:
    for name, found in differences(attempt.conditions for attempt in attempts).items():
        yield f"the attempts differ in {name}: {' and '.join(found[:3])}"
    agents = sorted({attempt.agent for attempt in attempts})
    if len(agents) > 1:
        yield f"there are several agents: {', '.join(agents[:3])}"
    for attempt in attempts:
        if attempt.data not in (None, "real"):
            kind = "rehearsal" if attempt.data == "synthetic" else attempt.data
            yield f"{_where(attempt)} was made on {kind} data, which counts for no leaderboard"
            return


def _check_reports(attempts: Sequence[Attempt], boards: Boards) -> Iterator[str]:
    for attempt in attempts:
        if attempt.report is not None:
            for text in _faults(attempt.report, boards):
                yield f"{_where(attempt)}: {text}"


def _faults(report: CompetitionReport, boards: Boards) -> Iterator[str]:
    """Everything that does not follow from the score and the competition's own thresholds."""
    if not boards.facts(report.competition_id):
        yield "no such competition"
        return
    if report.score is not None and not math.isfinite(report.score):
        yield f"the score is {report.score}"
    if report.valid_submission != (report.score is not None):
        yield f"valid is {report.valid_submission} and the score {report.score}"
    if report.valid_submission and not report.submission_exists:
        yield "a submission that does not exist is called valid"
    cuts = Thresholds(
        report.gold_threshold,
        report.silver_threshold,
        report.bronze_threshold,
        report.median_threshold,
        report.is_lower_better,
    )
    board = boards.board(report.competition_id)
    if board is not None and board.thresholds != cuts:
        yield f"the thresholds {cuts} are not those of the board, {board.thresholds}"
    medal = cuts.medal(report.score)
    claimed = [name for name in MEDALS if getattr(report, f"{name}_medal")]
    if claimed != ([medal] if medal else []) or report.any_medal != bool(medal):
        yield f"the score {report.score} wins {medal or 'no medal'}, claimed: {claimed or 'none'}"
    if report.above_median != cuts.is_above_median(report.score):
        claim = "above" if report.above_median else "not above"
        yield f"the score {report.score} is claimed to be {claim} the median {cuts.median}"
    if board is not None and report.score is not None and report.rank is not None:
        rank = board.rank(report.score)
        # Without the full leaderboard, ranks between the known ones are interpolated.
        if abs(report.rank - rank) > 2 + 0.01 * board.teams:
            yield f"rank {report.rank} is claimed, expected about {rank}"


def _check_ledger(source: Path, attempts: Sequence[Attempt], checked: Checked) -> None:
    """Check that the hash chain is intact and that every report has an entry in it."""
    if source.is_file():
        checked.notes.append(f"{source.name} has no ledger: how often it was graded is unknown")
        return
    group = GroupFolder(source)
    ledger = read_ledger(group.ledger)
    checked.problems += [f"ledger of {source.name}: {text}" for text in ledger.problems]
    if not ledger.entries:
        checked.problems.append(f"group {source.name} has no ledger")
        return
    by_run = grouped(ledger.entries, lambda entry: entry.run_id)
    for attempt in attempts:
        if attempt.source != str(source) or attempt.run is None or attempt.report is None:
            continue
        own = by_run.get(attempt.run.run_id, [])
        found = [(entry.score, entry.valid, entry.submission_sha256) for entry in own[-1:]]
        report = attempt.report
        if found != [(report.score, report.valid_submission, report.submission_sha256)]:
            checked.problems.append(f"{_where(attempt)}: the ledger has another result: {found}")
        if len(own) > 1:
            checked.notes.append(f"{_where(attempt)} was graded {len(own)} times")


def _check_runs(attempts: Sequence[Attempt], checked: Checked) -> None:
    """No run counts twice, and records agree; note submissions that several seeds share."""
    ids = Counter(attempt.run.run_id for attempt in attempts if attempt.run)
    checked.problems += [f"the run {name} counts {n} times" for name, n in ids.items() if n > 1]
    for attempt in attempts:
        run, report = attempt.run, attempt.report
        if run and report and (run.score, run.medal) != (report.score, report.medal):
            checked.problems.append(f"{_where(attempt)}: run.json and report.json differ")
    checked.notes += [
        f"{same[0].competition_id}: {len(same)} seeds have the same submission"
        for same in find_equal_submissions(attempts)
    ]


def _check_claim(
    attempts: Sequence[Attempt], bundle: BundleRecord, catalogue: Catalogue, checked: Checked
) -> None:
    """Percentages, means, errors and intervals of each split."""
    claim = bundle.claim
    seeds = claim.seeds
    try:
        if unknown := set(claim.splits) - set(KNOWN_SPLITS):
            raise DataError(f"the split {min(unknown)[:40]!r} is claimed and not known")
        if not claim.splits:
            raise DataError("no split is claimed")
        most = 1 + max(attempt.seed for attempt in attempts)
        if not 1 <= seeds <= most:
            raise DataError(f"{seeds} seeds are claimed, expected 1 to {most}")
        splits = {name: catalogue.get_split(name) for name in claim.splits}
        unscored = catalogue.unscored(revision_of(attempts))
        summary = summarize(
            attempts, splits, seeds=seeds, pad_missing=claim.is_padded, unscored=unscored
        )
    except (BenchError, ValueError) as error:
        checked.problems.append(f"the figures cannot be computed: {error}")
        return
    figures = summary_json(summary)
    for name, own in figures.items():
        # Bundles of earlier versions lack these.
        for newer in {"revision", "denominator", "left_out"} - claim.splits[name].keys():
            del own[newer]
    checked.problems += _differences(claim.splits, figures, "claim")
    if left_out := sum(attempt.seed >= seeds for attempt in attempts):
        checked.problems.append(
            f"{left_out} attempts are in the bundle but not in the {seeds} seeds"
        )
    if padded := sum(split.padded for split in summary.values()):
        checked.notes.append(f"{padded} missing attempts count as failures")
    if set(SPLITS) & set(summary):
        hours = {f"{a.conditions.hours:g}" for a in attempts if a.conditions.hours}
        checked.row = my_row(claim.name, claim.models, summary, "/".join(sorted(hours)))


def _check_disclosure(attempts: Sequence[Attempt], bundle: BundleRecord, checked: Checked) -> None:
    """Compare every claim with the records in the bundle."""
    claimed = bundle.disclosure
    if claimed is None:
        checked.notes.append("nothing is disclosed about the runs")
        return
    for attempt in attempts:
        found = attempt.integrity
        if found and summarised(found).result != found.result:
            checked.problems.append(
                f"{_where(attempt)}: the result in integrity.json does not follow from its findings"
            )
    checked.problems += missing_seeds(plans_of(attempts))
    recorded = disclose(attempts, seeds=bundle.claim.seeds)
    checked.problems += contradictions(claimed, recorded, attempts)
    if missing := not_stated(claimed):
        checked.notes.append(f"not stated: {', '.join(missing)}")
    checked.disclosure = claimed
    checked.level = find_level(recorded, attempts)


def _differences(claimed: Any, found: Any, where: str) -> Iterator[str]:
    """Every place where two nested figures are not equal."""
    if isinstance(found, dict) and isinstance(claimed, dict):
        for name in sorted({*found, *claimed}):
            yield from _differences(claimed.get(name), found.get(name), f"{where}.{name}")
    elif isinstance(found, list | tuple) and isinstance(claimed, list | tuple):
        if len(found) != len(claimed):
            yield f"{where} has {len(claimed)} values, expected {len(found)}"
        for number, (ours, theirs) in enumerate(zip(found, claimed, strict=False)):
            yield from _differences(theirs, ours, f"{where}[{number}]")
    elif _is_number(found) and _is_number(claimed):
        if not math.isclose(found, claimed, rel_tol=1e-9, abs_tol=1e-9):
            yield f"{where} is {claimed}, expected {found}"
    elif found != claimed:
        yield f"{where} is {claimed}, expected {found}"


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _grade_again(
    attempts: Sequence[Attempt], catalogue: Catalogue, checked: Checked, jobs: int
) -> None:
    """Grade the submissions in the bundle with the data of this machine."""
    from mlebench.grading.pool import GradingPool, Submission

    chosen = [
        (a, Submission(a.competition_id, a.folder.sealed_submission))
        for a in attempts
        if a.report and a.folder and a.folder.sealed_submission.is_file()
    ]
    with GradingPool(replace(catalogue, revision=revision_of(attempts)), jobs=jobs) as pool:
        graded = list(pool.grade_all([submission for _, submission in chosen]))
    for (attempt, _), result in zip(chosen, graded, strict=True):
        if result.error or result.report is None:
            checked.notes.append(f"{_where(attempt)} was not graded again: {result.error}")
            continue
        checked.graded_again += 1
        if result.report.score != attempt.score:
            checked.problems.append(
                f"{_where(attempt)}: score {attempt.score} is claimed,"
                f" graded again it is {result.report.score}"
            )


def _where(attempt: Attempt) -> str:
    return f"{attempt.competition_id}, seed {attempt.seed}"
