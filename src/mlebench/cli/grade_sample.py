"""`mlebench grade-sample`: grade one submission."""

from __future__ import annotations

import json
from pathlib import Path

import click

from mlebench.catalogue import Catalogue
from mlebench.cli.help import bench_command
from mlebench.cli.options import PATH, catalogue_options, competition_argument, json_option
from mlebench.cli.output import print_json, report_logger


@bench_command()
@click.argument("submission", type=PATH)
@competition_argument
@catalogue_options
@json_option
def command(
    submission: Path,
    competition_id: str,
    catalogue: Catalogue,
    as_json: bool,
) -> None:
    """Grade one submission; `None` as SUBMISSION prints the thresholds with a null score.

    \b
    Examples:
      mlebench grade-sample submission.csv spaceship-titanic
      mlebench grade-sample None spaceship-titanic
      mlebench grade-sample submission.csv spaceship-titanic --json
    """
    from mlebench.grading.grade import grade_file

    competition = catalogue.get_competition(competition_id)
    report = grade_file(None if str(submission) == "None" else submission, competition).to_dict()
    if as_json:
        print_json(report)
        return
    if report["submission_exists"] and not report["valid_submission"]:
        report_logger().info(f"Invalid submission: {report['reason']}")
    report_logger().info("Competition report:")
    report_logger().info(json.dumps(report, indent=4, allow_nan=False))
