"""The display of `mlebench prepare`: live on a terminal, else one plain line per change."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from mlebench.cli.output import live_console, note
from mlebench.cli.progress import plain_progress

if TYPE_CHECKING:
    from rich.console import RenderableType

    from mlebench.kaggle.download import OnBytes
    from mlebench.preparing.pipeline import PreparationOutcome, PreparationProgress

Watchers = tuple[Callable[["PreparationProgress"], None], Callable[["PreparationOutcome"], None]]


@contextmanager
def display() -> Iterator[Watchers]:
    """Two callbacks: one for events, one for outcomes."""
    if sys.stderr.isatty():
        with _live() as watchers:
            yield watchers
        return
    downloads: dict[str, OnBytes] = {}

    def on_progress(event: PreparationProgress) -> None:
        name = event.competition_id
        if event.phase.startswith("waiting"):
            note(f"wait  {name}  {event.phase}")
        elif event.phase == "downloading":
            if name not in downloads:
                downloads[name] = plain_progress(name)
                note(f"get   {name}  {event.total / 1e9:,.2f} GB from Kaggle")
            downloads[name](event.done, event.total)

    yield on_progress, note_outcome


@contextmanager
def _live() -> Iterator[Watchers]:
    from rich import progress as parts

    class WhenKnown(parts.ProgressColumn):
        """A column that is empty while the number of bytes is unknown."""

        def __init__(self, column: parts.ProgressColumn) -> None:
            super().__init__()
            self._column = column

        def render(self, task: parts.Task) -> RenderableType:
            return self._column(task) if task.total else ""

    columns = (
        parts.TextColumn("{task.description}"),
        parts.BarColumn(),
        parts.TimeElapsedColumn(),
        WhenKnown(parts.DownloadColumn()),
        WhenKnown(parts.TransferSpeedColumn()),
        WhenKnown(parts.TimeRemainingColumn()),
    )
    lines: dict[str, parts.TaskID] = {}
    with parts.Progress(*columns, console=live_console(), transient=True) as bars:

        def on_progress(event: PreparationProgress) -> None:
            name = event.competition_id
            if name not in lines:
                lines[name] = bars.add_task(name, total=None)
            bars.update(
                lines[name],
                description=f"{name}  {event.phase}",
                completed=event.done,
                total=event.total or None,
            )

        def on_done(outcome: PreparationOutcome) -> None:
            if outcome.competition_id in lines:
                bars.remove_task(lines.pop(outcome.competition_id))
            note_outcome(outcome)

        yield on_progress, on_done


def note_outcome(outcome: PreparationOutcome) -> None:
    """Print one line for a finished competition."""
    if outcome.state == "failed":
        note(f"fail  {outcome.competition_id}  {outcome.message}")
        if outcome.hint:
            note(f"      hint: {outcome.hint}")
        return
    parts = (
        outcome.competition_id,
        outcome.message or (f"{outcome.rows:,} rows" if outcome.rows else ""),
        f"{outcome.files:,} files",
        f"{outcome.bytes / 1e6:,.1f} MB",
        f"{outcome.seconds:.1f} s",
        "rehearsal" if outcome.is_rehearsal else "",
    )
    note("ok    " + "  ".join(filter(None, parts)))
    for warning in outcome.warnings:
        note(f"warn  {outcome.competition_id}  {warning}")
