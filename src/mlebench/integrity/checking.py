"""Check runs: a confined child for each, then similarity and judge, then `integrity.json`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, ExitStack
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from mlebench.errors import DataError, SandboxError
from mlebench.integrity.copies import CopySearch, earlier_files
from mlebench.integrity.evidence import Evidence
from mlebench.integrity.extensions import Addition, Extension, IntegrityOptions
from mlebench.integrity.findings import make_finding, make_quote
from mlebench.integrity.registry import CONDUCT, CheckedRun
from mlebench.integrity.reviews import with_earlier, with_reviews
from mlebench.integrity.sources import RunSource
from mlebench.records.integrity import (
    IntegrityFinding,
    IntegrityRecord,
    SkippedCheck,
    write_integrity,
)
from mlebench.records.ledger import read_ledger
from mlebench.system.fork_server import ForkServer
from mlebench.version import __version__

if TYPE_CHECKING:
    from mlebench.catalogue import Catalogue

SECONDS_PER_RUN = 120
COMPARE = "mlebench.integrity.answers:compare"
CHECK = "mlebench.integrity.worker:check_run"
IMPORTS = ("mlebench.integrity.answers", "mlebench.integrity.checks", "mlebench.tables", "pandas")


@dataclass
class RunChecker:
    """Checks runs in children of one fork server; threads may share it."""

    catalogue: Catalogue
    sources: Sequence[RunSource]
    server: ForkServer = field(default_factory=lambda: ForkServer(IMPORTS))
    seconds: float = SECONDS_PER_RUN
    submissions: Path | None = None
    """A folder of known public submissions."""

    def __post_init__(self) -> None:
        self._compared: dict[Path, dict[str, Any]] = {}
        self._copies = CopySearch(self.sources, self._compared)

    def compare(self, source: RunSource) -> None:
        """Compare a submission with sample and answers, in a child like that of a grader."""
        if source.record.submission.sha256:
            facts = self._facts(source) | {
                "submission": str(source.folder.sealed_submission),
                "public": self._public(source),
                "earlier": [str(file) for file in earlier_files(source)],
            }
            self._compared[source.folder.path] = self._ask(COMPARE, facts)

    def check(self, source: RunSource) -> CheckedRun:
        """The findings of the deterministic checks; all submissions must have been compared."""
        figures = self._compared.get(source.folder.path, {})
        facts = self._facts(source) | {
            "similar_submissions": [asdict(one) for one in self._copies.find(source)],
            "figures": {n: v for n, v in figures.items() if isinstance(v, int | float | None)},
            "public": figures.get("public", []),
            "lost_runs": lost_runs(source),
        }
        reply = self._ask(CHECK, facts)
        if "error" in reply:
            return _not_checked(reply["error"])
        findings = msgspec.convert(reply["findings"], tuple[IntegrityFinding, ...])
        skipped = msgspec.convert(reply["skipped"], tuple[SkippedCheck, ...])
        left_out = tuple(SkippedCheck("all", f"not read: {text}") for text in reply["left_out"])
        return CheckedRun(findings, tuple(reply["run"]), skipped + left_out)

    def _public(self, source: RunSource) -> str | None:
        """The folder with the public submissions of this competition."""
        folder = self.submissions and self.submissions / source.record.competition_id
        return str(folder) if folder and folder.is_dir() else None

    def _facts(self, source: RunSource) -> dict[str, Any]:
        return {
            "run": str(source.folder.path),
            "competition_id": source.record.competition_id,
            "data_dir": str(self.catalogue.get_data_dir()),
            "competitions_dirs": [str(place) for place in self.catalogue.competitions_dirs],
            "revision": source.revision,
            "seconds": self.seconds,
        }

    def _ask(self, target: str, facts: dict[str, Any]) -> dict[str, Any]:
        try:
            reply: dict[str, Any] | None = self.server.ask(target, facts, self.seconds)
        except TimeoutError:
            return {"error": f"it took longer than {self.seconds:g} s"}
        except SandboxError as error:
            return {"error": str(error)}
        if reply is None:
            return {"error": "its child ended early"}
        self.server.warm(reply.pop("imports", ()))
        return reply


def lost_runs(source: RunSource) -> list[str]:
    """Runs of the same competition that are in the plan or the ledger, but not in the folder."""
    planned = {run.run_id: run.competition_id for run in source.plan.runs}
    try:
        entries = read_ledger(source.group.ledger).entries
    except DataError:
        entries = ()
    planned |= {entry.run_id: entry.competition_id for entry in entries}
    return [
        run_id
        for run_id, competition_id in planned.items()
        if competition_id == source.record.competition_id
        and not source.group.run(run_id).state.is_file()
    ]


def _not_checked(reason: str) -> CheckedRun:
    """The finding for a run that could not be checked: such a run is not clean."""
    title = f"the run could not be checked: {make_quote(reason)}"
    skipped = tuple(SkippedCheck(name, title) for name in CONDUCT)
    return CheckedRun((make_finding("all", "review", title),), (), skipped)


def check_runs(
    sources: Sequence[RunSource],
    catalogue: Catalogue,
    options: IntegrityOptions,
    *,
    jobs: int = 1,
    on_done: Callable[[IntegrityRecord], None] = lambda record: None,
) -> Iterator[IntegrityRecord]:
    """Check all runs and write their records, in the given order."""
    checker = RunChecker(catalogue, sources, submissions=options.submissions)
    with checker.server, ThreadPoolExecutor(jobs) as threads, ExitStack() as stack:
        extensions = [
            stack.enter_context(opened(sources, options)) for opened in _extensions(options)
        ]
        list(threads.map(checker.compare, sources))
        for source, checked in zip(sources, threads.map(checker.check, sources), strict=True):
            added = [extend(Evidence(source), checked.findings) for extend in extensions]
            record = _record(source, checked, added)
            record = with_reviews(with_earlier(record, source), source)
            record = write_integrity(record, source.folder.integrity)
            on_done(record)
            yield record


Opener = Callable[[Sequence[RunSource], IntegrityOptions], AbstractContextManager[Extension]]


def _extensions(options: IntegrityOptions) -> list[Opener]:
    """Similarity always; a judge if a model is named."""
    from mlebench.integrity.plagiarism.similarity import open_similarity

    if options.judge is None:
        return [open_similarity]
    from mlebench.integrity.judge.judging import open_judge
    from mlebench.integrity.judge.published import open_published

    asked: Opener = open_published if options.questions == "published" else open_judge
    return [open_similarity, asked]


def _record(
    source: RunSource, checked: CheckedRun, additions: Sequence[Addition]
) -> IntegrityRecord:
    findings = {finding.id: finding for finding in checked.findings}
    done, skipped = list(checked.run), list(checked.skipped)
    for addition in additions:
        findings |= {finding.id: finding for finding in addition.findings}
        done += [name for name in addition.checks_run if name not in done]
        skipped += addition.skipped
    return IntegrityRecord(
        run_id=source.record.run_id,
        competition_id=source.record.competition_id,
        revision=source.revision,
        created_at=datetime.now(UTC).isoformat(timespec="seconds"),
        tool_version=__version__,
        checks_run=tuple(done),
        checks_skipped=tuple(skipped),
        findings=tuple(findings.values()),
        similarity=tuple(entry for addition in additions for entry in addition.similarity),
    )


def exit_code(records: Sequence[IntegrityRecord]) -> int:
    """4 for a violation, 3 for something to review, otherwise 0."""
    found = {record.result for record in records}
    return 4 if "disqualified" in found else 3 if "review" in found else 0
