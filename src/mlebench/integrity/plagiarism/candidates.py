"""The references that a run's code resembles: which programs, how much, and how serious it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from mlebench.integrity.plagiarism.fingerprints import Fingerprints
from mlebench.integrity.plagiarism.index import FingerprintIndex, Overlap
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
"""Fewer common fingerprints, of about 25 lines, are no sign of copying."""

ALL_CODE = "all code"
MAX_SHOWN = 10


@dataclass(frozen=True)
class ComparedCode:
    """A kernel or a run, with the programs that it consists of."""

    name: str
    relation: Relation
    programs: tuple[tuple[str, Fingerprints], ...]


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
        units.append((ALL_CODE, joined([prints for _, prints in units])))
    return [unit for unit in units if len(unit[1])]


def joined(parts: Sequence[Fingerprints]) -> Fingerprints:
    fields = ("hashes", "first", "last")
    return Fingerprints(*(np.concatenate([getattr(p, f) for p in parts]) for f in fields))


def search(
    units: Sequence[tuple[str, Fingerprints]],
    references: FingerprintIndex,
    documents: Sequence[tuple[ComparedCode, RunSource | None]],
    source: RunSource,
) -> list[Candidate]:
    """The best figures with each document, the highest first."""
    best: dict[str, Candidate] = {}
    for unit, prints in units:
        for overlap in references.overlaps(prints):
            document, other = documents[overlap.number]
            if other is not None and _is_no_source(other, source):
                continue
            if other is not None and other.identity == source.identity:
                document = ComparedCode(document.name, "sibling", document.programs)
            candidate = Candidate(document, overlap, unit)
            known = best.get(document.name)
            if known is None or _rank(candidate) > _rank(known):
                best[document.name] = candidate
    kept = [c for c in best.values() if c.figure >= SHOWN and c.overlap.shared >= MIN_SHARED]
    ordered = sorted(kept, key=_rank, reverse=True)
    return [c for c in ordered if severity(c)][: 2 * MAX_SHOWN] + [
        c for c in ordered if not severity(c)
    ][:MAX_SHOWN]


def _is_no_source(other: RunSource, source: RunSource) -> bool:
    """Whether a run cannot be the source: it is the same run, or it had not ended by then."""
    if other.folder == source.folder:
        return True
    is_sibling = other.identity == source.identity
    ended, started = other.record.ended_at or "", source.record.started_at or ""
    return not is_sibling and bool(started) and ended > started


def severity(candidate: Candidate) -> Literal["review", "strong"] | None:
    """The severity by its figures; a person decides which of two runs copied, or both a third."""
    overlap = candidate.overlap
    found = flag(overlap.similarity, overlap.containment, overlap.shared)
    return "review" if found and candidate.document.relation == "run" else found


def _rank(candidate: Candidate) -> tuple[int, float, int]:
    order = (None, "review", "strong").index(severity(candidate))
    return order, candidate.figure, candidate.overlap.shared
