"""Compare the code of runs with kernels and with other runs, after the checks of each run."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from mlebench.errors import UsageError
from mlebench.integrity.evidence import Evidence, read_start
from mlebench.integrity.extensions import Addition, IntegrityOptions
from mlebench.integrity.findings import make_finding, make_quote
from mlebench.integrity.plagiarism.candidates import (
    ALL_CODE,
    MIN_SHARED,
    REVIEW_CONTAINMENT,
    REVIEW_SIMILARITY,
    Candidate,
    ComparedCode,
    search,
    severity,
    units,
)
from mlebench.integrity.plagiarism.code import MAX_RUN_BYTES
from mlebench.integrity.plagiarism.fingerprints import Fingerprints, is_among, join_fingerprints
from mlebench.integrity.plagiarism.index import FingerprintIndex, Reference, make_index
from mlebench.integrity.plagiarism.matching import compare
from mlebench.integrity.plagiarism.references import example_code, open_kernels
from mlebench.integrity.plagiarism.worker import Fingerprinter, PrintedProgram
from mlebench.integrity.sources import RunSource, find_runs
from mlebench.records.integrity import (
    EvidenceItem,
    IntegrityFinding,
    MatchedRange,
    Relation,
    SimilarReference,
    SkippedCheck,
)
from mlebench.results.identity import AgentIdentity

if TYPE_CHECKING:
    from numpy.typing import NDArray

MAX_TEMPLATE_RUNS = 200
"""Runs of other competitions that are read to find what agents write everywhere."""

TEMPLATE_AGENTS = 3
NONE = np.empty(0, np.uint64)
MAX_RANGES = 200
CHECKS: dict[Relation, str] = {"kernel": "plagiarism", "run": "I15"}
"""The checks that findings are made for; siblings and our examples are only shown."""


class SimilarityCheck:
    """Compares the code of one run after the other; see `Extension`."""

    def __init__(
        self, runs: Sequence[RunSource], options: IntegrityOptions, fingerprinter: Fingerprinter
    ) -> None:
        self._kernels = make_index([])
        if options.kernels is not None:
            self._kernels = open_kernels(options.kernels, fingerprinter)
        self._runs = {source.folder.path: source for source in [*_beside(runs), *runs]}
        self._programs = lru_cache(maxsize=None)(fingerprinter.of_run)
        self._prepared = lru_cache(maxsize=4)(self._prepare)

    def __call__(self, evidence: Evidence, findings: Sequence[IntegrityFinding]) -> Addition:
        source = evidence.source
        programs = self._programs(source.folder.path)
        if programs is None:
            reason = "the code of the run cannot be parsed within the limits"
            return Addition(skipped=tuple(SkippedCheck(c, reason) for c in CHECKS.values()))
        competition = source.record.competition_id
        template, references, documents = self._prepared(competition)
        found = search(units(programs, template), references, documents, source)
        shown = [_describe(candidate, programs, template) for candidate in found]
        flagged = [
            (candidate, entry)
            for candidate, entry in zip(found, shown, strict=True)
            if candidate.document.relation in CHECKS and severity(candidate)
        ]
        kernels = [one for one in flagged if one[0].document.relation == "kernel"]
        runs = [one for one in flagged if one[0].document.relation == "run"]
        made = [_finding(evidence, *one) for one in kernels]
        made += [_finding(evidence, *one, more=len(runs) - 1) for one in runs[:1]]
        skipped = []
        if not any(r.competition_id == competition for r in self._kernels.references):
            skipped.append(SkippedCheck("plagiarism", "no kernels of this competition: --kernels"))
        return Addition(
            findings=tuple(made),
            similarity=(*_example_share(programs), *shown),
            checks_run=("I15",) if skipped else ("I15", "plagiarism"),
            skipped=tuple(skipped),
        )

    def _prepare(
        self, competition_id: str
    ) -> tuple[NDArray[np.uint64], FingerprintIndex, list[tuple[ComparedCode, RunSource | None]]]:
        """The template, the index of all references, and the document of each of its entries."""
        common = np.union1d(self._kernels.template(competition_id), example_code())
        template = np.union1d(common, self._template_of_runs(competition_id))
        kernels = self._kernels.select(competition_id, template)
        documents: list[tuple[ComparedCode, RunSource | None]] = []
        entries: list[Fingerprints] = []
        for number, reference in enumerate(kernels.references):
            prints = kernels.of(number)
            documents.append((ComparedCode(reference.id, "kernel", (("", prints),)), None))
            entries.append(prints)
        for source in self._runs.values():
            if source.record.competition_id == competition_id:
                found = units(self._programs(source.folder.path) or (), template)
                programs = tuple(unit for unit in found if unit[0] != ALL_CODE)
                name = f"{source.plan.group}/{source.record.run_id}"
                documents += [(ComparedCode(name, "run", programs), source)] * len(found)
                entries += [prints for _, prints in found]
        reference = Reference("", competition_id)
        return template, make_index((reference, prints) for prints in entries), documents

    def _template_of_runs(self, competition_id: str) -> NDArray[np.uint64]:
        """Fingerprints of three agents and a tenth of the runs of other competitions."""
        # What only two agents have may be a copy: an agent that copies everywhere would be hidden.
        others = [s for s in self._runs.values() if s.record.competition_id != competition_id]
        step = max(1, len(others) // MAX_TEMPLATE_RUNS)
        entries = []
        by_agent: dict[AgentIdentity, list[NDArray[np.uint64]]] = {}
        for source in others[::step][:MAX_TEMPLATE_RUNS]:
            parts = [p.fingerprints for p in self._programs(source.folder.path) or ()]
            if parts:
                reference = Reference(source.record.run_id, source.record.competition_id)
                entries.append((reference, join_fingerprints(parts)))
                by_agent.setdefault(source.identity, []).append(entries[-1][1].hashes)
        known = [np.unique(np.concatenate(hashes)) for hashes in by_agent.values()]
        written, agents = np.unique(np.concatenate([NONE, *known]), return_counts=True)
        common = make_index(entries).template(competition_id)
        return np.intersect1d(common, written[agents >= TEMPLATE_AGENTS])


@contextmanager
def open_similarity(
    runs: Sequence[RunSource], options: IntegrityOptions
) -> Iterator[SimilarityCheck]:
    """The extension that compares code; parses the kernels."""
    with Fingerprinter() as fingerprinter:
        yield SimilarityCheck(runs, options, fingerprinter)


def _beside(runs: Sequence[RunSource]) -> Iterator[RunSource]:
    """The runs of all groups in the folders of these groups."""
    for folder in dict.fromkeys(source.group.path.parent for source in runs):
        with suppress(UsageError):
            yield from find_runs([folder])


def _describe(
    candidate: Candidate, programs: Sequence[PrintedProgram], template: NDArray[np.uint64]
) -> SimilarReference:
    """The entry of `integrity.json`, with the lines that match."""
    ranges: list[MatchedRange] = []
    longest = 0
    for program in programs:
        if candidate.unit not in (ALL_CODE, program.name):
            continue
        own = program.fingerprints.without(template)
        for name, prints in candidate.document.closest(own):
            match = compare(own, prints)
            longest = max(longest, match.longest)
            ranges += [
                MatchedRange(program.name, r.first, r.last, r.other_first, r.other_last, name)
                for r in match.ranges
            ]
    ranges.sort(key=lambda r: r.first - r.last)
    return SimilarReference(
        reference=candidate.document.name,
        similarity=round(candidate.overlap.similarity, 4),
        containment=round(candidate.overlap.containment, 4),
        ranges=tuple(sorted(ranges[:MAX_RANGES], key=lambda r: (r.file, r.first))),
        relation=candidate.document.relation,
        longest=longest,
    )


def _finding(
    evidence: Evidence, candidate: Candidate, entry: SimilarReference, *, more: int = 0
) -> IntegrityFinding:
    relation, overlap = candidate.document.relation, candidate.overlap
    what = "the public kernel" if relation == "kernel" else "the run"
    by_similarity = overlap.similarity >= REVIEW_SIMILARITY
    longest = sorted(entry.ranges, key=lambda r: r.first - r.last)[:3]
    return make_finding(
        CHECKS[relation],
        severity(candidate) or "review",
        f"{candidate.unit} resembles {what} {entry.reference}: similarity"
        f" {overlap.similarity:.2f}, {overlap.containment:.0%} of its code occurs there"
        + (f"; {more} more runs are similar" if more else ""),
        [_item(evidence, matched) for matched in longest],
        figure=entry.similarity if by_similarity else entry.containment,
        threshold=REVIEW_SIMILARITY if by_similarity else REVIEW_CONTAINMENT,
    )


def _item(evidence: Evidence, matched: MatchedRange) -> EvidenceItem:
    """The matching lines of a file; for programs inside other files, the file and the lines."""
    name, _, program = matched.file.partition("#")
    place = f"lines {matched.first} to {matched.last}"
    if program or not name.endswith(".py"):
        return EvidenceItem(name, quote=f"{place} of program {program or 1}")
    lines = read_start(evidence.root / name, MAX_RUN_BYTES)[0].splitlines(keepends=True)
    offset = sum(map(len, lines[: matched.first - 1]))
    text = b"".join(lines[matched.first - 1 : matched.last])
    digest = hashlib.sha256(text).hexdigest()
    return EvidenceItem(name, offset, len(text), digest, make_quote(text))


def _example_share(programs: Sequence[PrintedProgram]) -> Iterator[SimilarReference]:
    """Our own code in a run, which does not count as copied."""
    hashes = np.concatenate([NONE, *(p.fingerprints.hashes for p in programs)])
    shared = int(is_among(hashes, example_code()).sum())
    if shared >= MIN_SHARED and shared / len(hashes) >= REVIEW_CONTAINMENT:
        share = round(shared / len(hashes), 4)
        yield SimilarReference("agents and skeletons of mlebench", share, share, relation="example")
