"""`mlebench view`: the runs folder in a browser."""

from __future__ import annotations

from pathlib import Path

import click

from mlebench.catalogue import Catalogue
from mlebench.cli.help import bench_command
from mlebench.cli.options import PATH, GroupOrPath, data_options
from mlebench.cli.output import note
from mlebench.cli.serving import address_options


@bench_command()
@click.argument("runs", required=False, type=GroupOrPath(), envvar="MLEBENCH_RUNS_DIR")
@address_options(7575, port_help="If it is in use, the next free one.")
@click.option(
    "--export",
    type=PATH,
    metavar="DIR",
    help="Write a static copy for any web server, without keys, instead of serving.",
)
@click.option("--kernels", type=PATH, help="Folder of kernels to show beside similar code.")
@click.option("--open", "is_opened", is_flag=True, help="Open the page in the default browser.")
@data_options
def command(
    runs: Path | None,
    host: str,
    port: int,
    export: Path | None,
    kernels: Path | None,
    is_opened: bool,
    catalogue: Catalogue,
) -> None:
    """Show groups, runs, logs, trajectories, files and comparisons in a browser.

    RUNS is the runs folder or one group in it (default: `runs`). The viewer is read-only and loads
    nothing from other hosts. If other machines can reach the address, a token is required, which
    the command prints. Ctrl-C ends it.

    \b
    Examples:
      mlebench view
      mlebench view runs/my-group --open
      mlebench view /data/runs --host 0.0.0.0 --port 8000
      mlebench view runs --export site
    """
    from mlebench.viewer.guard import is_loopback
    from mlebench.viewer.serve import find_place, listen, serve

    place = find_place(runs or Path("runs"))
    if export:
        from mlebench.viewer.export import export_runs

        pages = export_runs(place.root, catalogue, export, only=place.only)
        note(f"wrote {pages:,} pages")
        click.echo(export / "index.html")
        return

    with listen(host, port) as listener:
        taken = listener.getsockname()[1]
        if port and taken != port:
            note(f"port {port} is in use, using {taken}")

        def started(url: str) -> None:
            note(f"viewing {place.root if place.only is None else place.root / place.only}")
            note(f"open: {url}")
            if not is_loopback(host):
                note("other machines: use this machine's name; anyone with the link sees all runs")
            if is_opened:
                import webbrowser

                webbrowser.open(url)

        serve(listener, host, place, catalogue, on_start=started, kernels=kernels)
    note("the viewer has ended")
