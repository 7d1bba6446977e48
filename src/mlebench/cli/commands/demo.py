"""`mlebench demo`: prepare the starter competitions, run the baseline agent on them, grade it."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from mlebench.cli.help import bench_command
from mlebench.cli.options import json_option
from mlebench.cli.output import exit_if, note, print_json, print_table, program
from mlebench.cli.running import plain_lines

if TYPE_CHECKING:
    from mlebench.catalogue import Catalogue
    from mlebench.records.folders import GroupFolder
    from mlebench.results.attempts import Attempt
    from mlebench.sandbox.base import Sandbox

AGENT = "baseline"
AT_ONCE = 2
DEMONSTRATION = """\
A demonstration: this data ships with scikit-learn, answers included, and the leaderboards consist
of scikit-learn pipelines. It shows that everything works, and proves nothing about an agent."""


@bench_command()
@click.option(
    "--dir",
    "home",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("demo"),
    help="Folder for data and runs.",
)
@click.option(
    "--seconds",
    type=click.FloatRange(min=1),
    default=60,
    help="The agent's time limit for each competition, in seconds.",
)
@json_option
def command(home: Path, seconds: float, as_json: bool) -> None:
    """Prepare, run and grade: real data, an agent in a sandbox, its scores on leaderboards.

    Needs no account, no Docker and no network: the data of the four starter competitions ships
    inside scikit-learn, and the baseline agent is a program without a language model.

    \b
    Examples:
      mlebench demo
      mlebench demo --dir /tmp/demo --seconds 120
      mlebench demo --json
    """
    from mlebench.catalogue import Catalogue
    from mlebench.grading.batch import require_writable
    from mlebench.results.aggregate import summarize
    from mlebench.results.attempts import load_attempts
    from mlebench.results.figures import Results
    from mlebench.results.page import write_page

    started = time.monotonic()
    require_writable(home / "runs")
    catalogue = Catalogue((home / "data").resolve())
    ids = catalogue.get_split("starter")
    for competition_id in ids:
        _prepare(catalogue, competition_id)
    group = _run(catalogue, ids, home / "runs", seconds)
    attempts = load_attempts([group.path])
    page = home / "report.html"
    summary = summarize(attempts, {"starter": ids})
    write_page(Results(attempts, {AGENT: summary}, catalogue), page)
    took = time.monotonic() - started
    if as_json:
        facts = {"is_demonstration": True, "runs": str(group.path), "page": str(page)}
        reports = [attempt.report.to_dict() for attempt in attempts if attempt.report]
        print_json(facts | {"competition_reports": reports, "seconds": round(took, 1)})
    else:
        _print_result(attempts, took, catalogue)
        _print_places(home, group, page)
    exit_if(not all(attempt.has("valid_submission") for attempt in attempts))


def _prepare(catalogue: Catalogue, competition_id: str) -> None:
    from mlebench.preparing.prepare import prepare

    competition = catalogue.get_competition(competition_id)
    if competition.folder.manifest.is_file():
        note(f"ok    {competition_id}  prepared before")
        return
    started = time.monotonic()
    made = prepare(competition)
    size = sum(int(file["size"]) for file in made.files.values())
    note(
        f"ok    {competition_id}  prepared: {len(made.files):,} files  {size / 1e6:.1f} MB"
        f"  {time.monotonic() - started:.1f} s"
    )


def _run(catalogue: Catalogue, ids: list[str], runs_dir: Path, seconds: float) -> GroupFolder:
    """Run the baseline agent on each, two at once, in the best sandbox that works here."""
    from mlebench.agents.registry import find_agent
    from mlebench.runner.group import RunRequest, start_group, work_on
    from mlebench.runner.statuses import GroupWatch

    sandbox = _best_sandbox()
    request = RunRequest(sandbox=sandbox.name, profile="small", hours=seconds / 3600)
    group, work = start_group(catalogue, find_agent(AGENT), ids, request, runs_dir)
    note(f"sandbox: {sandbox.name} ({sandbox.isolation})")
    show = plain_lines(GroupWatch(group))
    work_on(work, jobs=AT_ONCE, on_change=show)
    show(is_forced=True)
    return group


def _best_sandbox() -> Sandbox:
    """The best one; else none at all, which is safe here: agent and data are our own."""
    from mlebench.errors import SandboxError
    from mlebench.sandbox.registry import best_sandbox, get_sandbox

    try:
        return best_sandbox()
    except SandboxError as error:
        note(f"WARNING: NO ISOLATION: {error}")
        return get_sandbox("process")


def _rows(attempts: list[Attempt], catalogue: Catalogue) -> Iterator[list[Any]]:
    from mlebench.results.runs_table import texts, values

    for attempt in attempts:
        report, run, shown = attempt.report, attempt.run, texts(values(attempt))
        metric = catalogue.get_competition(attempt.competition_id).definition.metric
        yield [
            attempt.competition_id,
            f"{metric.name} {'↓' if metric.is_lower_better else '↑'}",
            *(shown[name] for name in ("score", "rank", "teams beaten")),
            attempt.medal or (attempt.problem if report is None else report.reason),
            f"{run.seconds:.1f}" if run and run.seconds is not None else None,
        ]


def _print_result(attempts: list[Attempt], seconds: float, catalogue: Catalogue) -> None:
    head = ("competition", "metric", "score", "rank", "percentile", "medal", "seconds")
    print_table(head, list(_rows(attempts, catalogue)), right="score rank percentile seconds")
    medals = [attempt.medal for attempt in attempts if attempt.medal]
    invalid = sum(not attempt.has("valid_submission") for attempt in attempts)
    note(f"\n{DEMONSTRATION}\n")
    note(
        f"Ran the baseline agent on {len(attempts)} competitions in {seconds:.1f} s:"
        f" {len(medals)} medals ({medals.count('gold')} G, {medals.count('silver')} S,"
        f" {medals.count('bronze')} B), {invalid} invalid"
    )


def _print_places(home: Path, group: GroupFolder, page: Path) -> None:
    note(f"data:   {home / 'data'}")
    note(f"runs:   {home / 'runs' / group.path.name}")
    note(f"page:   {page}  (open it in a browser)")
    note(f"next:   {program()} view {home / 'runs'}")
    note(f"        {program()} list --split lite")
    note(f"        {program()} run --agent baseline -c spaceship-titanic --rehearsal")
