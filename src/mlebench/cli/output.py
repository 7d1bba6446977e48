"""Printing: results to stdout, log to stderr; hostile text never reaches the terminal raw."""

from __future__ import annotations

import json
import logging
import os
import re
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from rich.console import Console

# Control characters, including escape sequences, and marks that change the direction of text.
UNSAFE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")
HINTED = re.compile(r"(?<=: )mlebench (?=[a-z])")
"""A command at the end of a hint, such as `next: mlebench view`."""

NONE = "—"


def safe(text: str) -> str:
    """Text that is safe for a terminal: control characters and direction marks are escaped."""
    return UNSAFE.sub(lambda found: found[0].encode("unicode_escape").decode(), text)


def counted(count: int, noun: str) -> str:
    """`1 file`, `2 files`."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def print_json(value: dict[str, Any]) -> None:
    """Print one JSON object with its `schema` to stdout."""
    click.echo(json.dumps(value, indent=2, allow_nan=False))


def print_table(head: Sequence[str], rows: Sequence[Sequence[Any]], *, right: str = "") -> None:
    """Columns two spaces apart; through a pipe tab-separated and uncut.

    Args:
        right: names of the right-aligned columns, separated by spaces.
    """
    cells = [[NONE if cell is None else safe(str(cell)) for cell in row] for row in rows]
    if not sys.stdout.isatty():
        for line in ([str(h) for h in head], *cells):
            click.echo("\t".join(line))
        return
    widths = [max(len(line[k]) for line in (list(head), *cells)) for k in range(len(head))]
    to_right = [name in right.split() for name in head]

    def laid_out(line: Sequence[str]) -> str:
        parts = (
            c.rjust(w) if r else c.ljust(w) for c, w, r in zip(line, widths, to_right, strict=True)
        )
        return "  ".join(parts).rstrip()

    click.secho(laid_out(list(head)), bold=True)
    for line in cells:
        click.echo(laid_out(line))


def note(message: str) -> None:
    """A line for the person at the terminal, on stderr; commands in it work as they are printed.

    Not `click.echo`: it bypasses the `sys.stderr` of a live display and writes into the bars.
    """
    text = safe(HINTED.sub(lambda found: f"{program()} ", message))
    print(text, file=sys.stderr, flush=True)


def live_console() -> Console:
    """The console of a live display; long lines printed above it can be copied: no line breaks."""
    from rich.console import Console

    return Console(stderr=True, soft_wrap=True)


def program() -> str:
    """What to type to call this program again: `mlebench` where the shell finds this very one."""
    called = Path(sys.argv[0])
    if called.name != "mlebench":
        return "mlebench" if shutil.which("mlebench") else f"{sys.executable} -m mlebench"
    found = shutil.which("mlebench")
    if found and Path(found).resolve() == called.resolve():
        return "mlebench"
    return os.path.relpath(called) if called.is_relative_to(Path.cwd()) else str(called)


def report_logger() -> logging.Logger:
    """The logger whose output other programs parse: a prefix, then JSON."""
    logger = logging.getLogger("mlebench.report")
    if not logger.handlers:
        handler = logging.StreamHandler(sys.stderr)
        handler.setFormatter(
            logging.Formatter("[%(asctime)s] [%(filename)s:%(lineno)d] %(message)s")
        )
        logger.addHandler(handler)
        logger.setLevel(logging.INFO)
        logger.propagate = False
    return logger


def gigabytes(size: float | None) -> str | None:
    """A size in GB for a table."""
    if size is None:
        return None
    return f"{size:,.1f}" if size >= 1 else f"{size:.3f}"
