"""Help pages: where options are many they stand in named groups, and the next step comes last."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import click

MANY = 10
GROUPS = {
    "Competitions": "competition-id all lite list split",
    "Agent": "agent command seeds",
    "Sandbox": "sandbox profile hours gpus image container-config",
    "Model": "model base-url api api-key-env prices proxy max-output-tokens"
    " record replay replay-mode",
    "Budget": "max-tokens-total max-cost max-calls max-tokens-run max-cost-run max-calls-run",
    "Data": "rehearsal seed scale archive keep-raw unpack obfuscated official-descriptions"
    " skip-verification overwrite-checksums overwrite-leaderboard",
    "Places": "data-dir competitions-dir runs-dir",
    "Work": "jobs executor ray-address plan-only check force",
}
GROUP_OF = {f"--{name}": group for group, names in GROUPS.items() for name in names.split()}
ALL, OTHERS = "Options", "More"

NEXT = {
    "demo": "mlebench list",
    "list": "mlebench show ID",
    "show": "mlebench prepare -c ID",
    "prepare": "mlebench run --agent dummy -c ID",
    "verify": "mlebench prepare -c ID --force, where something differs",
    "clean": "mlebench prepare -c ID, when it is needed again",
    "validate": "mlebench grade-sample SUBMISSION ID",
    "run": "mlebench status, and when all are done mlebench report runs/GROUP",
    "resume": "mlebench status GROUP",
    "status": "mlebench report runs/GROUP, or mlebench view runs",
    "cancel": "mlebench resume GROUP",
    "runs": "mlebench status GROUP",
    "make-submission": "mlebench grade --submission FILE --output-dir reports",
    "serve": "curl -F file=@submission.csv http://localhost:5000/validate",
    "gateway": "mlebench run --agent AGENT --model MODEL, which has a gateway of its own",
    "grade": "mlebench report REPORT",
    "grade-sample": "mlebench leaderboard ID",
    "report": "mlebench view runs, or mlebench bundle make",
    "compare": "mlebench view runs",
    "view": "mlebench report runs/GROUP --html page.html, to pass it on",
    "make": "mlebench bundle check FILE",
    "check": "mlebench leaderboard --mine FILE",
    "leaderboard": "mlebench grade-sample SUBMISSION ID",
    "new-competition": "mlebench prepare -c ID --rehearsal --competitions-dir DIR",
    "doctor": "mlebench prepare --lite --check",
    "download-leaderboard": "mlebench leaderboard ID",
    "completion": "open a new shell and type: mlebench show spa<Tab>",
}


class BenchCommand(click.Command):
    """A command whose help is laid out our way."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        params = [param for param in self.get_params(ctx) if isinstance(param, click.Option)]
        groups: dict[str, list[tuple[str, str]]] = {name: [] for name in (ALL, *GROUPS, OTHERS)}
        for param in params:
            found = (GROUP_OF[name] for name in param.opts if name in GROUP_OF)
            group = next(found, OTHERS) if len(params) > MANY else ALL
            if record := param.get_help_record(ctx):
                groups[group].append(record)
        for name, rows in groups.items():
            if rows:
                with formatter.section(name):
                    formatter.write_dl(rows)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        if step := NEXT.get(ctx.info_name or ""):
            formatter.write_paragraph()
            formatter.write_text(f"Next: {step}")


def bench_command() -> Callable[[Callable[..., Any]], BenchCommand]:
    """The decorator of every command."""
    return partial(click.command, cls=BenchCommand)()
