"""Python code as tokens that do not depend on names, literals, comments and layout.

The tokens are those of Dolos: every named node of tree-sitter's syntax tree is an opening bracket,
the type of the node, the tokens of its children, and a closing bracket; comments are left out.
Without tree-sitter the standard `tokenize` is used, whose fingerprints are not comparable.
"""

from __future__ import annotations

import io
import re
import tokenize
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module, metadata
from keyword import iskeyword
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

MAX_RESTARTS = 100
"""How many times `tokenize` continues in the line after an error."""

BLOCK_BYTES = 256 << 10
"""Longer programs are parsed in parts: a parser may search far for the end of an error."""

MAX_ERROR_BYTES = 512 << 10
"""A text with more bytes inside syntax errors is not code; a parser needs seconds for each MB."""

TOP_LEVEL = re.compile(rb"\n(?=[^\s)\]}#])")
LEFT_OUT = -1
OPENED, CLOSED, ERROR = range(3)
BRACKETS = ("(", ")", "ERROR")
LAYOUT = {
    tokenize.COMMENT,
    tokenize.NL,
    tokenize.ENCODING,
    tokenize.ENDMARKER,
    tokenize.ERRORTOKEN,
}
CLASSES = {tokenize.NUMBER: "0", tokenize.STRING: "S", tokenize.NEWLINE: "newline"}
CLASSES |= {tokenize.INDENT: "indent", tokenize.DEDENT: "dedent"}


@dataclass(frozen=True)
class Tokens:
    """The tokens of a program."""

    names: tuple[str, ...]
    """The different tokens."""

    words: NDArray[np.intp]
    """For each token of the program, the index of its name."""

    lines: NDArray[np.int32]
    """The line of each token, from 1; it never decreases."""

    errors: int = 0
    """Bytes inside syntax errors."""


@dataclass(frozen=True)
class Tokenizer:
    """Turns code into tokens."""

    name: str
    """With its version: fingerprints of different tokenizers are not comparable."""

    read: Callable[[bytes], Tokens]


@lru_cache(maxsize=1)
def find_tokenizer() -> Tokenizer:
    """tree-sitter if the extra `integrity` is installed, else the standard library's."""
    try:
        grammar, parsing = import_module("tree_sitter_python"), import_module("tree_sitter")
    except ImportError:
        return Tokenizer("tokenize", read_standard_tokens)
    language = parsing.Language(grammar.language())
    version = metadata.version("tree-sitter-python").rpartition(".")[0]
    kinds = [
        language.node_kind_for_id(number) if language.node_kind_is_named(number) else "comment"
        for number in range(language.node_kind_count)
    ]
    reader = _TreeReader(parsing.Parser(language), kinds)
    return Tokenizer(f"tree-sitter-python {version}", reader.read)


class _TreeReader:
    """Reads the named nodes of a syntax tree."""

    def __init__(self, parser: Any, kinds: Sequence[str]) -> None:
        self._parser = parser
        names = [*BRACKETS, *sorted({kind for kind in kinds if kind != "comment"})]
        numbers = {name: number for number, name in enumerate(names)}
        self._words = {number: numbers.get(kind, LEFT_OUT) for number, kind in enumerate(kinds)}
        self._names = names

    def read(self, code: bytes) -> Tokens:
        """The tokens, up to the point where too much of the text is not Python."""
        words, rows, errors, row = array("H"), array("i"), 0, 0
        for block in split_blocks(code):
            errors += min(len(block), self._read_block(block, row, words, rows))
            row += block.count(b"\n")
            if errors > MAX_ERROR_BYTES:
                break
        return _make_tokens(self._names, words, rows, errors)

    def _read_block(self, code: bytes, row: int, words: array[int], rows: array[int]) -> int:
        """Add the tokens; an explicit loop, because nested code would overflow the stack."""
        found, errors = self._words, 0
        cursor = self._parser.parse(code).walk()
        while True:
            node = cursor.node
            word = found.get(node.kind_id, ERROR)
            if word == ERROR:
                errors += node.end_byte - node.start_byte
            if word != LEFT_OUT:
                first = row + node.start_point[0]
                words.extend((OPENED, word))
                rows.extend((first, first))
            if cursor.goto_first_child():
                continue
            while True:
                node = cursor.node
                if found.get(node.kind_id, ERROR) != LEFT_OUT:
                    words.append(CLOSED)
                    rows.append(row + node.end_point[0])
                if cursor.goto_next_sibling():
                    break
                if not cursor.goto_parent():
                    return errors


def split_blocks(code: bytes) -> Iterator[bytes]:
    """The code in parts that begin with a line without indentation, where there is one."""
    start = 0
    while len(code) - start > BLOCK_BYTES:
        found = TOP_LEVEL.search(code, start + BLOCK_BYTES, start + 2 * BLOCK_BYTES)
        stop = found.start() + 1 if found else start + 2 * BLOCK_BYTES
        yield code[start:stop]
        start = stop
    yield code[start:]


def read_standard_tokens(code: bytes) -> Tokens:
    """Names, numbers and strings as one token each; keywords and operators as they are.

    After an error it continues in the next line.
    """
    lines = code.decode("utf-8", "replace").splitlines(keepends=True)
    numbers: dict[str, int] = {}
    words, rows = array("H"), array("i")
    first = 0
    for _ in range(MAX_RESTARTS):
        reached = first
        reader = io.StringIO("".join(lines[first:])).readline
        with suppress(tokenize.TokenError, SyntaxError):
            for token in tokenize.generate_tokens(reader):
                reached = first + token.end[0] - 1
                if token.type not in LAYOUT:
                    words.append(numbers.setdefault(_word(token), len(numbers)))
                    rows.append(first + token.start[0] - 1)
            break
        first = reached + 1
    return _make_tokens(numbers, words, rows)


def _word(token: tokenize.TokenInfo) -> str:
    if token.type == tokenize.NAME:
        return token.string if iskeyword(token.string) else "N"
    if token.type == tokenize.OP:
        return token.string
    return CLASSES.get(token.type, tokenize.tok_name[token.type])


def _make_tokens(
    names: Iterable[str], words: array[int], rows: array[int], errors: int = 0
) -> Tokens:
    lines = np.maximum.accumulate(np.array(rows, np.int32) + 1)
    return Tokens(tuple(names), np.array(words, np.intp), lines, errors)
