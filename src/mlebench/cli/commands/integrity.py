"""`mlebench integrity`: checks of what runs left, and reviews of the findings."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from mlebench.catalogue import Catalogue
from mlebench.cli.help import BenchGroup
from mlebench.cli.options import (
    PATH,
    GroupOrPath,
    combine,
    competition_option,
    data_options,
    jobs_option,
    json_option,
)
from mlebench.cli.output import counted, note, print_json, print_table
from mlebench.errors import UsageError

if TYPE_CHECKING:
    from mlebench.gateway.settings import GatewaySettings
    from mlebench.records.integrity import IntegrityRecord, Status


judge_options = combine(
    click.option("--judge", help="Also ask this model about runs and findings."),
    click.option(
        "--judge-url",
        default="https://api.openai.com/v1",
        envvar="OPENAI_BASE_URL",
        show_envvar=True,
        help="Base URL of the judge's provider.",
    ),
    click.option(
        "--judge-key-env",
        default="OPENAI_API_KEY",
        help="The variable with the key of the judge's provider.",
    ),
    click.option(
        "--judge-tokens",
        type=click.IntRange(1),
        default=200_000,
        help="Tokens that the judge may use for a run.",
    ),
    click.option(
        "--replay-judge", is_flag=True, help="Answer from the recorded calls of an earlier scan."
    ),
    click.option(
        "--questions",
        type=click.Choice(["published"]),
        help="With --judge: the three questions of the published detector.",
    ),
    click.option(
        "--output-dir", type=PATH, help="Folder for the files of the published questions."
    ),
)


def judge_settings(asked: dict[str, Any]) -> GatewaySettings | None:
    """The gateway for the judge; None without one."""
    if not asked["judge"]:
        return None
    from mlebench.gateway.settings import Budget, GatewaySettings

    is_replay = asked["replay_judge"]
    return GatewaySettings(
        model=asked["judge"],
        base_url="" if is_replay else asked["judge_url"],
        run_budget=Budget(tokens=asked["judge_tokens"]),
        replay="host/judge.jsonl" if is_replay else None,
        max_output_tokens=4096,
    )


class DefaultScan(BenchGroup):
    """A call without a subcommand means `scan`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if args and args[0] not in self.commands and args[0] not in ctx.help_option_names:
            args = ["scan", *args]
        return super().parse_args(ctx, args)


@click.group(cls=DefaultScan)
def command() -> None:
    """Check what runs left for violations of the rules, or review findings.

    `mlebench integrity RUNS` is short for `mlebench integrity scan RUNS`.

    \b
    Examples:
      mlebench integrity runs/my-group
      mlebench integrity confirm runs/my-group/RUN I7-1a2b3c4d --by Ada --why "used in the model"
    """


def _existing(folder: Path | None) -> Path | None:
    if folder is not None and not any(folder.glob("*/*.csv")) and not any(folder.glob("*/*/*.csv")):
        raise UsageError(f"{folder} contains no submissions; expected {folder}/<competition>/*.csv")
    return folder


@command.command("scan")
@click.argument("sources", nargs=-1, required=True, type=GroupOrPath())
@judge_options
@click.option("--kernels", type=PATH, help="A folder of public solutions to compare with.")
@click.option(
    "--submissions",
    type=PATH,
    help="A folder of known public submissions, <competition>/*.csv, to compare with.",
)
@click.option("--html", type=PATH, help="Write the findings as a page.")
@jobs_option
@data_options
@json_option
def scan(
    sources: tuple[Path, ...],
    kernels: Path | None,
    submissions: Path | None,
    html: Path | None,
    jobs: int,
    catalogue: Catalogue,
    as_json: bool,
    **asked: Any,
) -> None:
    """Run the checks I1 to I16 and write `host/integrity.json` of every run.

    Exit code 3: findings to review; 4: a violation.

    \b
    Examples:
      mlebench integrity runs/my-group
      mlebench integrity runs -j 2 --kernels kernels --html findings.html
      mlebench integrity runs/my-group --json
    """
    from mlebench.integrity.checking import check_runs, exit_code
    from mlebench.integrity.extensions import IntegrityOptions
    from mlebench.integrity.sources import find_runs
    from mlebench.records.codec import to_json

    options = IntegrityOptions(
        judge=judge_settings(asked),
        kernels=kernels,
        submissions=_existing(submissions),
        questions=asked["questions"],
        api_key_env=asked["judge_key_env"],
        output_dir=asked["output_dir"] or Path(),
    )
    records = list(check_runs(find_runs(sources), catalogue, options, jobs=jobs))
    if html:
        from mlebench.integrity.page import write_findings

        write_findings(records, html)
        note(f"page: {html}")
    if as_json:
        print_json({"runs": [to_json(record) for record in records]})
    else:
        _print(records)
    raise click.exceptions.Exit(exit_code(records))


