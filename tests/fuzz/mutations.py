"""Mutated submissions: from a good file to one that is odd in one to four ways."""

from __future__ import annotations

import random
from collections.abc import Callable

CELLS = [
    b"", b"NA", b"null", b"None", b"nan", b"inf", b"-Infinity", b"1e999", b"-0", b"0x10",
    b"1_000", "٣".encode(), "\u200b7".encode(), b" 7", b"7 ", b"007", b"7.0", b"+7", b"1e1",
    b"True", b"false", b"18446744073709551616", b"-9223372036854775809", b"9007199254740993",
    b"9" * 400, b"1+2j", b'"', b'a"b', b'"a', b'""', b"'", b"1 1", b"1 1 1",
    b"1 100000000000000", b"18446744073709551616 1", b"-1 -1", b"0 0 0 0 0", b"1 0.5 0 0 1 1",
    b"[" * 50, b"{}", b"[1, 2]", b"x" * 5000, b"\xff", b"\xc3\x28", b"\x00", b";", b"\t",
    b"=1+1", b"1,5", b'"1,5"', b"a b c d e f", b"1 2 3 " * 200, b"0", b"1", b"-1", b"0.5",
]  # fmt: skip
Mutation = Callable[[list[bytes], random.Random], list[bytes]]


def _cell(lines: list[bytes], rng: random.Random) -> list[bytes]:
    row = rng.randrange(len(lines))
    cells = lines[row].split(b",")
    cells[rng.randrange(len(cells))] = rng.choice(CELLS)
    return [*lines[:row], b",".join(cells), *lines[row + 1 :]]


def _column(lines: list[bytes], rng: random.Random) -> list[bytes]:
    place, value = rng.randrange(lines[0].count(b",") + 1), rng.choice(CELLS)
    changed = [lines[0]]
    for line in lines[1:]:
        cells = line.split(b",")
        if place < len(cells):
            cells[place] = value
        changed.append(b",".join(cells))
    return changed


def _drop(lines: list[bytes], rng: random.Random) -> list[bytes]:
    start = rng.randrange(len(lines))
    return lines[:start] + lines[start + rng.choice([1, 1, 1, 5, 10**6]) :]


def _repeat(lines: list[bytes], rng: random.Random) -> list[bytes]:
    row = rng.randrange(len(lines))
    return lines[:row] + [lines[row]] * rng.choice([2, 2, 3, 50]) + lines[row + 1 :]


def _overwrite(lines: list[bytes], rng: random.Random) -> list[bytes]:
    """One row instead of another: an id twice, and one missing."""
    one, other = rng.randrange(len(lines)), rng.randrange(len(lines))
    return [*lines[:one], lines[other], *lines[one + 1 :]]


def _swap(lines: list[bytes], rng: random.Random) -> list[bytes]:
    rest = lines[1:]
    rng.shuffle(rest)
    return [lines[0], *rest]


def _widen(lines: list[bytes], rng: random.Random) -> list[bytes]:
    more = rng.choice([b",", b",x", b",1,2", b",a" * 200])
    if rng.random() < 0.5:
        return [line + more for line in lines[: rng.randrange(len(lines)) + 1]]
    return [lines[0], *(line + more for line in lines[1:])]


def _narrow(lines: list[bytes], rng: random.Random) -> list[bytes]:
    return [line.rpartition(b",")[0] if rng.random() < 0.5 else line for line in lines]


def _header(lines: list[bytes], rng: random.Random) -> list[bytes]:
    names = lines[0].split(b",")
    new = rng.choice(
        [
            names[::-1],
            names + names,
            [b" " + name for name in names],
            [name.upper() for name in names],
            [b"\xef\xbb\xbf" + names[0], *names[1:]],
            [b"\xef\xbb\xbf" * 2 + names[0], *names[1:]],
            [b'"' + name + b'"' for name in names],
            [names[0]] * len(names),
            [b"", *names],
            names[1:],
            [b"a"] * 3000,
        ]
    )
    return [b",".join(new), *lines[1:]]


def _bytes(lines: list[bytes], rng: random.Random) -> list[bytes]:
    text = bytearray(b"\n".join(lines) or b"\n")
    for _ in range(rng.choice([1, 1, 2, 20])):
        text[rng.randrange(len(text))] = rng.randrange(256)
    return bytes(text).split(b"\n")


def _cut(lines: list[bytes], rng: random.Random) -> list[bytes]:
    text = b"\n".join(lines)
    return text[: rng.randrange(len(text) + 1)].split(b"\n")


def _ends(lines: list[bytes], rng: random.Random) -> list[bytes]:
    end = rng.choice([b"\r", b"\r ", b"\x1a", b" ", b"\t"])
    return [line + end if rng.random() < 0.5 else line for line in lines]


def _blank(lines: list[bytes], rng: random.Random) -> list[bytes]:
    row = rng.randrange(len(lines) + 1)
    return lines[:row] + [rng.choice([b"", b" ", b",", b"#"])] * rng.choice([1, 2]) + lines[row:]


def _quotes(lines: list[bytes], rng: random.Random) -> list[bytes]:
    text = bytearray(b"\n".join(lines))
    for _ in range(rng.choice([1, 2, 3])):
        place = rng.randrange(len(text) + 1)
        text[place:place] = b'"'
    return bytes(text).split(b"\n")


def _encode(lines: list[bytes], rng: random.Random) -> list[bytes]:
    text = b"\n".join(lines).decode("utf-8", "replace")
    coding = rng.choice(["utf-16", "utf-16-le", "utf-32", "utf-8-sig", "cp037"])
    return text.encode(coding, "replace").split(b"\n")


MUTATIONS: list[Mutation] = [
    _cell, _cell, _cell, _cell, _column, _column, _drop, _repeat, _overwrite, _swap, _widen,
    _narrow, _header, _bytes, _cut, _ends, _blank, _quotes, _encode,
]  # fmt: skip


def mutated(text: bytes, rng: random.Random) -> bytes:
    """A file that is like `text`, or is not any more."""
    lines = text.rstrip(b"\n").split(b"\n")
    for _ in range(rng.choice([0, 1, 1, 1, 2, 2, 4])):
        lines = rng.choice(MUTATIONS)(lines, rng) or [b""]
    return b"\n".join(lines) + rng.choice([b"\n", b"\n", b"\n", b"", b"\r\n", b"\n\n"])
