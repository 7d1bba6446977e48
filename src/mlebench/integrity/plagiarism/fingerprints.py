"""Fingerprints of programs by winnowing (Schleimer, Wilkerson and Aiken 2003), as Dolos uses it.

Of every 17 consecutive sequences of 23 tokens one is selected, so that every run of 39 tokens that
two programs share has a common fingerprint. The selected one is the first in an order that Dolos'
rolling hash defines: with the same selection our figures are those of Dolos. That hash has only 25
bits; a fingerprint is the 64-bit BLAKE2b hash of its tokens.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from mlebench.integrity.plagiarism.tokens import Tokens, find_tokenizer

if TYPE_CHECKING:
    from numpy.typing import NDArray

LENGTH = 23
"""Tokens of one fingerprint."""

WINDOW = 17
MODULUS = 33_554_393
TOKEN_BASE = 747_287
SEQUENCE_BASE = 4_194_301
LAST = np.iinfo(np.uint64).max


@dataclass(frozen=True)
class Fingerprints:
    """The selected sequences of a program in their order."""

    hashes: NDArray[np.uint64]
    first: NDArray[np.int32]
    """The line where each begins, from 1."""

    last: NDArray[np.int32]
    """The line where each ends, inclusive."""

    def __len__(self) -> int:
        return len(self.hashes)

    def without(self, template: NDArray[np.uint64]) -> Fingerprints:
        """Those that are not in a sorted array of hashes."""
        return self.take(~is_among(self.hashes, template))

    def take(self, which: slice | NDArray[np.bool_]) -> Fingerprints:
        """Some of them."""
        return Fingerprints(self.hashes[which], self.first[which], self.last[which])


def join_fingerprints(parts: Sequence[Fingerprints]) -> Fingerprints:
    """The fingerprints of several programs, one after the other."""
    return Fingerprints(
        np.concatenate([np.empty(0, np.uint64), *(part.hashes for part in parts)]),
        np.concatenate([np.empty(0, np.int32), *(part.first for part in parts)]),
        np.concatenate([np.empty(0, np.int32), *(part.last for part in parts)]),
    )


def fingerprint(code: bytes) -> Fingerprints:
    """The fingerprints of a program, which may be damaged or empty."""
    return winnow(find_tokenizer().read(code))


def winnow(tokens: Tokens) -> Fingerprints:
    """Select fingerprints; at the beginning, windows with fewer sequences count as well."""
    order = order_sequences(tokens)
    if not len(order):
        return Fingerprints(order, np.empty(0, np.int32), np.empty(0, np.int32))
    padded = np.concatenate([np.full(WINDOW - 1, LAST, np.uint64), order])
    # The last one of equal values, as Dolos selects it.
    back = sliding_window_view(padded, WINDOW)[:, ::-1].argmin(axis=1)
    chosen = np.unique(np.arange(len(order)) - back)
    hashes = _hash_sequences(tokens, chosen)
    return Fingerprints(hashes, tokens.lines[chosen], tokens.lines[chosen + LENGTH - 1])


def order_sequences(tokens: Tokens) -> NDArray[np.uint64]:
    """The value of every sequence of 23 tokens by which Dolos selects."""
    values = np.array([_token_value(name) for name in tokens.names], np.uint64)[tokens.words]
    count = max(0, len(values) - LENGTH + 1)
    total = np.zeros(count, np.uint64)
    for place in range(LENGTH):
        total *= np.uint64(SEQUENCE_BASE)
        total += values[place : place + count]
        total %= np.uint64(MODULUS)
    return total


def _token_value(name: str) -> int:
    value = 0
    for letter in name.encode():
        value = (value + letter) * TOKEN_BASE % MODULUS
    return value


def _hash_sequences(tokens: Tokens, starts: NDArray[np.int_]) -> NDArray[np.uint64]:
    """The hashes of the sequences that begin at these tokens."""
    short = [hashlib.blake2b(name.encode(), digest_size=4).digest() for name in tokens.names]
    named = np.frombuffer(b"".join(short), np.uint32)[tokens.words]
    data = memoryview(named.tobytes())
    step = named.itemsize
    digests = [
        hashlib.blake2b(data[start * step : (start + LENGTH) * step], digest_size=8).digest()
        for start in starts.tolist()
    ]
    return np.frombuffer(b"".join(digests), np.uint64)


def is_among(values: NDArray[np.uint64], known: NDArray[np.uint64]) -> NDArray[np.bool_]:
    """Which values occur in a sorted array."""
    if not len(known):
        return np.zeros(len(values), np.bool_)
    place = np.minimum(np.searchsorted(known, values), len(known) - 1)
    found: NDArray[np.bool_] = known[place] == values
    return found
