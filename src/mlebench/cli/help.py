"""The class of all commands: grouped help that ends with the next step, abbreviated options."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import partial

import click

MANY = 10
GROUPS = {
    "Competitions": "competition-id all lite list split",
    "Agent": "agent command seeds",
    "Sandbox": "sandbox profile hours gpus require-limits image container-config",
    "Model": "model base-url api api-key-env prices proxy max-output-tokens"
    " record replay replay-mode",
    "Budget": "max-tokens-total max-cost max-calls max-tokens-run max-cost-run max-calls-run",
    "Data": "rehearsal seed scale archive keep-raw unpack obfuscated obfuscation"
    " official-descriptions skip-verification overwrite-checksums overwrite-leaderboard",
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
    "verify": "mlebench prepare -c ID --force, if something differs",
    "clean": "mlebench prepare -c ID, if you need it again",
    "validate": "mlebench grade-sample SUBMISSION ID",
    "run": "mlebench status, and at the end mlebench report runs/GROUP",
    "resume": "mlebench status GROUP",
    "status": "mlebench report runs/GROUP, or mlebench view runs",
    "cancel": "mlebench resume GROUP",
    "runs": "mlebench status GROUP",
    "make-submission": "mlebench grade --submission FILE --output-dir reports",
    "serve": "curl -F file=@submission.csv http://localhost:5000/validate",
    "gateway": "mlebench run --agent AGENT --model MODEL, which starts its own gateway",
    "grade": "mlebench report REPORT",
    "grade-sample": "mlebench leaderboard ID",
    "report": "mlebench view runs, or mlebench bundle make",
    "compare": "mlebench view runs",
    "view": "mlebench report runs/GROUP --html page.html, to share it",
    "make": "mlebench bundle check FILE",
    "check": "mlebench leaderboard --mine FILE",
    "leaderboard": "mlebench grade-sample SUBMISSION ID",
    "new-agent": "mlebench run --agent ./my-agent -c spaceship-titanic --rehearsal",
    "new-competition": "mlebench check-competition ID --competitions-dir DIR",
    "check-competition": "mlebench run --agent dummy -c ID --rehearsal --competitions-dir DIR",
    "audit": "mlebench revisions ID, for what v1.1 fixes",
    "scan": "mlebench integrity confirm RUN FINDING --by NAME --why TEXT, or dismiss",
    "fetch-kernels": "mlebench integrity runs/GROUP --kernels DIR",
    "confirm": "mlebench report runs/GROUP, which shows the rates after integrity",
    "dismiss": "mlebench report runs/GROUP, which shows the rates after integrity",
    "contamination": "mlebench run --obfuscation L2, to see whether names matter",
    "bench": "mlebench docs training",
    "revisions": "mlebench prepare -c ID --revision v1.1",
    "docs": "mlebench docs running",
    "doctor": "mlebench prepare --lite --check",
    "install": "mlebench agents check NAME",
    "folder": "mlebench agents install NAME",
    "harbor": "run the task folders with harbor",
    "chat": "train on the file, one conversation per line",
    "dojo": "read the file with tools made for MLE-Dojo",
    "layout": "use DIR with a tool that reads a checkout of the published benchmark",
    "download-leaderboard": "mlebench leaderboard ID",
    "completion": "open a new shell and type: mlebench show spa<Tab>",
}


PUBLISHED = set(
    "--competition-id --all --lite --list --keep-raw --data-dir --overwrite-checksums"
    " --overwrite-leaderboard --skip-verification --submission --output-dir --force --help".split()
)
"""Options of the published command line; abbreviations of them must stay valid."""


class BenchCommand(click.Command):
    """A command with grouped help whose long options may be abbreviated."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        return super().parse_args(ctx, list(self._in_full(ctx, args)))

    def _in_full(self, ctx: click.Context, args: list[str]) -> Iterator[str]:
        """The arguments with every unambiguous prefix of a long option replaced by the option."""
        takes_value = {
            name: not (option.is_flag or option.count)
            for option in self.get_params(ctx)
            if isinstance(option, click.Option)
            for name in (*option.opts, *option.secondary_opts)
        }
        is_value = is_over = False
        for word in args:
            name, equals, value = word.partition("=")
            is_over = is_over or (word == "--" and not is_value)
            if is_value or is_over or not name.startswith("--"):
                yield word
                is_value = not is_value and takes_value.get(word, False)
                continue
            name = _full_name(name, takes_value, ctx)
            yield f"{name}{equals}{value}"
            is_value = not equals and takes_value.get(name, False)

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


def _full_name(name: str, known: Collection[str], ctx: click.Context) -> str:
    """The only option with this prefix, among the published ones or else among all."""
    if name in known:
        return name
    fitting = [option for option in known if option.startswith(name)]
    published = [option for option in fitting if option in PUBLISHED]
    for found in (published, fitting):
        if len(found) == 1:
            return found[0]
    if fitting:
        raise click.UsageError(f"{name} is ambiguous: {' or '.join(sorted(fitting))}", ctx)
    return name


class BenchGroup(click.Group):
    """A command whose subcommands are of the class `BenchCommand`."""

    command_class = BenchCommand


bench_command = partial(click.command, cls=BenchCommand)
"""The decorator of every command without subcommands."""
