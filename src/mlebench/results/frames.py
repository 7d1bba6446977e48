"""Results as pandas frames, and pages and plots for notebooks."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mlebench.catalogue import Catalogue
from mlebench.errors import UsageError
from mlebench.records.report import CompetitionReport
from mlebench.results.aggregate import summarize_all
from mlebench.results.attempts import Attempt, by_agent, by_competition, load_attempts
from mlebench.results.figures import Results
from mlebench.results.runs_table import WORDS, outcome

if TYPE_CHECKING:
    import pandas as pd

Column = tuple[str, Callable[[Any], object]]
"""The dtype of a column, and a function that returns its value for an attempt or a record."""

PAGE_HEIGHT = 900
PLOT_MARGIN = 24


def _started(attempt: Attempt) -> datetime | None:
    try:
        return datetime.fromisoformat(attempt.run.started_at or "") if attempt.run else None
    except ValueError:
        return None


def _end_of_ranks(report: CompetitionReport, end: int) -> int | None:
    interval = report.uncertainty.rank_interval if report.uncertainty else None
    return interval[end] if interval else None


KEYS: Mapping[str, Column] = {
    "group": ("string", lambda a: a.run.group if a.run else a.source),
    "run_id": ("string", lambda a: a.run.run_id if a.run else None),
    "competition_id": ("string", lambda a: a.competition_id),
    "agent": ("string", lambda a: a.agent),
    "seed": ("Int64", lambda a: a.seed),
}
"""The first columns of every frame; frames can be joined on them."""

RUNS: Mapping[str, Column] = {
    "state": ("string", lambda a: a.run.state if a.run else None),
    "outcome": ("string", lambda a: WORDS[outcome(a)]),
    "data": ("string", lambda a: a.data),
    "score": ("Float64", lambda a: a.score),
    "medal": ("string", lambda a: a.medal),
    "started_at": ("datetime64[ns, UTC]", _started),
    "seconds": ("Float64", lambda a: a.run.seconds if a.run else None),
    "validations": ("Int64", lambda a: a.run.validations if a.run else None),
    "blame": ("string", lambda a: a.run.blame if a.run else None),
    "reason": ("string", lambda a: a.problem or (a.run.reason if a.run else None)),
}

REPORTS: Mapping[str, Column] = {
    "score": ("Float64", lambda r: r.score),
    "medal": ("string", lambda r: r.medal),
    "rank": ("Int64", lambda r: r.rank),
    "teams": ("Int64", lambda r: r.teams),
    "teams_beaten": ("Float64", lambda r: r.teams_beaten),
    "human_rank": ("Float64", lambda r: r.human_rank),
    "standard_error": ("Float64", lambda r: r.uncertainty and r.uncertainty.standard_error),
    "best_rank": ("Int64", lambda r: _end_of_ranks(r, 0)),
    "worst_rank": ("Int64", lambda r: _end_of_ranks(r, 1)),
    "uncertain": ("boolean", lambda r: r.uncertainty and r.uncertainty.uncertain),
    "above_median": ("boolean", lambda r: r.above_median),
    "submission_exists": ("boolean", lambda r: r.submission_exists),
    "valid_submission": ("boolean", lambda r: r.valid_submission),
    "reason": ("string", lambda r: r.reason),
    "is_lower_better": ("boolean", lambda r: r.is_lower_better),
    "gold_threshold": ("Float64", lambda r: r.gold_threshold),
    "silver_threshold": ("Float64", lambda r: r.silver_threshold),
    "bronze_threshold": ("Float64", lambda r: r.bronze_threshold),
    "median_threshold": ("Float64", lambda r: r.median_threshold),
    "revision": ("string", lambda r: r.revision),
    "is_rehearsal": ("boolean", lambda r: r.is_rehearsal),
}

COSTS: Mapping[str, Column] = {
    "model": ("string", lambda m: m.name),
    "calls": ("Int64", lambda m: m.calls),
    "failed_calls": ("Int64", lambda m: m.failed),
    "input_tokens": ("Int64", lambda m: m.input_tokens),
    "cached_tokens": ("Int64", lambda m: m.cached_tokens),
    "output_tokens": ("Int64", lambda m: m.output_tokens),
    "cost": ("Float64", lambda m: m.cost),
    "model_seconds": ("Float64", lambda m: m.seconds),
}


@dataclass(frozen=True)
class InlinePage:
    """HTML that a notebook shows in an iframe, which keeps its styles apart."""

    html: str
    height: int

    def _repr_html_(self) -> str:
        from mlebench.results.page.rendering import render

        return render("frame.html", {"page": self.html, "height": self.height})


@dataclass(frozen=True)
class LoadedResults:
    """Attempts of some sources as frames; each frame is computed on first access."""

    results: Results

    @cached_property
    def runs(self) -> pd.DataFrame:
        """One row for each attempt: state, outcome, score, time, blame.

        `data` is `real`, `synthetic` (a rehearsal) or `demonstration`; `seconds` is missing for a
        run that has not ended.
        """
        return _frame([(attempt, attempt) for attempt in self.results.attempts], RUNS)

    @cached_property
    def reports(self) -> pd.DataFrame:
        """One row for each graded attempt: score, rank, medal, thresholds."""
        graded = [(a, a.report) for a in self.results.attempts if a.report is not None]
        return _frame(graded, REPORTS)

    @cached_property
    def costs(self) -> pd.DataFrame:
        """One row for each attempt with model calls: tokens, and US dollars if a price is known."""
        paid = [(a, a.model) for a in self.results.attempts if a.model]
        return _frame(paid, COSTS)

    def page(self, *, with_logs: bool = True) -> InlinePage:
        """The one-file report over all attempts."""
        from mlebench.results.page import render_page

        return InlinePage(render_page(self.results, with_logs=with_logs), PAGE_HEIGHT)

    def rank_plot(self, competition_id: str) -> InlinePage:
        """The ranks of an agent's scores on the human leaderboard, a row for each agent."""
        from mlebench.results.page.rendering import render
        from mlebench.results.page.report import style_text
        from mlebench.results.plots.ranks import rank_rows

        board = self.results.boards.board(competition_id)
        scored = by_competition(a for a in self.results.attempts if a.score is not None)
        if board is None or competition_id not in scored:
            raise UsageError(
                f"no attempt at {competition_id!r} has a score; those with scores are:"
                f" {', '.join(sorted(scored))}"
            )
        own = by_agent(scored[competition_id]).items()
        scores = {agent: [a.score for a in found if a.score is not None] for agent, found in own}
        plot = rank_rows(board, scores)
        page = render("plot.html", {"title": competition_id, "plot": plot, "style": style_text()})
        height = int(plot.partition(' height="')[2].partition('"')[0])
        return InlinePage(page, height + PLOT_MARGIN)

    def _repr_html_(self) -> str:
        return self.page()._repr_html_()


def load_results(sources: Sequence[Path]) -> LoadedResults:
    """All attempts in the sources; an attempt missing from a split counts as a failure."""
    attempts, catalogue = load_attempts(sources), Catalogue()
    summaries = summarize_all(attempts, catalogue, pad_missing=True)
    return LoadedResults(Results(attempts, summaries, catalogue))


def _frame(rows: Sequence[tuple[Attempt, Any]], columns: Mapping[str, Column]) -> pd.DataFrame:
    """A typed frame of (attempt, record) pairs: the keys of the attempt, then `columns`."""
    import pandas as pd

    found = {
        name: pd.Series([value(attempt) for attempt, _ in rows], dtype=kind)
        for name, (kind, value) in KEYS.items()
    }
    for name, (kind, value) in columns.items():
        found[name] = pd.Series([value(record) for _, record in rows], dtype=kind)
    return pd.DataFrame(found)
