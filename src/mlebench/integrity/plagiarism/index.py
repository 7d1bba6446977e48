"""An index of reference programs on disk: their ids and fingerprints, no code.

A file in numpy's format `.npz` with the arrays of all programs one after the other, and a header in
JSON. It may be shared: code cannot be restored from hashes of 23 tokens.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import numpy as np

from mlebench.errors import DataError, UsageError
from mlebench.integrity.plagiarism.fingerprints import (
    LENGTH,
    WINDOW,
    Fingerprints,
    join_fingerprints,
)
from mlebench.integrity.plagiarism.tokens import find_tokenizer
from mlebench.records.codec import RecordFormat, encode, read_bytes
from mlebench.system.files import write_atomically

if TYPE_CHECKING:
    from numpy.typing import NDArray

SCHEMA = 1
TEMPLATE_SHARE = 0.10
"""Share of the programs of other competitions that makes a fingerprint common knowledge."""

MIN_OTHERS = 20
"""With fewer programs of other competitions, such a share is meaningless."""


class Reference(msgspec.Struct, frozen=True):
    """A program that agents' code is compared with."""

    id: str
    competition_id: str
    digest: str = ""
    """Of the file's bytes: a file that has not changed is not parsed again."""


class IndexHeader(msgspec.Struct, frozen=True):
    """How the fingerprints of an index were made, and whose they are."""

    tokenizer: str
    length: int
    window: int
    references: tuple[Reference, ...] = ()
    schema: int = SCHEMA


_HEADER = RecordFormat(IndexHeader, SCHEMA)


@dataclass(frozen=True)
class Overlap:
    """What one program has in common with a reference."""

    number: int
    similarity: float
    containment: float
    shared: int


Best = Callable[..., "NDArray[np.int_]"]


@dataclass(frozen=True)
class FingerprintIndex:
    """References and the fingerprints of all of them."""

    references: tuple[Reference, ...]
    prints: Fingerprints
    offsets: NDArray[np.int64]
    """Where the fingerprints of each reference begin, and the end of the last one."""

    def of(self, number: int) -> Fingerprints:
        """The fingerprints of one reference."""
        return self.prints.take(slice(self.offsets[number], self.offsets[number + 1]))

    @cached_property
    def _sorted(self) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
        """All hashes in order, and the references that they belong to."""
        hashes = self.prints.hashes
        order = np.argsort(hashes, kind="stable")
        owners = np.repeat(np.arange(len(self.references)), np.diff(self.offsets))
        return hashes[order], owners[order]

    def template(self, competition_id: str) -> NDArray[np.uint64]:
        """The sorted hashes that a tenth of the references of other competitions have."""
        is_other = np.array([r.competition_id != competition_id for r in self.references], np.bool_)
        others = int(is_other.sum())
        if others < MIN_OTHERS:
            return np.empty(0, np.uint64)
        hashes, owners = self._sorted
        kept = is_other[owners]
        hashes, owners = hashes[kept], owners[kept]
        once = is_first(hashes) | is_first(owners)
        hashes = hashes[once]
        starts = np.flatnonzero(is_first(hashes))
        count = np.diff(np.append(starts, len(hashes)))
        return hashes[starts[count >= TEMPLATE_SHARE * others]]

    def select(self, competition_id: str, template: NDArray[np.uint64]) -> FingerprintIndex:
        """The references of one competition without a template, which is sorted."""
        return make_index(
            (reference, self.of(number).without(template))
            for number, reference in enumerate(self.references)
            if reference.competition_id == competition_id
        )

    def overlaps(self, program: Fingerprints, best: Best | None = None) -> list[Overlap]:
        """The references that have something in common with a program, in their order.

        Args:
            best: selects some of them by their numbers, similarities, containments and counts.
        """
        wanted, times = np.unique(program.hashes, return_counts=True)
        hashes, owners = self._sorted
        begin = np.searchsorted(hashes, wanted, "left")
        count = np.searchsorted(hashes, wanted, "right") - begin
        which = np.repeat(np.arange(len(wanted)), count)
        found = owners[np.arange(len(which)) + (begin - np.cumsum(count) + count)[which]]
        once = is_first(which) | is_first(found)
        number = len(self.references)
        theirs = np.bincount(found, minlength=number)
        ours = np.bincount(found[once], times[which[once]], minlength=number)
        places = np.flatnonzero(ours)
        shared = ours[places]
        similarity = (shared + theirs[places]) / (len(program) + np.diff(self.offsets)[places])
        containment = shared / max(1, len(program))
        chosen = np.arange(len(places))
        if best is not None:
            chosen = best(places, similarity, containment, shared)
        return [
            Overlap(int(places[k]), float(similarity[k]), float(containment[k]), int(shared[k]))
            for k in chosen
        ]

    def write(self, path: Path) -> None:
        """Replace the file in one step."""
        header = IndexHeader(find_tokenizer().name, LENGTH, WINDOW, self.references)
        stream = io.BytesIO()
        np.savez(
            stream,
            header=np.frombuffer(encode(header), np.uint8),
            hashes=self.prints.hashes,
            first=self.prints.first,
            last=self.prints.last,
            offsets=self.offsets,
        )
        write_atomically(path, stream.getvalue())


def is_first(values: NDArray[np.generic]) -> NDArray[np.bool_]:
    """Which values of an array differ from the one before."""
    found = np.ones(len(values), np.bool_)
    found[1:] = values[1:] != values[:-1]
    return found


def make_index(entries: Iterable[tuple[Reference, Fingerprints]]) -> FingerprintIndex:
    """An index of these references."""
    found = list(entries)
    parts = [fingerprints for _, fingerprints in found]
    return FingerprintIndex(
        references=tuple(reference for reference, _ in found),
        prints=join_fingerprints(parts),
        offsets=np.cumsum([0, *map(len, parts)]).astype(np.int64),
    )


def read_index(path: Path) -> FingerprintIndex:
    """Read an index.

    Raises:
        DataError: it is missing or damaged.
        UsageError: its fingerprints cannot be compared with those that are made here.
    """
    data = read_bytes(path)
    try:
        with np.load(io.BytesIO(data), allow_pickle=False) as arrays:
            header = _HEADER.decode(arrays["header"].tobytes(), path)
            prints = Fingerprints(arrays["hashes"], arrays["first"], arrays["last"])
            index = FingerprintIndex(header.references, prints, arrays["offsets"])
        _check_shapes(index)
    except (ValueError, KeyError, EOFError, zipfile.BadZipFile, OSError) as error:
        raise DataError(f"{path} is not an index of fingerprints: {error}") from None
    ours = (find_tokenizer().name, LENGTH, WINDOW)
    if (header.tokenizer, header.length, header.window) != ours:
        raise UsageError(
            f"{path} was made with {header.tokenizer}, this installation uses {ours[0]}",
            hint="make it again from the folder of kernels, or install mlebench[integrity]",
        )
    return index


def _check_shapes(index: FingerprintIndex) -> None:
    prints, ends = index.prints, index.offsets
    kinds = [array.dtype for array in (prints.hashes, prints.first, prints.last, ends)]
    if kinds != [np.uint64, np.int32, np.int32, np.int64]:
        raise ValueError("its arrays have other types than expected")
    if not len(prints) == len(prints.first) == len(prints.last):
        raise ValueError("its arrays differ in length")
    if len(ends) != len(index.references) + 1 or ends[0] != 0 or ends[-1] != len(prints):
        raise ValueError("its offsets do not fit its references")
    if (np.diff(ends) < 0).any():
        raise ValueError("its offsets decrease")
