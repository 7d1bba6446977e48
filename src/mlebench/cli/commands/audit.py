"""`mlebench audit`: can a medal be won on prepared data without learning anything?"""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict
from functools import partial
from typing import TYPE_CHECKING

import click

from mlebench.catalogue import Catalogue
from mlebench.cli.help import bench_command
from mlebench.cli.options import (
    Selection,
    catalogue_options,
    jobs_option,
    json_option,
    selection_options,
)
from mlebench.cli.output import counted, note, print_json, print_table

if TYPE_CHECKING:
    from mlebench.records.audit import AuditRecord


@bench_command()
@partial(selection_options, everything="All 82 as published; the benchmark's 75: --split all.")
@click.option("--no-baseline", is_flag=True, help="Train no baseline agent (check `baseline`).")
@catalogue_options
@jobs_option
@json_option
def command(
    selection: Selection, no_baseline: bool, catalogue: Catalogue, jobs: int, as_json: bool
) -> None:
    """Audit prepared data: answers that leak, lenient grading, leaderboards decided by luck.

    Needs no network. Answers are read but not shown. The records are stored beside the data, for
    the report page and the viewer. With --all, --lite, --split and --list, competitions that are
    not prepared are skipped and listed. Exit code 3: warnings to review; 4: a failed check.

    \b
    Examples:
      mlebench audit -c spaceship-titanic
      mlebench audit --lite --revision v1.1 -j 2
      mlebench audit -c rain-tomorrow --competitions-dir competitions --json
    """
    from mlebench.audit import audit_all, exit_code
    from mlebench.catalogue.layout import published_ids
    from mlebench.preparing.on_disk import has_prepared_files

    chosen, missing = selection.ids(catalogue), []
    if selection.everything:
        chosen = published_ids()
    if not selection.named:
        missing = [i for i in chosen if not has_prepared_files(catalogue.get_competition(i))]
        # If none is prepared, the error of the first one says what to do.
        chosen = [i for i in chosen if i not in missing] or chosen
    audits = audit_all(catalogue, chosen, jobs=jobs, with_baseline=not no_baseline)
    records = [record for found in audits for record in found]
    if as_json:
        found = [asdict(record) for record in records]
        print_json({"records": found, "not_prepared": missing})
    else:
        head = ("status", "check", "id", "figure", "threshold", "seconds", "evidence")
        rows = [_row(record) for record in records]
        print_table(head, rows, right="figure threshold seconds")
        counts = Counter(record.status for record in records)
        shown = ", ".join(f"{count} {status}" for status, count in sorted(counts.items()))
        note(f"Audited {counted(len(chosen), 'competition')}, {catalogue.revision}: {shown}")
        if missing:
            note(f"{counted(len(missing), 'competition')} not prepared: {', '.join(missing)}")
    raise click.exceptions.Exit(exit_code(records))


def _row(record: AuditRecord) -> list[str | None]:
    figures = [_short(record.figure), _short(record.threshold), f"{record.seconds:.1f}"]
    return [record.status, record.check, record.id, *figures, "; ".join(record.evidence)]


def _short(value: float | None) -> str | None:
    return None if value is None else f"{value:.5g}"
