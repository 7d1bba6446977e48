"""The plots of the pages, the same as in the report, each with its table."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from mlebench.errors import BenchError
from mlebench.viewer.index import Place
from mlebench.viewer.places import Absent, signature
from mlebench.viewer.rows import Row
from mlebench.viewer.scan import Group
from mlebench.viewer.text import clean

if TYPE_CHECKING:
    from mlebench.leaderboards.leaderboard import Leaderboard
    from mlebench.records.run import RunRecord
    from mlebench.results.aggregate import SplitSummary

MAX_TABLE = 1000
DAMAGE = (
    Absent,
    BenchError,
    ValueError,
    TypeError,
    KeyError,
    AttributeError,
    ArithmeticError,
    RecursionError,
    OSError,
)
"""What damaged records can raise."""

MAX_TRAJECTORY = 1 << 30
REMEMBERED = 64
Drawn = tuple[str, tuple[list[str], list[list[object]]]]
_drawn_hours: dict[tuple[Any, ...], Drawn | None] = {}
"""A cache, because the plot needs every record of a trajectory."""


class Figures:
    """The plots and tables of a page; those of damaged records are left out."""

    def __init__(self) -> None:
        self.plots: dict[str, str] = {}
        self.tables: dict[str, dict[str, Any]] = {}

    def add(self, name: str, draw: Callable[[], Drawn | None]) -> None:
        try:
            drawn = draw()
        except DAMAGE:
            return
        if drawn is not None:
            picture, (head, rows) = drawn
            self.plots[name] = clean(str(picture))
            self.tables[name] = {"head": head, "rows": rows[:MAX_TABLE]}

    def as_json(self) -> dict[str, Any]:
        return {"plots": self.plots, "tables": self.tables}


def draw_rank(board: Leaderboard, own: Row, others: Sequence[Row]) -> Drawn | None:
    """The rank of this run, and of the other seeds as hollow dots."""
    from mlebench.results.plots.ranks import rank_plot, rank_table

    scored = [(row.seed, row.score) for row in (own, *others) if row.score is not None]
    plot = rank_plot(board, [s for _, s in scored], mine=None if own.score is None else 0)
    return plot, rank_table(board, {f"seed {seed}": [score] for seed, score in scored})


def draw_rank_rows(board: Leaderboard, scores: Mapping[str, Sequence[float]]) -> Drawn | None:
    from mlebench.results.plots.ranks import rank_rows, rank_table

    return rank_rows(board, scores), rank_table(board, scores)


def draw_hours(place: Place, record: RunRecord) -> Drawn | None:
    from mlebench.records.folders import RunFolder
    from mlebench.results.activity import read_activity
    from mlebench.results.plots.hours import hours_plot, hours_table

    folder = RunFolder(place.path)
    parts = (folder.state, folder.trajectory, folder.resources, folder.validations)
    marks = [tuple(signature(part.stat())) if part.is_file() else () for part in parts]
    if marks[1] and marks[1][1] > MAX_TRAJECTORY:
        return None
    key = (str(folder.path), *marks)
    if key in _drawn_hours:
        return _drawn_hours[key]
    activity = read_activity(folder, record)
    is_empty = not activity.spans and not activity.curves and not activity.flags
    drawn = None if is_empty else (hours_plot(activity), hours_table(activity))
    if len(_drawn_hours) >= REMEMBERED:
        _drawn_hours.clear()
    _drawn_hours[key] = drawn
    return drawn


def draw_medal_rates(summary: Mapping[str, SplitSummary]) -> Drawn | None:
    from mlebench.results.plots.rates import medal_rate_table, medal_rates
    from mlebench.results.published import published_rows

    rows = published_rows()
    return medal_rates(summary, rows), medal_rate_table(summary, rows)


def draw_timeline(group: Group) -> Drawn | None:
    from mlebench.results.plots.timeline import RunBar, timeline, timeline_table

    now = time.time()
    bars = []
    for row in group.rows:
        if row.started is None:
            continue
        end = row.started + row.seconds if row.seconds is not None else max(now, row.started)
        phase = {"r": "running", "!": "failed"}.get(row.outcome, "done")
        bars.append(RunBar(row.competition, row.seed, row.started, end, phase))
    return timeline(bars), timeline_table(bars, MAX_TABLE)


def draw_cost(groups: Sequence[Group]) -> Drawn | None:
    """A dot for each agent of the runs folder."""
    from mlebench.results.plots.rates import CostPoint, cost_plot, cost_table

    rows: dict[str, list[Row]] = {}
    for group in groups:
        rows.setdefault(group.facts["agent"], []).extend(group.rows)
    points = []
    for agent, found in rows.items():
        costs = [row.cost for row in found if row.cost]
        if costs:
            percent = 100 * sum(row.outcome in "GSB" for row in found) / len(found)
            points.append(CostPoint(agent, sum(costs) / len(costs), percent, len(found)))
    return (cost_plot(points), cost_table(points)) if points else None
