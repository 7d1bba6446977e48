"""The references that a run's code resembles: which programs, how much, and how serious it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING, Literal

import numpy as np

from mlebench.integrity.plagiarism.fingerprints import Fingerprints, join_fingerprints
from mlebench.integrity.plagiarism.index import (
    FingerprintIndex,
    Overlap,
    Reference,
    make_index,
)
from mlebench.integrity.plagiarism.worker import PrintedProgram
from mlebench.integrity.sources import RunSource
from mlebench.records.integrity import Relation

if TYPE_CHECKING:
    from numpy.typing import NDArray

REVIEW_SIMILARITY = 0.60
REVIEW_CONTAINMENT = 0.50
STRONG = 0.85
SHOWN = 0.20
"""Smaller figures are what independent solutions have in common."""

MIN_SHARED = 20
"""Fewer common fingerprints, of about 25 lines, are not a sign of copying."""

ALL_CODE = "all code"
MAX_SHOWN = 10
MAX_CLOSEST = 4
"""Programs of a document whose lines are shown beside one program of the run."""


@dataclass(frozen=True)
class ComparedCode:
    """A kernel or a run, with the programs that it consists of."""

    name: str
    relation: Relation
    programs: tuple[tuple[str, Fingerprints], ...]

    @cached_property
    def _index(self) -> FingerprintIndex:
        return make_index((Reference(name, ""), prints) for name, prints in self.programs)

    def closest(self, prints: Fingerprints) -> list[tuple[str, Fingerprints]]:
        """The programs that have most in common with another one; comparing all takes too long."""
        found = sorted(self._index.overlaps(prints), key=lambda o: (-o.shared, o.number))
        return [self.programs[overlap.number] for overlap in found[:MAX_CLOSEST]]


@dataclass(frozen=True)
class Candidate:
    """The best figures of a run and a document."""

    document: ComparedCode
    overlap: Overlap
    unit: str
    """The program that the figures are about; `all code` for all of them."""

    @property
    def figure(self) -> float:
        return max(self.overlap.similarity, self.overlap.containment)


def flag(similarity: float, containment: float, shared: int) -> Literal["review", "strong"] | None:
    """How urgently a person should review it; never a violation by itself."""
    if shared < MIN_SHARED:
        return None
    if max(similarity, containment) >= STRONG:
        return "strong"
    is_similar = similarity >= REVIEW_SIMILARITY or containment >= REVIEW_CONTAINMENT
    return "review" if is_similar else None


def units(
    programs: Sequence[PrintedProgram], template: NDArray[np.uint64]
) -> list[tuple[str, Fingerprints]]:
    """Each program without the template, and all of them as one."""
    units = [(program.name, program.fingerprints.without(template)) for program in programs]
    if len(units) > 1:
        units.append((ALL_CODE, join_fingerprints([prints for _, prints in units])))
    return [unit for unit in units if len(unit[1])]


def search(
    units: Sequence[tuple[str, Fingerprints]],
    references: FingerprintIndex,
    documents: Sequence[tuple[ComparedCode, RunSource | None]],
    source: RunSource,
) -> list[Candidate]:
    """The best figures with each document, the highest first."""
    best: dict[str, Candidate] = {}
    by_name = {document.name: (document, other) for document, other in documents}
    compared = {name: _related(*found, source) for name, found in by_name.items()}
    numbers = {name: number for number, name in enumerate(compared)}
    owners = np.array([numbers[document.name] for document, _ in documents], np.int_)
    for unit, prints in units:
        for overlap in references.overlaps(prints, partial(_best_of_each, owners)):
            document = compared[documents[overlap.number][0].name]
            if document is None:
                continue
            candidate = Candidate(document, overlap, unit)
            known = best.get(document.name)
            if known is None or _rank(candidate) > _rank(known):
                best[document.name] = candidate
    ordered = sorted(best.values(), key=_rank, reverse=True)
    return [c for c in ordered if severity(c)][: 2 * MAX_SHOWN] + [
        c for c in ordered if not severity(c)
    ][:MAX_SHOWN]


def _best_of_each(
    owners: NDArray[np.int_],
    places: NDArray[np.int_],
    similarity: NDArray[np.float64],
    containment: NDArray[np.float64],
    shared: NDArray[np.float64],
) -> NDArray[np.int_]:
    """The best figures with each document, as `_rank` orders them, without what is not shown."""
    figure = np.maximum(similarity, containment)
    kept = np.flatnonzero((figure >= SHOWN) & (shared >= MIN_SHARED))
    figure, similarity = figure[kept], similarity[kept]
    is_review = (similarity >= REVIEW_SIMILARITY) | (containment[kept] >= REVIEW_CONTAINMENT)
    level = is_review.astype(int) + (figure >= STRONG)
    own = owners[places[kept]]
    order = np.lexsort((similarity, shared[kept], figure, level, own))
    is_last = np.append(np.diff(own[order]) != 0, True)[: len(order)]
    chosen: NDArray[np.int_] = kept[order[is_last]]
    return chosen


def _related(
    document: ComparedCode, other: RunSource | None, source: RunSource
) -> ComparedCode | None:
    """The document with its relation to a run; None if the run cannot have copied from it."""
    if other is None:
        return document
    if _is_no_source(other, source):
        return None
    if other.identity == source.identity:
        return ComparedCode(document.name, "sibling", document.programs)
    return document


def _is_no_source(other: RunSource, source: RunSource) -> bool:
    """Whether a run cannot be the source: it is the same run, or ended too late."""
    if other.folder == source.folder:
        return True
    is_sibling = other.identity == source.identity
    ended, started = other.record.ended_at or "", source.record.started_at or ""
    return not is_sibling and bool(started) and ended > started


def severity(candidate: Candidate) -> Literal["review", "strong"] | None:
    """The severity by the figures; a person decides which run copied, or whether both did."""
    overlap = candidate.overlap
    found = flag(overlap.similarity, overlap.containment, overlap.shared)
    return "review" if found and candidate.document.relation == "run" else found


def _rank(candidate: Candidate) -> tuple[int, float, int, float]:
    order = (None, "review", "strong").index(severity(candidate))
    overlap = candidate.overlap
    return order, candidate.figure, overlap.shared, overlap.similarity
