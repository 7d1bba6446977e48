"""The lower half of the report page: time and cost, progress, process, failures, method."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from mlebench.records.group import GroupRecord
from mlebench.results.aggregate import by_agent
from mlebench.results.attempts import Attempt
from mlebench.results.failures import Clean, find_causes, logs_of
from mlebench.results.figures import Results, pass_at_k_figures
from mlebench.results.markup import Markup, element, join, table
from mlebench.results.page_overview import note
from mlebench.results.plots import RunBar, cost_plot, progress_plot, timeline
from mlebench.results.process import process_figures
from mlebench.results.progress import marks, progress_figures, shares_over
from mlebench.results.runs_table import WORDS, outcome
from mlebench.results.spending import cost_points, sum_spending
from mlebench.results.statistics import bootstrap

METHOD = (
    (
        "Seeds",
        "The k-th report of a competition by the same agent, in the order of the sources, is its"
        " seed k. What is missing is an error, or counts as a failure where the page says padded.",
    ),
    (
        "Percentages",
        "p(s) = 100 · (competitions with the property in seed s) / (competitions of the split);"
        " attempts that failed or were not graded count as not having it.",
    ),
    (
        "Mean ± standard error",
        "m = Σ p(s) / n over the n seeds; the error is √(Σ (p(s) − m)² / (n − 1)) / √n.",
    ),
    (
        "95 % interval",
        "m ± t · error, t being the 97.5 % quantile of Student's distribution with n − 1 degrees"
        " of freedom, kept between 0 and 100.",
    ),
    (
        "Bootstrap",
        "Competitions are drawn anew 10,000 times with replacement; the interval goes from the"
        " 2.5 % to the 97.5 % quantile: how much hangs on the choice of competitions.",
    ),
    ("pass@k", "1 − C(n − c, k) / C(n, k) for c successes in n seeds, averaged over competitions."),
    (
        "Medals",
        "By the cuts of the competition's private leaderboard: a medal is won when its score is"
        " reached; the median must be passed.",
    ),
    (
        "Rank and teams beaten",
        "Rank: one more than the teams with a better score. Teams beaten (HumanRank): the share of"
        " teams with a worse score; 0 for an attempt without a score.",
    ),
    (
        "Over time",
        "Copies of the submission kept during the run are graded afterwards. 'As it lay' is the"
        " copy at that time; 'best so far' takes the best by its later score, so it is an upper"
        " bound.",
    ),
    (
        "Process",
        "Failed programs: of those that the agent itself keeps a record of. Lint: findings for 100"
        " lines of Python that are not blank; the linter is named.",
    ),
)


LONGEST_SECONDS = 1e8
UNITS = {"hours": "{:.3g} h", "cost": "$ {:.3g}", "tokens": "{:,.0f} tokens"}


def time_and_cost(results: Results) -> Markup:
    """Sums for each agent, the runs on the clock, cost against medals."""
    head = (
        "agent",
        "attempts",
        "medals",
        "hours",
        "tokens",
        "cost $",
        "hours a medal",
        "tokens a medal",
        "$ a medal",
    )
    rows = []
    for agent, own in by_agent(results.attempts).items():
        total = sum_spending(own)
        rows.append(
            [
                agent,
                total.attempts,
                total.medals,
                _number(total.hours, 1),
                _number(total.tokens),
                _number(total.cost, 2),
                _number(total.per_medal("hours"), 1),
                _number(total.per_medal("tokens")),
                _number(total.per_medal("cost"), 2),
            ]
        )
    parts: list[object] = [table(head, rows, numbers=head[1:])]
    bars = [bar for attempt in results.attempts if (bar := _bar(attempt)) is not None]
    if bars:
        parts += [element("h3", "On the clock (UTC)"), timeline(bars)]
    points = cost_points(results.attempts)
    if points:
        parts += [element("h3", "Cost of an attempt against medals"), cost_plot(points)]
    return join(parts)


def _number(value: float | None, digits: int = 0) -> str | None:
    return None if value is None else f"{value:,.{digits}f}"


def _bar(attempt: Attempt) -> RunBar | None:
    run = attempt.run
    if run is None or run.started_at is None or run.seconds is None:
        return None
    if not 0 <= run.seconds < LONGEST_SECONDS:
        return None
    try:
        start = datetime.fromisoformat(run.started_at).timestamp()
    except ValueError:
        return None
    label = f"{attempt.competition_id}, {attempt.agent}, seed {attempt.seed}"
    phase = "failed" if attempt.report is None else "done"
    return RunBar(label, start, start + run.seconds, phase)


def progress(results: Results) -> Markup:
    """Any medal after 1, 2, 4 … hours, for each agent whose copies were graded."""
    parts: list[object] = []
    for agent in results.summaries:
        courses = [course for course in results.courses if course.agent == agent]
        most = max((grade.hours for c in courses for grade in c.grades), default=0.0)
        hours = marks(most)
        if not courses or not hours:
            continue
        parts += [
            element("h3", f"{agent} ({len(courses):,} runs)"),
            progress_plot([float(f"{hour:.3g}") for hour in hours], shares_over(courses, hours)),
        ]
        figures = progress_figures(courses)
        parts += [
            _by_resource(figures[resource], unit)
            for resource, unit in UNITS.items()
            if resource in figures
        ]
    if not parts:
        return note("Not graded; mlebench report --over-time grades the copies kept during runs.")
    return join(parts)


def _by_resource(found: dict[str, list[float]], unit: str) -> Markup:
    head = ("share of runs", *(unit.format(limit) for limit in found["after"]))
    rows = [
        [name, *(f"{value:.1f} %" for value in values)]
        for name, values in found.items()
        if name != "after"
    ]
    return table(head, rows, numbers=head[1:])


def process(results: Results) -> Markup:
    """Medians and shares for each agent whose runs were measured."""
    found = {}
    for agent in results.summaries:
        measured = [p for attempt, p in results.processes if attempt.agent == agent]
        if measured:
            found[agent] = _process_cells(process_figures(measured))
    if not found:
        return note("Not measured; mlebench report --process measures how the agents worked.")
    names = next(iter(found.values()))
    rows = [[name, *(cells[name] for cells in found.values())] for name in names]
    return table(("measure", *found), rows, numbers=tuple(found), sortable=False)


def _process_cells(figures: Mapping[str, Any]) -> dict[str, object]:
    return {
        "runs measured": figures["runs"],
        "hours to the first valid submission (median)": _number(
            figures["first_valid_hours_median"], 2
        ),
        "runs that had one": figures["runs_with_valid"],
        "validations of a run (mean)": _number(figures["validations_mean"], 1),
        "failed validations": _percent(figures["invalid_validations_share"]),
        "programs on record": _number(figures["executions"]),
        "failed programs": _percent(figures["failed_executions_share"]),
        "model calls": _number(figures["model_calls"]),
        "failed model calls": _percent(figures["failed_model_calls_share"]),
        "lines of the final code (median)": _number(figures["code_lines_median"]),
        "runs with code": figures["runs_with_code"],
        "lint findings for 100 lines": _number(figures["lint_findings_per_100_lines"], 1),
        "linter": figures["linter"],
    }


def _percent(share: float | None) -> str | None:
    return None if share is None else f"{share:.1%}"


def statistics(results: Results) -> Markup:
    """pass@k, and how much hangs on the choice of competitions."""
    rows = []
    for agent, own in by_agent(results.attempts).items():
        tries = ", ".join(f"@{k} {value:.1f} %" for k, value in pass_at_k_figures(own).items())
        drawn = bootstrap(own)
        interval = f"{drawn.low:.1f} to {drawn.high:.1f} %"
        rows.append([agent, f"{drawn.value:.1f} %", interval, tries])
    return table(("agent", "any medal, all attempts", "bootstrap 95 %", "pass"), rows)


def failures(results: Results, clean: Clean, *, with_logs: bool) -> Markup:
    """Causes with their counts, then ends of logs."""
    causes = find_causes(results.attempts, clean)
    if not causes:
        return element("p", "None.")
    rows = [
        [len(cause.attempts), cause.competitions, cause.blame, cause.example] for cause in causes
    ]
    head = ("attempts", "competitions", "blame", "reason (an example)")
    parts: list[object] = [table(head, rows[:200], numbers=head[:2])]
    if len(rows) > 200:
        parts.append(note(f"{len(rows) - 200:,} more causes are left out."))
    if not with_logs:
        return join([*parts, note("The output of failed runs is left out.")])
    logs, more = logs_of(causes, clean)
    for attempt, text in logs:
        words = WORDS[outcome(attempt)] if attempt.report is None else "no submission"
        title = f"{attempt.competition_id}, {attempt.agent}, seed {attempt.seed}: {words}"
        parts.append(
            element("details", element("summary", title), element("pre", text, tabindex=0))
        )
    if more > 0:
        parts.append(note(f"The output of {more:,} more failed runs is not here or left out."))
    return join(parts)


def method() -> Markup:
    items = [join([element("dt", name), element("dd", text)]) for name, text in METHOD]
    return element("dl", *items)


def repeat(results: Results) -> Markup:
    """The commands that make the runs and this page."""
    groups = {a.group.group: a.group for a in results.attempts if a.group}
    lines = list(dict.fromkeys(run_command(group, results) for group in groups.values()))
    sources = sorted(Path(place).name for place in {a.source for a in results.attempts})
    if len(sources) > 20:
        sources = ["runs"]
    lines.append(shlex.join(["mlebench", "report", *sources, "--html", "report.html"]))
    return element("pre", "\n".join(lines), tabindex=0)


def run_command(group: GroupRecord, results: Results) -> str:
    """The command line of a group, as far as its settings tell; places and keys are left out."""
    settings = group.settings
    words = ["mlebench", "run", "--agent", group.agent, *_chosen(group, results)]
    seeds = 1 + max((run.seed for run in group.runs), default=0)
    words += [
        "--seeds",
        str(seeds),
        "--sandbox",
        settings.sandbox,
        "--hours",
        f"{settings.hours:g}",
    ]
    words += ["--profile", settings.profile]
    for name, value in (("--model", settings.model), ("--image", settings.image)):
        words += [name, value] if value else []
    words += ["--obfuscated"] * settings.is_obfuscated + ["--rehearsal"] * settings.is_rehearsal
    return shlex.join(words)


def _chosen(group: GroupRecord, results: Results) -> Sequence[str]:
    ids = {run.competition_id for run in group.runs}
    for name in ("all", "low", "medium", "high", "dev", "starter"):
        if ids == set(results.catalogue.get_split(name)):
            return ["--split", name]
    return [word for i in sorted(ids) for word in ("-c", i)]
