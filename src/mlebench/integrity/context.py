"""What a check can look at: the evidence of a run, its competition, the runs around it."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from mlebench.integrity.claims import StatedScore, best_of, comparable, find_claims
from mlebench.integrity.compressed import Unpacker
from mlebench.integrity.conversation import Kind
from mlebench.integrity.disguises import decoded
from mlebench.integrity.evidence import Evidence, Passage, read_start
from mlebench.integrity.patterns import patterns_of
from mlebench.integrity.search import PROGRAM, Hit, WordSearch
from mlebench.records.canary import read_canary

if TYPE_CHECKING:
    from mlebench.catalogue import LocatedCompetition

MAX_TABLE_BYTES = 64 << 20
MAX_CELL = 200
MAX_DECODED_BYTES = 6 << 20
MAX_TEXT_BYTES = 12 << 20


class SkipCheck(Exception):
    """A check cannot be made for this run; the text says why."""


@dataclass(frozen=True)
class OtherRun:
    """Facts about another run that is checked at the same time."""

    run_id: str
    group: str
    agent: str
    """Its identity: name, version, digest and model."""

    likeness: str
    """How its submission resembles that of this run."""

    is_sure: bool = True
    """False if two models of an easy task, or of one family, may agree this closely."""


@dataclass(frozen=True)
class PublicLikeness:
    """How the submission resembles a known public one."""

    name: str
    equal: float | None
    """The share of equal cells."""

    rank_correlation: float | None


@dataclass
class CheckContext:
    """The input of every check."""

    evidence: Evidence
    competition: LocatedCompetition | None = None
    """None if it is not in the catalogue of this machine."""

    similar_submissions: tuple[OtherRun, ...] = ()
    """Earlier runs of other agents whose submission this one may be a copy of."""

    figures: dict[str, float | None] = field(default_factory=dict)
    """How the submission compares with sample and answers, as the grader's child found it."""

    public: tuple[PublicLikeness, ...] = ()
    """Known public submissions that resemble it most."""

    lost_runs: tuple[str, ...] = ()
    """Runs that the group planned or graded, and that are not there any more."""

    @cached_property
    def passages(self) -> list[Passage]:
        """Saved and executed programs, with what is hidden in them, and messages."""
        small = self.evidence.small_passages
        programs = within(self.evidence.programs, MAX_DECODED_BYTES)
        return [*small, *(inner for passage in programs for inner in decoded(passage))]

    @cached_property
    def hits(self) -> list[Hit]:
        """The hits of all patterns, found in one pass over everything that the run left."""
        canary = read_canary(self.evidence.source.folder.canary)
        search = WordSearch(patterns_of(self.competition, canary.id if canary else None))
        return search.find(self._all_passages())

    def _all_passages(self) -> Iterator[Passage]:
        unpacker = Unpacker()
        yield from self.passages
        yield from unpacker.unpack(p for p in self.passages if p.kind not in PROGRAM)
        for passage in self.evidence.pieces("host/agent.log", "output"):
            yield passage
            yield from unpacker.unpack([passage])
        yield from self.evidence.pieces("host/submission.csv", "submission")

    def texts(self, *kinds: Kind) -> Iterator[Passage]:
        """Passages of these kinds for expressions, which are slower than the search for words."""
        return within((p for p in self.passages if p.kind in kinds), MAX_TEXT_BYTES)

    def hits_of(self, check: str) -> list[Hit]:
        return [hit for hit in self.hits if hit.pattern.check == check]

    @cached_property
    def claims(self) -> list[StatedScore]:
        """Validation scores that programs printed or the model stated."""
        log = list(self.evidence.pieces("host/agent.log", "output"))
        return find_claims([*self.texts("output", "model"), *log[:4], *log[-4:]])

    @cached_property
    def best_claim(self) -> float | None:
        """The best stated score that is comparable with the run's own."""
        report = self.evidence.report
        if report is None:
            return None
        is_lower = report.is_lower_better
        return best_of(self.comparable(self.claims), is_lower_better=is_lower)

    def comparable(self, claims: Iterable[StatedScore]) -> list[float]:
        """Those of some stated scores that are of the competition's metric, in their order."""
        report, metric = self.evidence.report, ""
        if self.competition is not None:
            metric = self.competition.definition.metric.name.lower().replace(" ", "_")
        is_lower = bool(report and report.is_lower_better)
        return comparable(claims, metric, is_lower_better=is_lower)

    @cached_property
    def sample(self) -> list[list[str]]:
        """The sample submission, with its head."""
        if self.competition is None:
            return []
        data, _ = read_start(self.competition.sample_submission, MAX_TABLE_BYTES)
        return parse_rows(data)

    @cached_property
    def submission(self) -> list[list[str]]:
        """The sealed submission, with its head."""
        data, _ = read_start(self.evidence.source.folder.sealed_submission, MAX_TABLE_BYTES)
        return parse_rows(data)


def within(passages: Iterable[Passage], limit: int) -> Iterator[Passage]:
    """The first passages, up to a number of bytes."""
    for passage in passages:
        limit -= len(passage.text)
        if limit < 0:
            return
        yield passage


def parse_rows(data: bytes) -> list[list[str]]:
    """The cells of a CSV file, up to the first damaged row."""
    text = data.decode("utf-8", "replace").replace("\0", "")
    found = []
    try:
        for row in csv.reader(io.StringIO(text, newline="")):
            if row:
                found.append([cell[:MAX_CELL] for cell in row])
    except csv.Error:
        pass
    return found
