"""`mlebench check-competition`: is a competition ready for agents?"""

from __future__ import annotations

from dataclasses import asdict

import click

from mlebench.catalogue import Catalogue
from mlebench.cli.help import bench_command
from mlebench.cli.options import catalogue_options, complete_ids, json_option
from mlebench.cli.output import note, print_checks, print_json


@bench_command()
@click.argument(
    "competition_ids", metavar="ID...", nargs=-1, required=True, shell_complete=complete_ids
)
@click.option("--rehearsal", is_flag=True, help="Use synthetic data even if real data is prepared.")
@catalogue_options
@json_option
def command(
    competition_ids: tuple[str, ...], rehearsal: bool, catalogue: Catalogue, as_json: bool
) -> None:
    """Check competitions on their prepared data, or on synthetic data if none is prepared.

    Checks the direction of the metric, the leaderboard, sample, gold, trivial and broken
    submissions, answers revealed by public files or their order, the descriptions and the time
    that grading takes. Exit code 1: something is wrong; 3: something needs a look.

    \b
    Examples:
      mlebench check-competition rain-tomorrow --competitions-dir competitions
      mlebench check-competition spaceship-titanic --rehearsal
      mlebench check-competition spaceship-titanic --json
    """
    from mlebench.checking import check_on_data

    for competition_id in competition_ids:
        catalogue.require_known(competition_id)
    results = []
    for competition_id in competition_ids:
        found = check_on_data(catalogue.get_competition(competition_id), rehearse=rehearsal)
        results.append(found)
        if not as_json:
            kind = "synthetic data" if found.is_rehearsal else "prepared data"
            note(f"{competition_id}, on {kind}")
            print_checks(found.checks)
    if as_json:
        print_json({"competitions": [asdict(found) for found in results]})
    codes = {found.exit_code for found in results}
    raise click.exceptions.Exit(1 if 1 in codes else 3 if 3 in codes else 0)
