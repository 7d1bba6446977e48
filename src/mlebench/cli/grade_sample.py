"""`mlebench grade-sample`: grade one submission."""

from __future__ import annotations

import json
from pathlib import Path

import click

from mlebench.cli.help import bench_command
from mlebench.cli.options import (
    catalogue_options,
    competition_argument,
    json_option,
    make_catalogue,
)
from mlebench.cli.output import print_json, report_logger


@bench_command()
@click.argument("submission", type=click.Path(path_type=Path))
@competition_argument
@catalogue_options
@json_option
def command(
    submission: Path,
    competition_id: str,
    data_dir: Path | None,
    competitions_dir: tuple[Path, ...],
    as_json: bool,
) -> None:
    """Grade one submission; `None` in its place prints the thresholds with a null score.

    \b
    Examples:
      mlebench grade-sample submission.csv spaceship-titanic
      mlebench grade-sample None spaceship-titanic
      mlebench grade-sample submission.csv spaceship-titanic --json
    """
    from mlebench.errors import UsageError
    from mlebench.grading.batch import Line, grade_lines

    catalogue = make_catalogue(data_dir, competitions_dir)
    catalogue.require_known(competition_id)
    (result,) = grade_lines([Line(1, competition_id, str(submission))], catalogue)
    if result.report is None:
        raise UsageError(result.error or "the submission was not graded")
    report = result.report.to_dict()
    if as_json:
        print_json(report)
        return
    report_logger().info("Competition report:")
    report_logger().info(json.dumps(report, indent=4, allow_nan=False))
