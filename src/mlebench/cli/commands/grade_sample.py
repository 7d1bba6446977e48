"""`mlebench grade-sample`: grade one submission."""

from __future__ import annotations

import json
from pathlib import Path

import click

from mlebench.catalogue import Catalogue
from mlebench.cli.help import bench_command
from mlebench.cli.options import PATH, catalogue_options, competition_argument, json_option
from mlebench.cli.output import print_json, report_logger
from mlebench.records.report import CompetitionReport, Uncertainty


@bench_command()
@click.argument("submission", type=PATH)
@competition_argument
@catalogue_options
@json_option
def command(submission: Path, competition_id: str, catalogue: Catalogue, as_json: bool) -> None:
    """Grade one submission; `None` as SUBMISSION prints the thresholds with a null score.

    \b
    Examples:
      mlebench grade-sample submission.csv spaceship-titanic
      mlebench grade-sample None spaceship-titanic
      mlebench grade-sample submission.csv spaceship-titanic --json
    """
    from mlebench.grading.grade import grade_file

    competition = catalogue.get_competition(competition_id)
    graded = grade_file(None if str(submission) == "None" else submission, competition)
    report = graded.to_dict()
    if as_json:
        print_json(report)
        return
    if report["submission_exists"] and not report["valid_submission"]:
        report_logger().info(f"Invalid submission: {report['reason']}")
    if graded.uncertainty:
        report_logger().info(describe_certainty(graded, graded.uncertainty))
    # Last: tools parse the log from the first brace on.
    report_logger().info("Competition report:")
    report_logger().info(json.dumps(report, indent=4, allow_nan=False))


def describe_certainty(report: CompetitionReport, found: Uncertainty) -> str:
    """How certain the medal is, in one sentence."""
    if not found.score_interval or not found.rank_interval:
        return f"Standard error of the score: unknown ({found.reason})"
    best, worst = found.rank_interval
    medal = report.medal or "no medal"
    return (
        f"Score {report.score} ± {found.standard_error:.2g} (standard error over {found.units:,}"
        f" {found.unit}s, revision {report.revision}); rank {best:,} to {worst:,} of"
        f" {report.teams:,} (95 %): {medal}"
        + (", uncertain: a medal cut is inside this interval" if found.uncertain else "")
    )
