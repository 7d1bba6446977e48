"""`mlebench report`: aggregate runs and grading reports over seeds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mlebench.cli.help import bench_command
from mlebench.cli.options import (
    PATH,
    GroupOrPath,
    jobs_option,
    json_option,
    stated_catalogue_options,
)
from mlebench.cli.output import note, print_json, print_table, safe

if TYPE_CHECKING:
    from mlebench.catalogue import Catalogue
    from mlebench.records.measures import WorkMeasures
    from mlebench.results.aggregate import SplitSummary
    from mlebench.results.attempts import Attempt
    from mlebench.results.figures import Results
    from mlebench.results.progress import Course


@bench_command()
@click.argument("sources", nargs=-1, required=True, type=GroupOrPath())
@click.option("--split", help="One split: low (lite), medium, high, all, dev, starter.")
@click.option("--seeds", type=click.IntRange(1), help="The expected number of seeds.")
@click.option("--pad-missing", is_flag=True, help="Count missing competitions as failures.")
@click.option("--allow-mixed", is_flag=True, help="Average reports with different conditions.")
@click.option(
    "--over-time", is_flag=True, help="Grade the copies kept during the runs: progress by hours."
)
@click.option(
    "--process", is_flag=True, help="Measure how the agents worked: validations, failures, code."
)
@jobs_option
@click.option("--html", type=PATH, help="Write a one-file report.")
@click.option("--csv", "csv_file", type=PATH, help="Write one row per run.")
@click.option("--redact", is_flag=True, help="With --html: omit the output of failed runs.")
@stated_catalogue_options
@json_option
def command(
    sources: tuple[Path, ...],
    split: str | None,
    seeds: int | None,
    pad_missing: bool,
    allow_mixed: bool,
    over_time: bool,
    process: bool,
    jobs: int,
    html: Path | None,
    csv_file: Path | None,
    redact: bool,
    stated_revision: str | None,
    catalogue: Catalogue,
    as_json: bool,
) -> None:
    """Percentages of submissions and medals: mean ± standard error over seeds.

    SOURCES are run groups, folders of them, or grading reports, ours or published ones. The k-th
    report of a competition by the same agent is its seed k.

    \b
    Examples:
      mlebench report runs/my-group
      mlebench report group1.json group2.json group3.json --split lite
      mlebench report runs --pad-missing --over-time --process --html report.html
    """
    from mlebench.results.aggregate import summarize_all
    from mlebench.results.attempts import load_attempts, of_revision, require_comparable
    from mlebench.results.figures import Results, all_figures

    attempts = of_revision(load_attempts(sources), stated_revision)
    require_comparable(attempts, allow_mixed=allow_mixed)
    summaries = summarize_all(attempts, catalogue, split, seeds=seeds, pad_missing=pad_missing)
    courses, processes = _details(attempts, catalogue, over_time, process, jobs)
    results = Results(attempts, summaries, catalogue, courses, processes)
    if csv_file:
        from mlebench.results.runs_table import write_csv

        write_csv(results, csv_file)
    if html:
        from mlebench.results.page import write_page

        for warning in write_page(results, html, with_logs=not redact):
            note(f"warning: {warning}")
    if as_json:
        print_json(all_figures(results))
        return
    _print(results)
    for name, path in (("page", html), ("runs", csv_file)):
        if path:
            note(f"{name}: {path}")


def _details(
    attempts: Sequence[Attempt], catalogue: Catalogue, over_time: bool, process: bool, jobs: int
) -> tuple[list[Course], list[tuple[Attempt, WorkMeasures]]]:
    """Grades over time and measures of the work: computed on request, else those stored."""
    from mlebench.results.process import measure_process, read_processes
    from mlebench.results.progress import grade_over_time, read_courses

    if over_time:
        problems: Counter[str] = Counter()

        def on_done(number: int, count: int, problem: str | None) -> None:
            if problem:
                problems[problem] += 1
            note(f"graded {number} of {count} runs")

        courses = grade_over_time(attempts, catalogue, jobs=jobs, on_done=on_done)
        for problem, count in problems.most_common():
            note(f"warning: the copies of {count} runs were not graded: {problem}")
    else:
        courses = read_courses(attempts)
    return courses, measure_process(attempts) if process else read_processes(attempts)


def _notes(
    results: Results, summary: Mapping[str, SplitSummary], own: Sequence[Attempt]
) -> Iterator[str]:
    """The denominators of an agent's percentages, and how missing reports count."""
    from mlebench.results.compliance import find_compliance
    from mlebench.results.notes import notes_on

    for split in summary.values():
        yield f"{split.split}: percent of {split.denominator}"
    yield from notes_on(results.catalogue, own)
    if compliance := find_compliance(own):
        yield str(compliance)
    if padded := sum(split.padded for split in summary.values()):
        yield f"{padded} missing reports count as failures"
    if failed := sum(attempt.report is None for attempt in own):
        yield f"{failed} attempts without a report count as failures"


def _print(results: Results) -> None:
    from mlebench.results.attempts import differences
    from mlebench.results.tables import summary_rows

    if synthetic := sum(bool(attempt.conditions.is_rehearsal) for attempt in results.attempts):
        note(
            f"REHEARSAL: {synthetic} of {len(results.attempts)} attempts are on synthetic data;"
            " their scores and medals mean nothing"
        )
    for agent, summary in results.summaries.items():
        own = [attempt for attempt in results.attempts if attempt.agent == agent]
        title = [safe(agent)] if len(results.summaries) > 1 else []
        if synthetic := sum(attempt.has("is_rehearsal") for attempt in own):
            title.append(f"SYNTHETIC DATA (rehearsal): {synthetic} of {len(own)} attempts")
        if title:
            click.secho(": ".join(title), bold=True)
        head, rows = summary_rows(summary)
        print_table(head, rows, right=" ".join(head[1:]))
        for text in _notes(results, summary, own):
            note(text)
    for name, values in differences(a.conditions for a in results.attempts).items():
        note(f"warning: these reports differ in {name}: {', '.join(values)}")
