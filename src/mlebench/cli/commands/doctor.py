"""`mlebench doctor`: check what preparing and running needs."""

from __future__ import annotations

import click

from mlebench.catalogue import Catalogue
from mlebench.cli.help import bench_command
from mlebench.cli.options import Selection, data_options, json_option, one_of, selection_options
from mlebench.cli.output import exit_if, print_checks


@bench_command()
@selection_options
@data_options
@click.option("--offline", is_flag=True, help="Do not ask Kaggle.")
@click.option("--attack", is_flag=True, help="Run hostile agents in a sandbox; takes a minute.")
@click.option(
    "--sandbox",
    shell_complete=one_of("process", "bubblewrap", "docker", "apptainer"),
    help="With --attack: which one; default: the best that works.",
)
@json_option
def command(
    selection: Selection,
    catalogue: Catalogue,
    offline: bool,
    attack: bool,
    sandbox: str | None,
    as_json: bool,
) -> None:
    """Check account, rules, disk, packages, sandboxes and GPUs; change nothing.

    \b
    Examples:
      mlebench doctor
      mlebench doctor --lite
      mlebench doctor -c spaceship-titanic --json
      mlebench doctor --offline --attack --sandbox bubblewrap
    """
    from mlebench.doctor.preflight import attack_checks, preflight

    chosen = selection.ids(catalogue) if selection.is_given else []
    checks = preflight(
        [catalogue.get_competition(competition_id) for competition_id in chosen],
        data_dir=catalogue.get_data_dir(),
        online=not offline,
    )
    if attack:
        checks += attack_checks(sandbox)
    print_checks(checks, as_json=as_json)
    exit_if(any(check.state == "fail" for check in checks))
