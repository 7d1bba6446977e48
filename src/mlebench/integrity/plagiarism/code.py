"""Collect Python code as text: files, code cells of notebooks, programs that an agent executed.

Nothing is executed or imported. Everything here runs in a confined child.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mlebench.integrity.evidence import load_json

MAX_RUN_BYTES = 5 << 20
"""Of all code of a run, or of one reference."""

MAX_CELLS = 20_000
MIN_LINES = 3
"""Shorter programs have nothing to compare."""

PYTHON = (".py", ".ipynb")
MAGIC = re.compile(r"^([ \t]*)(?:%{1,2}[A-Za-z]|!|\?).*$", re.MULTILINE)
OTHER_LANGUAGE = re.compile(r"\s*%%(?!time|timeit|capture|prun)\w+")
HEREDOC = re.compile(r"<<-?[ \t]*['\"]?(\w+)['\"]?[^\n]*\n(.*?)\n[ \t]*\1\b", re.DOTALL)


@dataclass(frozen=True)
class CodeText:
    """Code with the place where it was found."""

    name: str
    """The file inside the run's folder; `#3` for the third program that a file records."""

    text: bytes


@dataclass
class Collection:
    """Different programs up to a limit."""

    limit: int = MAX_RUN_BYTES
    programs: list[CodeText] = field(default_factory=list)
    left_out: int = 0
    """Programs beyond the limit."""

    _seen: set[bytes] = field(default_factory=set)

    def add(self, program: CodeText) -> None:
        """Keep a program, unless an equal one was found before."""
        digest = hashlib.blake2b(program.text.strip(), digest_size=16).digest()
        if digest in self._seen or program.text.count(b"\n") + 1 < MIN_LINES:
            return
        self._seen.add(digest)
        if len(program.text) > self.limit:
            self.left_out += 1
            return
        self.limit -= len(program.text)
        self.programs.append(program)


def read_code(name: str, data: bytes) -> bytes:
    """The Python code of a file: of a notebook its code cells, with magics as `pass`."""
    return notebook_code(data) if Path(name).suffix.lower() == ".ipynb" else data


def notebook_code(data: bytes) -> bytes:
    """The code cells one after the other; empty if it is not a notebook."""
    notebook = load_json(data)
    cells = notebook.get("cells") if isinstance(notebook, dict) else None
    texts = [_cell_code(cell) for cell in cells[:MAX_CELLS]] if isinstance(cells, list) else []
    return "\n".join(filter(None, texts)).encode("utf-8", "replace")


def _cell_code(cell: Any) -> str:
    if not isinstance(cell, dict) or cell.get("cell_type") != "code":
        return ""
    source = cell.get("source")
    if isinstance(source, list):
        source = "".join(part for part in source if isinstance(part, str))
    if not isinstance(source, str):
        return ""
    if OTHER_LANGUAGE.match(source):
        return "pass\n"
    return MAGIC.sub(r"\1pass", source).rstrip() + "\n"


def executed_programs(name: str, texts: Iterable[str]) -> Iterator[CodeText]:
    """The programs among the texts that an agent executed, with those inside shell commands."""
    number = 0
    for text in texts:
        for program in (text, *(body for _, body in HEREDOC.findall(text))):
            if program.count("\n") + 1 >= MIN_LINES:
                number += 1
                yield CodeText(f"{name}#{number}", program.encode("utf-8", "replace"))
