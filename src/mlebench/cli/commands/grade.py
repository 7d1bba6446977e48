"""`mlebench grade`: grade the submissions named in a JSONL file."""

from __future__ import annotations

import json
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from mlebench.catalogue import Catalogue
from mlebench.cli.help import bench_command
from mlebench.cli.options import PATH, jobs_option, json_option, stated_catalogue_options
from mlebench.cli.output import exit_if, note, print_json, report_logger
from mlebench.cli.progress import progress


@bench_command()
@click.option(
    "--submission",
    required=True,
    type=PATH,
    help="JSONL file: one object per line with competition_id and submission_path.",
)
@click.option("--output-dir", required=True, type=PATH, help="Folder for the grading report.")
@click.option(
    "--timeout",
    "seconds",
    type=click.FloatRange(min=0.1),
    default=600,
    help="Seconds per submission; one that takes longer is invalid.",
)
@jobs_option
@stated_catalogue_options
@json_option
def command(
    submission: Path,
    output_dir: Path,
    seconds: float,
    jobs: int,
    stated_revision: str | None,
    catalogue: Catalogue,
    as_json: bool,
) -> None:
    """Grade many submissions; one that cannot be graded does not stop the rest.

    An invalid submission is a result: the exit code stays 0. It is 1 if an entry could not be
    graded, because its data is missing or because of a bug. Lines of `make-submission` name the
    revision of their runs, if it is not v1.

    \b
    Examples:
      mlebench grade --submission submissions.jsonl --output-dir reports
      mlebench grade --submission submissions.jsonl --output-dir reports -j 8
      mlebench grade --submission submissions.jsonl --output-dir reports --json
    """
    from mlebench.grading.batch import (
        choose_revision,
        grade_entries,
        read_entries,
        require_writable,
        summarize,
        write_summary,
    )

    entries = read_entries(submission)
    revision = choose_revision(entries, stated_revision, submission)
    require_writable(output_dir)
    start = time.monotonic()
    with progress("grading", len(entries)) as step:
        results = grade_entries(
            entries,
            replace(catalogue, revision=revision),
            jobs=jobs,
            seconds=seconds,
            on_done=lambda _: step(),
        )
    summary = summarize(results) | {"revision": revision}
    path = write_summary(summary, output_dir)
    for error in summary["errors"]:
        note(f"error: {error['message']}")
    _print_result(summary, path, time.monotonic() - start, as_json)
    exit_if(summary["errors"])


def _print_result(summary: dict[str, Any], path: Path, seconds: float, as_json: bool) -> None:
    if as_json:
        print_json(summary | {"report": str(path)})
        return
    without_reports = {
        k: v for k, v in summary.items() if k not in ("competition_reports", "errors")
    }
    report_logger().info(json.dumps(without_reports, indent=4))
    note(_closing_line(summary, seconds))
    note(f"report: {path}")
    note(f"next: mlebench report {path}")


def _closing_line(summary: dict[str, Any], seconds: float) -> str:
    won = Counter(
        "G" if r["gold_medal"] else "S" if r["silver_medal"] else "B"
        for r in summary["competition_reports"]
        if r["any_medal"]
    )
    graded = summary["total_runs"] - len(summary["errors"])
    invalid = graded - summary["total_valid_submissions"]
    return (
        f"Graded {graded} submissions in {seconds:.1f} s, revision {summary['revision']}:"
        f" {summary['total_medals']} medals ({won['G']} G, {won['S']} S, {won['B']} B),"
        f" {invalid} invalid, {len(summary['errors'])} not graded"
    )