def _print(records: list[IntegrityRecord]) -> None:
    head = ("run", "check", "severity", "status", "finding", "figure", "threshold", "title")
    rows: list[list[Any]] = [
        [
            *(record.run_id, finding.check, finding.severity, finding.status, finding.id),
            *(finding.figure, finding.threshold, finding.title),
        ]
        for record in records
        for finding in record.findings
    ]
    if rows:
        print_table(head, rows, right="figure threshold")
    skipped = {(s.id, s.reason) for record in records for s in record.checks_skipped}
    for name, reason in sorted(skipped):
        note(f"skipped {name}: {reason}")
    results = [record.result for record in records]
    note(
        f"Checked {counted(len(records), 'run')}: {results.count('clean')} clean,"
        f" {results.count('review')} to review, {results.count('disqualified')} disqualified"
    )


def _review(run: Path, finding: str, decision: Status, by: str, why: str) -> None:
    from mlebench.integrity.reviews import review
    from mlebench.integrity.sources import find_runs

    (source,) = find_runs([run])
    record = review(source, finding, decision=decision, reviewer=by, reason=why)
    note(f"{finding} is {decision}; the run is now: {record.result}")


review_options = combine(
    click.argument("run", type=PATH),
    click.argument("finding"),
    click.option("--by", required=True, help="Who decides."),
    click.option("--why", required=True, help="The reason."),
)


@command.command("confirm")
@review_options
def confirm(run: Path, finding: str, by: str, why: str) -> None:
    """Confirm a finding: the run counts as a failure after integrity.

    \b
    Examples:
      mlebench integrity confirm runs/my-group/RUN I4-1a2b3c4d --by Ada --why "labels of the test"
      mlebench integrity confirm runs/my-group/RUN I7-0f0f0f0f --by Ada --why "used in the model"
    """
    _review(run, finding, "confirmed", by, why)


@command.command("dismiss")
@review_options
def dismiss(run: Path, finding: str, by: str, why: str) -> None:
    """Dismiss a finding: it no longer counts.

    \b
    Examples:
      mlebench integrity dismiss runs/my-group/RUN I3-1a2b3c4d --by Ada --why "an easy data set"
      mlebench integrity dismiss runs/my-group/RUN I12-9f8e7d6c --by Ada --why "rules allow it"
    """
    _review(run, finding, "dismissed", by, why)


@command.command("fetch-kernels")
@competition_option("ids", multiple=True, required=True)
@click.option("--kernels", type=PATH, required=True, help="The folder to store them in.")
@click.option(
    "--count", type=click.IntRange(1), default=50, help="Kernels per competition, by votes."
)
def fetch(ids: tuple[str, ...], kernels: Path, count: int) -> None:
    """Download public kernels with your Kaggle account, for `scan --kernels`.

    \b
    Examples:
      mlebench integrity fetch-kernels -c spaceship-titanic --kernels kernels
      mlebench integrity fetch-kernels -c aerial-cactus-identification --kernels kernels --count 10
    """
    from mlebench.kaggle.kernels import fetch_kernels

    for name in ids:
        found = fetch_kernels(name, kernels, count=count, on_note=note)
        note(f"{name}: {counted(len(found), 'kernel')} in {kernels / name}")
