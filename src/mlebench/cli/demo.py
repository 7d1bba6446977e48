"""`mlebench demo`: prepare the starter competitions, run the baseline agent on them, grade it."""

from __future__ import annotations

import json
import subprocess
import sys
import time
import uuid
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from mlebench.cli.options import json_option
from mlebench.cli.output import note, print_json, print_table
from mlebench.cli.progress import progress

if TYPE_CHECKING:
    from mlebench.grading.batch import LineResult
    from mlebench.grading.report import CompetitionReport
    from mlebench.registry import Competition

AGENT = "baseline"
AT_ONCE = 2
GRACE_SECONDS = 30
DEMONSTRATION = """\
A demonstration: this data ships inside scikit-learn, answers included, and the boards are made of
scikit-learn pipelines. It shows that everything works, and proves nothing about an agent."""


@dataclass(frozen=True)
class DemoRun:
    """One run of the agent: its folder and how it ended."""

    competition: Competition
    folder: Path
    seconds: float
    exit_code: int

    @property
    def submission(self) -> Path:
        return self.folder / "submission" / "submission.csv"


@click.command()
@click.option(
    "--dir",
    "home",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("demo"),
    show_default=True,
    help="Where data and runs go.",
)
@click.option(
    "--seconds",
    type=click.FloatRange(min=1),
    default=20,
    show_default=True,
    help="Time for the agent on each competition.",
)
@json_option
def command(home: Path, seconds: float, as_json: bool) -> None:
    """Show the whole way in a minute: real data, an agent, its scores on a leaderboard.

    Needs no account, no Docker and no network: the data of the four starter competitions ships
    inside scikit-learn, and the baseline agent is a program without a language model.

    \b
    Examples:
      mlebench demo
      mlebench demo --dir /tmp/demo --seconds 30
      mlebench demo --json
    """
    from mlebench.grading.batch import require_writable, summarize, write_summary
    from mlebench.utils import get_timestamp

    started = time.monotonic()
    group = home / "runs" / f"{get_timestamp()}_run-group_{AGENT}"
    require_writable(group)
    runs = _run_all(home / "data", group, seconds)
    results = [_graded(number, run) for number, run in enumerate(runs, 1)]
    _write_lines(group / "submissions.jsonl", runs)
    report = write_summary(summarize(results), group)
    took = time.monotonic() - started
    reports = [result.report for result in results if result.report]
    if as_json:
        print_json(_as_json(runs, reports, home, report) | {"seconds": round(took, 1)})
    else:
        _print_result(runs, reports, took)
        _print_places(home, group, report)
    if not all(graded.valid_submission for graded in reports):
        raise click.exceptions.Exit(1)


def _run_all(data_dir: Path, group: Path, seconds: float) -> list[DemoRun]:
    """Prepare one after the other; the agent starts on each as soon as it is ready."""
    from mlebench.registry import Registry

    registry = Registry(data_dir)
    ids = registry.get_split("starter")
    with progress("demo", 2 * len(ids)) as step, ThreadPoolExecutor(AT_ONCE) as pool:
        waiting = []
        for competition_id in ids:
            competition = registry.get_competition(competition_id)
            _prepare(competition)
            step()
            waiting.append(pool.submit(_run_agent, competition, group, seconds, step))
        return [run.result() for run in waiting]


def _prepare(competition: Competition) -> None:
    from mlebench.data.prepare import prepare

    if competition.folder.manifest.is_file():
        note(f"ok    {competition.id}  prepared before")
        return
    started = time.monotonic()
    made = prepare(competition)
    size = sum(int(file["size"]) for file in made.files.values())
    note(
        f"ok    {competition.id}  prepared: {len(made.files):,} files  {size / 1e6:.1f} MB"
        f"  {time.monotonic() - started:.1f} s"
    )


