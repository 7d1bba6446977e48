"""`mlebench make-submission`: the JSONL for `grade` from finished runs."""

from __future__ import annotations

from pathlib import Path

import click

from mlebench.cli.help import bench_command
from mlebench.cli.options import PATH, json_option, runs_dir_option
from mlebench.cli.output import print_result
from mlebench.version import option_for


@bench_command()
@click.argument("groups", nargs=-1, required=True)
@click.option("--output", type=PATH, required=True, help="The JSONL file.")
@runs_dir_option
@json_option
def command(groups: tuple[str, ...], output: Path, runs_dir: Path, as_json: bool) -> None:
    """Write one line per finished run, ready for `mlebench grade`.

    \b
    Examples:
      mlebench make-submission last --output submissions.jsonl
      mlebench make-submission runs/a runs/b --output both.jsonl
      mlebench grade --submission submissions.jsonl --output-dir reports
    """
    from mlebench.errors import UsageError
    from mlebench.runner.group import common_revision, find_group, submission_lines
    from mlebench.runner.plan import open_group

    opened = [open_group(find_group(name, runs_dir)) for name in groups]
    revision = common_revision(opened)
    lines = list(submission_lines(opened))
    try:
        output.write_text("".join(f"{line}\n" for line in lines), "utf-8")
    except OSError as error:
        raise UsageError(f"{output} cannot be written: {error.strerror}") from None
    print_result(
        {"output": str(output), "runs": len(lines), "revision": revision},
        f"wrote {len(lines)} runs of revision {revision} to {output}",
        f"next: mlebench grade --submission {output} --output-dir reports{option_for(revision)}",
        as_json=as_json,
    )
