"""The command `mlebench`: one file per command in `commands`, loaded when it is called."""

from __future__ import annotations

import importlib
import sys
from typing import Any

import click

from mlebench.errors import UNFIT_LIBRARIES, BenchError, unknown
from mlebench.version import __version__

COMMANDS = {
    "demo": "prepare, run and grade four small competitions",
    "list": "list competitions",
    "show": "show one competition",
    "revisions": "show what revision v1.1 fixes",
    "prepare": "make public data and hidden answers",
    "verify": "check prepared data against manifest and official checksums",
    "clean": "free disk space",
    "validate": "check the format of a submission, without scoring it",
    "run": "run an agent on competitions",
    "agents": "install published agents, list them, check that they work",
    "resume": "continue a group after a crash or a cancellation",
    "status": "show the state of a group's runs",
    "cancel": "cancel a group",
    "runs": "list run groups",
    "make-submission": "write the input of `grade` from finished runs",
    "serve": "start the validation server",
    "gateway": "start the model gateway",
    "grade": "grade the submissions named in a JSONL file",
    "grade-sample": "grade one submission",
    "report": "aggregate runs and grading reports over seeds",
    "compare": "compare two agents on their common competitions",
    "view": "show groups, runs, logs and comparisons in a browser",
    "bundle": "pack results into one file that others can check",
    "integrity": "check runs for violations of the rules, review findings",
    "leaderboard": "show the human leaderboard of a competition",
    "new-agent": "write the skeleton of a new agent",
    "new-competition": "write the skeleton of a new competition",
    "check-competition": "check a competition: leaderboard, submissions, leaks, texts",
    "audit": "audit prepared data: leaks, lenient grading, boards decided by luck",
    "gym": "training episodes: measure how fast they are here",
    "contamination": "measure what a model has seen of the competitions",
    "doctor": "check account, rules, disk, sandboxes, GPUs",
    "docs": "show the guide, or find the Dockerfile of the agents' image",
    "completion": "print the script for shell completion",
    "export": "export competitions in the published folder layout",
    "dev": "for maintainers: refresh leaderboards",
}

EXAMPLES = """\b
Examples:
  mlebench list --split lite
  mlebench prepare -c spaceship-titanic
  mlebench grade-sample submission.csv spaceship-titanic

\b
Next: mlebench COMMAND --help, or the guide in docs/."""


class LazyGroup(click.Group):
    """Commands by name; a command's module is imported only when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*COMMANDS, *sorted(_plugins())]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name in COMMANDS:
            name = cmd_name.replace("-", "_")
            module = importlib.import_module(f"mlebench.cli.commands.{name}")
            command: click.Command = module.command
            return command
        point = _plugins().get(cmd_name)
        return point.load() if point else None

    def shell_complete(
        self, ctx: click.Context, incomplete: str
    ) -> list[click.shell_completion.CompletionItem]:
        from click.shell_completion import CompletionItem

        if incomplete.startswith("-"):
            return super().shell_complete(ctx, incomplete)
        # Names need no import, and plugins are searched only if none of our commands match.
        own = [CompletionItem(n, help=t) for n, t in COMMANDS.items() if n.startswith(incomplete)]
        return own or [CompletionItem(n) for n in _plugins() if n.startswith(incomplete)]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([*COMMANDS.items()])

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            text = unknown("command", args[0], self.list_commands(ctx), see="mlebench --help")
            raise click.UsageError(text, ctx) from error


def _plugins() -> dict[str, Any]:
    from importlib.metadata import entry_points

    return {point.name: point for point in entry_points(group="mlebench.commands")}


@click.group(
    cls=LazyGroup,
    epilog=EXAMPLES,
    invoke_without_command=True,
    context_settings={
        "help_option_names": ["-h", "--help"],
        "max_content_width": 100,
        "show_default": True,
    },
)
@click.version_option(__version__, message="%(version)s")
@click.option("--debug", is_flag=True, expose_value=False, help="Show the traceback of an error.")
@click.pass_context
def cli(ctx: click.Context) -> None:
    """Measure how well AI agents do machine-learning engineering, on 75 Kaggle competitions."""
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


def main(args: list[str] | None = None) -> None:
    """Run a command; an error becomes one line and an exit code, not a traceback."""
    words = sys.argv[1:] if args is None else args
    try:
        code = cli.main(words, prog_name="mlebench", standalone_mode=False)
        sys.exit(code if isinstance(code, int) else 0)
    except (click.Abort, KeyboardInterrupt):
        _complain(words, "interrupted", "interrupted", None)
        sys.exit(130)
    except click.exceptions.NoArgsIsHelpError as error:
        print(error.format_message(), file=sys.stderr)
        sys.exit(error.exit_code)
    except click.ClickException as error:
        ctx = error.ctx if isinstance(error, click.UsageError) else None
        hint = f"{ctx.command_path} --help" if ctx else None
        _complain(words, "usage", error.format_message(), hint)
        sys.exit(error.exit_code)
    except BenchError as error:
        if "--debug" in words:
            raise
        _complain(words, error.kind, str(error), error.hint)
        sys.exit(error.exit_code)
    except ImportError as error:
        is_ours = (error.name or "").startswith(("mlebench", "mle_bench"))
        if "--debug" in words or is_ours:
            raise
        _complain(words, "library", f"a library cannot be loaded: {error}", UNFIT_LIBRARIES)
        sys.exit(1)
    except BrokenPipeError:
        sys.exit(1)


def _complain(words: list[str], kind: str, message: str, hint: str | None) -> None:
    if "--json" in words:
        import json

        error = {"kind": kind, "message": message, "hint": hint}
        print(json.dumps({"schema": 1, "error": error}))
        return
    print(f"error: {message}", file=sys.stderr)
    if hint:
        print(f"hint: {hint}", file=sys.stderr)
