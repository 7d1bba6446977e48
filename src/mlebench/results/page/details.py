"""The later sections of the report page: time and cost, progress, process, failures, commands."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from contextlib import suppress
from datetime import datetime
from pathlib import Path

from markupsafe import Markup

from mlebench.records.group import GroupRecord
from mlebench.results.attempts import Attempt, by_agent, plans_of
from mlebench.results.commands import run_command
from mlebench.results.failures import Clean, find_causes, logs_of
from mlebench.results.figures import Results, pass_at_k_figures
from mlebench.results.page.rendering import PageTable
from mlebench.results.plots.rates import progress_plot
from mlebench.results.plots.timeline import RunBar
from mlebench.results.process import process_figures
from mlebench.results.progress import progress_figures
from mlebench.results.runs_table import WORDS, outcome
from mlebench.results.spending import sum_spending
from mlebench.results.statistics import bootstrap

LONGEST_SECONDS = 1e8
UNITS = {"hours": "{:.3g} h", "cost": "$ {:.3g}", "tokens": "{:,.0f} tokens"}
MAX_CAUSES = 200
MAX_SOURCES = 20
SPENDING = {"hours": ("hours", 1), "tokens": ("tokens", 0), "cost": ("$", 2)}
"""The unit and the digits of each sum."""


PROCESS = {
    "runs measured": ("runs", "{}"),
    "hours to the first valid submission (median)": ("first_valid_hours_median", "{:,.2f}"),
    "runs with a valid submission": ("runs_with_valid", "{}"),
    "validations per run (mean)": ("validations_mean", "{:,.1f}"),
    "failed validations": ("invalid_validations_share", "{:.1%}"),
    "commands recorded": ("executions", "{:,}"),
    "failed commands": ("failed_executions_share", "{:.1%}"),
    "model calls": ("model_calls", "{:,}"),
    "failed model calls": ("failed_model_calls_share", "{:.1%}"),
    "lines of the final code (median)": ("code_lines_median", "{:,.0f}"),
    "runs with code": ("runs_with_code", "{}"),
    "lint findings per 100 lines": ("lint_findings_per_100_lines", "{:,.1f}"),
    "linter": ("linter", "{}"),
}
"""The figure and the format of each row."""


def spending(results: Results) -> PageTable:
    """Sums for each agent, in total and for each medal."""
    rows = []
    for agent, own in by_agent(results.attempts).items():
        total = sum_spending(own)
        sums = [_number(getattr(total, name), digits) for name, (_, digits) in SPENDING.items()]
        sums += [_number(total.per_medal(name), digits) for name, (_, digits) in SPENDING.items()]
        rows.append([agent, total.attempts, total.medals, *sums])
    units = [unit for unit, _ in SPENDING.values()]
    per_medal = [f"{unit} per medal" for unit in units]
    head = ("agent", "attempts", "medals", *units, *per_medal)
    return PageTable(head, rows, head[1:])


def _number(value: float | None, digits: int = 0) -> str | None:
    return None if value is None else f"{value:,.{digits}f}"


def run_bars(results: Results) -> list[RunBar]:
    """The runs with known times on the clock."""
    several = len(results.summaries) > 1
    bars = []
    for attempt in results.attempts:
        run = attempt.run
        if run is None or run.seconds is None or not 0 <= run.seconds < LONGEST_SECONDS:
            continue
        row = f"{attempt.competition_id}, {attempt.agent}" if several else attempt.competition_id
        phase = "failed" if attempt.report is None else "done"
        with suppress(ValueError):
            start = datetime.fromisoformat(run.started_at or "").timestamp()
            bars.append(RunBar(row, attempt.seed, start, start + run.seconds, phase))
    return bars


def progress(results: Results) -> list[tuple[str, Markup, list[PageTable]]]:
    """For each agent with graded copies a title, the plot over hours, and tables by resource."""
    found = []
    for agent in results.summaries:
        courses = [course for course in results.courses if course.agent == agent]
        figures = progress_figures(courses)
        if "hours" in figures:
            tables = [_by_resource(figures[r], unit) for r, unit in UNITS.items() if r in figures]
            shares = dict(figures["hours"])
            plot = progress_plot([float(f"{hour:.3g}") for hour in shares.pop("after")], shares)
            found.append((f"{agent} ({len(courses):,} runs)", plot, tables))
    return found


def _by_resource(found: Mapping[str, list[float]], unit: str) -> PageTable:
    head = ("share of runs", *(unit.format(limit) for limit in found["after"]))
    rows = [
        [name, *(f"{value:.1f} %" for value in values)]
        for name, values in found.items()
        if name != "after"
    ]
    return PageTable(head, rows, head[1:])


def process(results: Results) -> PageTable | None:
    """Medians and shares of the agents whose runs were measured; None without any."""
    found = {}
    for agent in results.summaries:
        measured = [p for attempt, p in results.processes if attempt.agent == agent]
        if measured:
            found[agent] = process_figures(measured)
    if not found:
        return None
    rows = [
        [title, *(None if own[name] is None else form.format(own[name]) for own in found.values())]
        for title, (name, form) in PROCESS.items()
    ]
    return PageTable(("measure", *found), rows, tuple(found), is_sortable=False)


def statistics(results: Results) -> PageTable:
    """pass@k, and the bootstrap interval over competitions."""
    rows = []
    for agent, own in by_agent(results.attempts).items():
        tries = ", ".join(f"@{k} {value:.1f} %" for k, value in pass_at_k_figures(own).items())
        drawn = bootstrap(own)
        interval = f"{drawn.low:.1f} to {drawn.high:.1f} %"
        rows.append([agent, f"{drawn.value:.1f} %", interval, tries])
    return PageTable(("agent", "any medal, all attempts", "bootstrap 95 %", "pass"), rows)


def failures(results: Results, clean: Clean, *, with_logs: bool) -> dict[str, object]:
    """Causes with their counts, the last lines of logs, and how many of each are left out."""
    causes = find_causes(results.attempts, clean)
    rows = [[len(c.attempts), c.competitions, c.blame, c.example] for c in causes[:MAX_CAUSES]]
    head = ("attempts", "competitions", "blame", "reason (an example)")
    logs, more_logs = logs_of(causes, clean) if with_logs else ([], 0)
    return {
        "causes": PageTable(head, rows, head[:2]),
        "more_causes": len(causes) - len(rows),
        "logs": [(_log_title(attempt), text) for attempt, text in logs],
        "more_logs": more_logs,
    }


def _log_title(attempt: Attempt) -> str:
    words = WORDS[outcome(attempt)] if attempt.report is None else "no submission"
    return f"{attempt.competition_id}, {attempt.agent}, seed {attempt.seed}: {words}"


def commands(results: Results) -> list[str]:
    """The commands that repeat the runs and write this page."""
    found = dict.fromkeys(_run_command(plan, results) for plan in plans_of(results.attempts))
    sources = sorted(Path(place).name for place in {a.source for a in results.attempts})
    if len(sources) > MAX_SOURCES:
        sources = ["runs"]
    return [*found, shlex.join(["mlebench", "report", *sources, "--html", "report.html"])]


def _run_command(group: GroupRecord, results: Results) -> str:
    ids = {run.competition_id for run in group.runs}
    splits = ("all", "low", "medium", "high", "dev", "starter")
    split = next((name for name in splits if ids == set(results.catalogue.get_split(name))), None)
    chosen = ["--split", split] if split else [word for i in sorted(ids) for word in ("-c", i)]
    seeds = 1 + max((run.seed for run in group.runs), default=0)
    return run_command(group.agent, chosen, group.settings, seeds)
