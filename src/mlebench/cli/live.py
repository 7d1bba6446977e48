"""The live display of a group on a terminal: a total over one line per active run."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from mlebench.cli.output import live_console, safe
from mlebench.results.plots.clock import duration
from mlebench.runner.details import GroupDetails, RunDetails
from mlebench.runner.outcomes import describe_outcomes

if TYPE_CHECKING:
    from mlebench.records.run import RunRecord
    from mlebench.runner.statuses import GroupWatch, RunStatus

STEPS = {
    "planned": "queued",
    "starting": "preparing",
    "running": "running",
    "collecting": "validating",
    "grading": "grading",
    "stopped": "stopped",
}
BAR_WIDTH = 30


class LiveDisplay:
    """Redraws itself while `show` is called; leaves the terminal as it was."""

    def __init__(self, watch: GroupWatch, jobs: int = 1) -> None:
        self._watch = watch
        self._details = GroupDetails(watch.group)
        self._jobs = jobs
        self._start = time.monotonic()
        self._done_before: int | None = None
        self._console = live_console()
        self._live = Live(console=self._console, auto_refresh=False, transient=True)

    def __enter__(self) -> LiveDisplay:
        self._live.__enter__()
        return self

    def __exit__(self, *exception: object) -> None:
        self._live.stop()

    def show(self, *, is_forced: bool = False) -> None:
        """Look at the group again; the watch decides whether it is time to."""
        self._watch.refresh(is_forced=is_forced)
        self._details.refresh()
        self._live.update(self._draw(), refresh=True)

    def _draw(self) -> RenderableType:
        active = [run for run in self._watch.runs if run.state in STEPS and run.state != "planned"]
        height = max(1, self._console.size.height - 4)
        # A terminal echoes ^C at the end of the last line: it must not run into the next one.
        width = self._console.size.width - 3
        table = Table(box=None, pad_edge=False, show_header=False, width=width)
        for _ in range(6):
            table.add_column(no_wrap=True)
        table.add_column(no_wrap=True, ratio=1, overflow="ellipsis", style="dim")
        for run in active[:height]:
            if run.record:
                table.add_row(*self._cells(run, run.record))
        hidden = len(active) - height
        more = [Text(f"… and {hidden} more")] if hidden > 0 else []
        return Group(self._total(), table, *more)

    def _cells(self, run: RunStatus, record: RunRecord) -> list[str]:
        details = self._details.of(record)
        limit = self._watch.group.plan.settings.hours * 3600
        return [
            record.competition_id,
            f"s{record.seed}",
            STEPS[run.state],
            f"{_whole(details.elapsed_seconds)} / {duration(limit)}",
            _valid(details),
            _calls(details),
            safe(details.last_log_line),
        ]

    def _total(self) -> RenderableType:
        runs = self._watch.runs
        done = sum(run.is_final for run in runs)
        grid = Table.grid(padding=(0, 2))
        bar = ProgressBar(total=max(1, len(runs)), completed=done, width=BAR_WIDTH)
        spent = f"${self._details.dollars:.2f}" if self._details.dollars else ""
        records = [run.record for run in runs if run.record and run.is_final]
        outcomes = describe_outcomes(records) if records else ""
        cells = [f"{done} of {len(runs)} runs", self._remaining(done), outcomes, spent]
        grid.add_row(bar, "  ".join(cell for cell in cells if cell))
        return grid

    def _remaining(self, done: int) -> str:
        """The estimated remaining time; before the first run has ended, its maximum."""
        if self._done_before is None:
            self._done_before = done
        left = len(self._watch.runs) - done
        ended = done - self._done_before
        if not left:
            return ""
        if ended:
            return f"about {_whole((time.monotonic() - self._start) / ended * left)} left"
        rounds = -(-left // self._jobs)
        return f"at most {duration(rounds * self._watch.group.plan.settings.hours * 3600)} left"


def _valid(details: RunDetails) -> str:
    if details.last_valid_seconds is not None:
        return f"valid at {_whole(details.last_valid_seconds)}"
    return f"{details.validations} invalid" if details.validations else "no valid file yet"


def _calls(details: RunDetails) -> str:
    """`12 calls $0.31`; without dollars where the price is unknown."""
    if not details.calls:
        return ""
    return f"{details.calls} calls" + (f" ${details.dollars:.2f}" if details.dollars else "")


def _whole(seconds: float | None) -> str:
    return "—" if seconds is None else duration(int(seconds))
