"""Results of many runs: aggregation, statistics, tables, reports.

`load("runs")` is the way in from Python and from notebooks.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mlebench.results.frames import LoadedResults

__all__ = ["load"]


def load(*sources: str | Path) -> LoadedResults:
    """Frames of runs, reports and costs from runs folders, groups or grading reports.

    In a notebook the result shows the page of `mlebench report --html`, and `rank_plot` a
    competition's board. pandas is imported with the first frame.

    Raises:
        UsageError: there is nothing to load in the sources.
    """
    from mlebench.results.frames import load_results

    return load_results([Path(source) for source in sources or ("runs",)])
