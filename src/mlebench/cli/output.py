"""Printing: results to stdout, log to stderr; hostile text never reaches the terminal raw."""

from __future__ import annotations

import json
import logging
import os
import re
import shutil
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from rich.console import Console

    from mlebench.doctor.check import Check

# Control characters, including escape sequences, and marks that change the direction of text.
UNSAFE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")
HINTED = re.compile(r"(?<=: )mlebench (?=[a-z])")
"""A command at the end of a hint, such as `next: mlebench view`."""

NONE = "—"
COLOURS = {"ok": "green", "warn": "yellow", "fail": "red"}


def safe(text: str) -> str:
    """Text that is safe for a terminal: control characters and direction marks are escaped."""
    return UNSAFE.sub(lambda found: found[0].encode("unicode_escape").decode(), text)


def counted(count: int, noun: str) -> str:
    """`1 file`, `2 files`."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def print_json(value: dict[str, Any]) -> None:
    """Print one JSON object to stdout; `schema` is added if the record has none of its own."""
    stated = value if "schema" in value else {"schema": 1, **value}
    click.echo(json.dumps(stated, indent=2, allow_nan=False))


def print_result(facts: dict[str, Any], *notes: str, as_json: bool) -> None:
    """Print what a command did: as JSON to stdout, or as notes to stderr."""
    if as_json:
        print_json(facts)
    else:
        for text in notes:
            note(text)


def print_table(head: Sequence[str], rows: Sequence[Sequence[Any]], *, right: str = "") -> None:
    """Columns two spaces apart; through a pipe tab-separated and uncut.

    Args:
        right: names of the right-aligned columns, separated by spaces.
    """
    cells = [[NONE if cell is None else safe(str(cell)) for cell in row] for row in rows]
    lines = [list(head), *cells]
    is_bold = sys.stdout.isatty()
    if is_bold:
        for k, name in enumerate(head):
            width = max(len(line[k]) for line in lines)
            for line in lines:
                line[k] = line[k].rjust(width) if name in right.split() else line[k].ljust(width)
    for number, line in enumerate(lines):
        text = "  ".join(line).rstrip() if is_bold else "\t".join(line)
        click.secho(text, bold=is_bold and number == 0)


def print_checks(checks: Sequence[Check], *, as_json: bool = False) -> None:
    """Print each check with its reason, and what to do if something is missing."""
    if as_json:
        print_json({"checks": [asdict(check) for check in checks]})
        return
    if not sys.stdout.isatty():
        head = ("state", "subject", "competition", "reason", "remedy")
        rows = [(c.state, c.subject, c.competition_id, c.reason, c.remedy) for c in checks]
        print_table(head, rows)
        return
    for check in checks:
        about = f"{check.competition_id}: " if check.competition_id else ""
        state = click.style(f"{check.state:<4}", fg=COLOURS[check.state])
        click.echo(f"{state}  {check.subject:<11}  {safe(about + check.reason)}")
        if check.remedy and check.state != "ok":
            click.echo(f"{'':19}{safe(check.remedy)}")
    counts: Counter[str] = Counter(check.state for check in checks)
    note(", ".join(f"{counts[state]} {state}" for state in COLOURS))


def note(message: str) -> None:
    """Print a line for the user to stderr; commands in it can be copied as they are printed.

    Not `click.echo`: it bypasses the `sys.stderr` of a live display and writes into the bars.
    """
    text = safe(HINTED.sub(lambda found: f"{program()} ", message))
    print(text, file=sys.stderr, flush=True)


def live_console() -> Console:
    """The console of a live display; lines printed above it are not wrapped, so can be copied."""
    from rich.console import Console

    return Console(stderr=True, soft_wrap=True)


def program() -> str:
    """What to type to call this program again: `mlebench` if the shell finds this one."""
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


def exit_if(is_failed: object, code: int = 1) -> None:
    """End the command with an exit code if something failed."""
    if is_failed:
        raise click.exceptions.Exit(code)


def gigabytes(size: float | None) -> str | None:
    """A size in GB for a table."""
    if size is None:
        return None
    return f"{size:,.1f}" if size >= 1 else f"{size:.3f}"