def _run_agent(
    competition: Competition, group: Path, seconds: float, step: Callable[[], None]
) -> DemoRun:
    """Run the agent as a child process that is given the public folder."""
    folder = group.resolve() / f"{competition.id}_{uuid.uuid4()}"
    for part in ("submission", "logs", "code"):
        (folder / part).mkdir(parents=True)
    words = [sys.executable, "-m", "mlebench.agents.baseline", "--seconds", f"{seconds:g}"]
    words += ["--data", str(competition.public_dir.resolve())]
    words += ["--out", str(folder / "submission" / "submission.csv")]
    started = time.monotonic()
    with (folder / "logs" / "agent.log").open("wb") as log:
        try:
            exit_code = subprocess.run(
                words,
                cwd=folder / "code",
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                timeout=seconds + GRACE_SECONDS,
                check=False,
            ).returncode
        except subprocess.TimeoutExpired:
            exit_code = -1
    run = DemoRun(competition, folder, time.monotonic() - started, exit_code)
    state = "ok  " if exit_code == 0 else "fail"
    note(f"{state}  {competition.id}  agent  {run.seconds:.1f} s")
    step()
    return run


def _graded(number: int, run: DemoRun) -> LineResult:
    from mlebench.grading.batch import Line, LineResult
    from mlebench.grading.grade import grade_file

    line = Line(number, run.competition.id, str(run.submission))
    return LineResult(line, report=grade_file(run.submission, run.competition))


def _write_lines(path: Path, runs: list[DemoRun]) -> None:
    """What `mlebench grade` takes, to grade the runs once more."""
    lines = [
        {
            "competition_id": run.competition.id,
            "submission_path": str(run.submission),
            "logs_path": str(run.folder / "logs"),
            "code_path": str(run.folder / "code"),
        }
        for run in runs
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")


def _print_result(runs: list[DemoRun], reports: list[CompetitionReport], took: float) -> None:
    head = ("competition", "metric", "score", "rank", "percentile", "medal", "seconds")
    rows = [_row(run, report) for run, report in zip(runs, reports, strict=True)]
    print_table(head, rows, right="score rank percentile seconds")
    for report in reports:
        if report.reason:
            note(f"invalid: {report.competition_id}: {report.reason}")
    won = Counter(report.medal for report in reports)
    invalid = sum(not report.valid_submission for report in reports)
    note(
        f"\n{DEMONSTRATION}\n\n"
        f"Ran the {AGENT} agent on {len(runs)} competitions in {took:.1f} s:"
        f" {len(reports) - won[None]} medals"
        f" ({won['gold']} G, {won['silver']} S, {won['bronze']} B), {invalid} invalid"
    )


def _row(run: DemoRun, report: CompetitionReport) -> list[Any]:
    arrow = "↓" if report.is_lower_better else "↑"
    beaten = report.human_rank
    return [
        report.competition_id,
        f"{run.competition.declaration.metric.name} {arrow}",
        None if report.score is None else f"{report.score:.5f}",
        None if report.rank is None else f"{report.rank} of {report.teams}",
        None if beaten is None else f"{100 * beaten:.1f} %",
        report.medal,
        f"{run.seconds:.1f}",
    ]


def _print_places(home: Path, group: Path, report: Path) -> None:
    note(
        f"data:   {home / 'data'}\n"
        f"runs:   {group}  (submission, logs and code of each)\n"
        f"report: {report}\n"
        "next:   mlebench show starter-wine\n"
        "        mlebench list --split lite\n"
        "        mlebench prepare --rehearsal -c spaceship-titanic"
    )


def _as_json(
    runs: list[DemoRun], reports: list[CompetitionReport], home: Path, report: Path
) -> dict[str, Any]:
    return {
        "schema": 1,
        "is_demonstration": True,
        "note": DEMONSTRATION.replace("\n", " "),
        "agent": AGENT,
        "data_dir": str(home / "data"),
        "group_dir": str(report.parent),
        "report": str(report),
        "runs": [
            {
                "run_dir": str(run.folder),
                "seconds": round(run.seconds, 1),
                "exit_code": run.exit_code,
                "percentile": None if graded.human_rank is None else 100 * graded.human_rank,
                "report": graded.to_dict(),
            }
            for run, graded in zip(runs, reports, strict=True)
        ],
    }
