"""`mlebench validate`: check the format of a submission, without scoring it."""

from __future__ import annotations

from pathlib import Path

import click

from mlebench.catalogue import Catalogue
from mlebench.cli.help import bench_command
from mlebench.cli.options import (
    PATH,
    catalogue_options,
    competition_argument,
    json_option,
)
from mlebench.cli.output import note, print_json, safe
from mlebench.version import option_for


@bench_command()
@click.argument("submission", type=PATH)
@competition_argument
@catalogue_options
@json_option
def command(submission: Path, competition_id: str, catalogue: Catalogue, as_json: bool) -> None:
    """Check whether a file can be graded, and if not, why; then the exit code is 1.

    The result depends only on the format and the ids: it reveals nothing about the answers.

    \b
    Examples:
      mlebench validate submission.csv spaceship-titanic
      mlebench validate submission.csv spaceship-titanic --json
      mlebench validate submission.csv my-own --competitions-dir competitions
    """
    from mlebench.grading.grade import validate

    revision = catalogue.revision
    reason = validate(submission, catalogue.get_competition(competition_id))
    if as_json:
        print_json({"valid": reason is None, "reason": reason, "revision": revision})
    else:
        click.echo("valid" if reason is None else f"invalid: {safe(reason)}")
        note(f"revision {revision}")
    if reason is not None:
        raise click.exceptions.Exit(1)
    if not as_json:
        note(f"next: mlebench grade-sample {submission} {competition_id}{option_for(revision)}")
