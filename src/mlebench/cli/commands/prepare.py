"""`mlebench prepare`: make public data and hidden answers."""

from __future__ import annotations

import shlex
import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from mlebench.catalogue import Catalogue
from mlebench.cli.help import bench_command
from mlebench.cli.options import (
    Selection,
    catalogue_options,
    combine,
    jobs_option,
    json_option,
    selection_options,
)
from mlebench.cli.output import counted, exit_if, note, print_checks, print_json, print_table
from mlebench.errors import BenchError
from mlebench.version import option_for

if TYPE_CHECKING:
    from mlebench.doctor.check import Check
    from mlebench.preparing.options import PrepareOptions
    from mlebench.preparing.pipeline import PreparationOutcome, PreparationTask


own_options = combine(
    click.option(
        "--archive",
        type=click.Path(path_type=Path, exists=True),
        help="Your own archive, raw folder, or a folder of <id>.zip files; never removed.",
    ),
    click.option("--keep-raw", is_flag=True, help="Keep archive and raw data after preparing."),
    click.option("--unpack", is_flag=True, help="Unpack archives inside the public data."),
    click.option("--obfuscated", is_flag=True, help="Use the obfuscated description."),
    click.option("--official-descriptions", is_flag=True, help="Use the descriptions on Kaggle."),
    click.option("--skip-verification", is_flag=True, help="Ignore official checksums."),
    click.option("--overwrite-checksums", is_flag=True, help="Same as --skip-verification."),
    click.option(
        "--overwrite-leaderboard", is_flag=True, help="Download the full leaderboard again."
    ),
    click.option("--force", is_flag=True, help="Prepare again even if already prepared."),
    click.option("--check", is_flag=True, help="Only check what is missing."),
    click.option("--rehearsal", is_flag=True, help="Use small synthetic raw data."),
    click.option("--seed", default=0, help="Seed of the rehearsal data."),
    click.option("--scale", type=click.IntRange(1), default=1, help="Size of the rehearsal data."),
)


@bench_command()
@partial(selection_options, everything="All 82 as published; the benchmark's 75: --split all.")
@catalogue_options
@own_options
@jobs_option
@json_option
def command(
    selection: Selection, catalogue: Catalogue, jobs: int, as_json: bool, **asked: Any
) -> None:
    """Prepare competitions: public data for agents, answers for the grader.

    Raw data is downloaded from Kaggle unless it is in the data folder, as <id>/<id>.zip or
    <id>/raw, or given with --archive.

    \b
    Examples:
      mlebench prepare -c spaceship-titanic
      mlebench prepare --lite -j 4
      mlebench prepare --all --rehearsal --data-dir rehearsal
    """
    from mlebench.cli.prepare_display import display
    from mlebench.preparing.pipeline import prepare_many

    chosen = _chosen(catalogue, selection)
    if asked["check"]:
        checks = _checks(catalogue, chosen, asked, jobs)
        print_checks(checks, as_json=as_json)
        exit_if(any(check.state == "fail" for check in checks))
        return
    tasks, outcomes = _plan(catalogue, chosen, asked, jobs)
    start = time.monotonic()
    done: list[PreparationOutcome] = []
    try:
        with display() as (on_progress, on_done):

            def note_done(outcome: PreparationOutcome) -> None:
                done.append(outcome)
                on_done(outcome)

            outcomes += prepare_many(
                tasks, catalogue, jobs=jobs, on_progress=on_progress, on_done=note_done
            )
    except KeyboardInterrupt:
        note(f"\n{len(done)} of {counted(len(tasks), 'competition')} done and kept")
        note(f"continue: {shlex.join(['mlebench', *sys.argv[1:]])}")
        raise
    if asked["overwrite_leaderboard"]:
        _fetch_boards(catalogue, chosen)
    _print_result(outcomes, catalogue, time.monotonic() - start, as_json=as_json)
    exit_if(any(outcome.state == "failed" for outcome in outcomes))


def _chosen(catalogue: Catalogue, selection: Selection) -> list[str]:
    """The selected ids; as in the published command, `--lite` precedes `--all`, `--list`, `-c`."""
    from mlebench.catalogue.layout import published_ids

    options = {
        "--lite": Selection(lite=selection.lite),
        "--all": Selection(everything=selection.everything),
        "--list": Selection(list_file=selection.list_file),
        "-c": Selection(named=selection.named),
    }
    asked = [name for name, one in options.items() if one.is_given]
    # `--split` is ours and cannot be combined.
    if selection.split or not asked:
        return selection.ids(catalogue)
    winner, *losers = asked
    if losers:
        note(f"note: {winner} is used, {' and '.join(losers)} ignored")
    return published_ids() if winner == "--all" else options[winner].ids(catalogue)


def _plan(
    catalogue: Catalogue, chosen: list[str], asked: dict[str, Any], jobs: int
) -> tuple[list[PreparationTask], list[PreparationOutcome]]:
    """The tasks, and the competitions that cannot be downloaded."""
    from mlebench.preparing.pipeline import PreparationOutcome, PreparationTask

    if asked["obfuscated"] and asked["official_descriptions"]:
        raise click.UsageError("--obfuscated and --official-descriptions exclude each other")
    if asked["rehearsal"] and asked["archive"]:
        raise click.UsageError("--rehearsal makes its own archive; it excludes --archive")
    blocked = _blocked(catalogue, chosen, asked, jobs)
    for competition_id, reason in blocked.items():
        note(f"fail  {competition_id}  {reason}")
    tasks = [
        PreparationTask(competition_id, _options(competition_id, asked, is_only=len(chosen) == 1))
        for competition_id in chosen
        if competition_id not in blocked
    ]
    return tasks, [PreparationOutcome(i, "failed", reason) for i, reason in blocked.items()]


def _options(competition_id: str, asked: dict[str, Any], *, is_only: bool) -> PrepareOptions:
    from mlebench.preparing.options import Description, PrepareOptions, Rehearsal
    from mlebench.preparing.raw_data import own_archive

    own = asked["archive"]
    description: Description = "official" if asked["official_descriptions"] else "own"
    return PrepareOptions(
        rehearsal=Rehearsal(asked["seed"], asked["scale"]) if asked["rehearsal"] else None,
        archive=own_archive(own, competition_id, is_only=is_only) if own else None,
        description="obfuscated" if asked["obfuscated"] else description,
        unpack=asked["unpack"],
        keep_raw=asked["keep_raw"],
        verify=not (asked["skip_verification"] or asked["overwrite_checksums"]),
        force=asked["force"],
    )


def _blocked(
    catalogue: Catalogue, chosen: list[str], asked: dict[str, Any], jobs: int
) -> dict[str, str]:
    """Competitions that Kaggle does not serve or that do not fit on the disk."""
    if asked["rehearsal"] or asked["archive"] or len(chosen) == 1:
        return {}
    from mlebench.doctor.preflight import unobtainable
    from mlebench.preparing.on_disk import needs_download

    missing = [i for i in chosen if needs_download(catalogue.get_competition(i))]
    if not missing:
        return {}
    return unobtainable(_preflight(catalogue, missing, asked, jobs=jobs, with_machine=False))


def _checks(catalogue: Catalogue, ids: list[str], asked: dict[str, Any], jobs: int) -> list[Check]:
    if not asked["rehearsal"]:
        return _preflight(catalogue, ids, asked, jobs=jobs)
    from mlebench.doctor.rehearsal_time import rehearsal_checks

    note("measuring how fast this machine prepares data; this takes some seconds")
    return rehearsal_checks(ids, catalogue.get_data_dir(), jobs=jobs, scale=asked["scale"])


def _preflight(
    catalogue: Catalogue, ids: list[str], asked: dict[str, Any], **options: Any
) -> list[Check]:
    from mlebench.doctor.preflight import preflight

    return preflight(
        [catalogue.get_competition(competition_id) for competition_id in ids],
        data_dir=catalogue.get_data_dir(),
        keep_raw=asked["keep_raw"],
        **options,
    )


def _fetch_boards(catalogue: Catalogue, chosen: list[str]) -> None:
    from mlebench.kaggle.leaderboards import download_leaderboard

    for competition_id in chosen:
        try:
            download_leaderboard(catalogue.get_competition(competition_id))
        except BenchError as error:
            note(f"warn  {competition_id}  its leaderboard was not downloaded: {error}")


def _print_result(
    outcomes: Sequence[PreparationOutcome], catalogue: Catalogue, seconds: float, *, as_json: bool
) -> None:
    revision = catalogue.revision
    if as_json:
        facts = [asdict(outcome) | {"ok": outcome.state != "failed"} for outcome in outcomes]
        print_json({"revision": revision, "competitions": facts})
        return
    if len(outcomes) > 1:
        head = ("state", "competition", "rows", "files", "MB", "seconds", "note")
        rows = [
            (o.state, o.competition_id, o.rows, o.files, megabytes, o.seconds, o.message)
            for o in outcomes
            for megabytes in [f"{o.bytes / 1e6:.1f}"]
        ]
        print_table(head, rows, right="rows files MB seconds")
    count = Counter(outcome.state for outcome in outcomes)
    note(
        f"Prepared {count['ok']} of {counted(len(outcomes), 'competition')} in {seconds:.1f} s,"
        f" revision {revision}; already prepared: {count['skipped']}, failed: {count['failed']}"
    )
    note(f"data: {catalogue.get_data_dir()}")
    if count["ok"] == len(outcomes) == 1:
        note(f"next: mlebench show {outcomes[0].competition_id}{option_for(revision)}")
