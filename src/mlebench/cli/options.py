"""Options that several commands share: catalogue, selection of competitions, groups, executor."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import click

from mlebench.catalogue import ALIASES, SPLITS, Catalogue
from mlebench.errors import UnknownNameError, UsageError
from mlebench.version import REVISION, REVISIONS

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]
PATH = click.Path(path_type=Path)


def complete_ids(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    folders = tuple(Path(folder) for folder in ctx.params.get("competitions_dir") or ())
    return Catalogue(None, folders).ids_starting_with(incomplete)


def complete_agents(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    from mlebench.agents import own_agents

    return [name for name in sorted(own_agents()) if name.startswith(incomplete)]


def complete_groups(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """The newest group first, which is also called `last`."""
    runs_dir = Path(ctx.params.get("runs_dir") or "runs")
    names = sorted((file.parent.name for file in runs_dir.glob("*/metadata.json")), reverse=True)
    return [name for name in ["last", *names] if name.startswith(incomplete)]


class GroupOrPath(click.Path):
    """A path, or the name of a group in the runs folder: `last`, `last~1`, its full name."""

    def __init__(self) -> None:
        super().__init__(path_type=Path)

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> Path | Any:
        if isinstance(value, str) and not os.path.lexists(value):
            runs_dir = Path(os.environ.get("MLEBENCH_RUNS_DIR") or "runs")
            if value.partition("~")[0] == "last" or (runs_dir / value / "metadata.json").is_file():
                from mlebench.runner.group import find_group

                return find_group(value, runs_dir).path
            if os.sep not in value:
                raise UnknownNameError(
                    f"there is no group or path {value!r}; groups are looked up in {runs_dir}",
                    hint="list the groups: mlebench runs",
                )
        return super().convert(value, param, ctx)


def one_of(*words: str) -> Callable[[click.Context, click.Parameter, str], list[str]]:
    """A completion that suggests words but accepts any other."""
    return lambda ctx, param, incomplete: [w for w in words if w.startswith(incomplete)]


def combine(*decorators: Decorator) -> Decorator:
    """One decorator that applies several; their options appear in this order in the help."""
    return lambda function: functools.reduce(lambda f, one: one(f), reversed(decorators), function)


place_options = combine(
    click.option(
        "--data-dir",
        type=PATH,
        envvar="MLEBENCH_DATA_DIR",
        show_envvar=True,
        help="Folder of the data.",
    ),
    click.option(
        "--competitions-dir",
        type=PATH,
        multiple=True,
        envvar="MLEBENCH_COMPETITIONS_DIR",
        show_envvar=True,
        help="A folder of competitions from outside the package.",
    ),
)


revision_option = click.option(
    "--revision",
    type=click.Choice(REVISIONS),
    default=REVISION,
    help="The benchmark as published (v1), or with its faults fixed (v1.1).",
)


stated_revision_option = click.option(
    "--revision",
    "stated_revision",
    type=click.Choice(REVISIONS),
    help="Only what is of this revision; default: the revision that the sources name.",
)


def data_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """`--data-dir` and `--competitions-dir`; the command receives a `catalogue`."""

    @functools.wraps(function)
    def command(
        data_dir: Path | None,
        competitions_dir: tuple[Path, ...],
        revision: str = REVISION,
        **options: Any,
    ) -> Any:
        return function(catalogue=Catalogue(data_dir, competitions_dir, revision), **options)

    return place_options(command)


catalogue_options = combine(revision_option, data_options)
"""The same for commands that depend on the revision of the benchmark."""


stated_catalogue_options = combine(stated_revision_option, data_options)
"""For commands whose sources name their revision; the command receives a `stated_revision`."""


json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON only, to stdout.")

jobs_option = click.option(
    "-j", "--jobs", type=click.IntRange(1), default=1, help="How many at once."
)

competition_argument = click.argument("competition_id", metavar="ID", shell_complete=complete_ids)


def competition_option(name: str, **facts: Any) -> Decorator:
    """`-c` as the parameter `name`."""
    text = "A competition; may be repeated." if facts.get("multiple") else "The competition."
    words = ("-c", "--competition-id", name)
    return click.option(*words, shell_complete=complete_ids, help=text, **facts)


@dataclass(frozen=True)
class Selection:
    """The competitions that the user selected, one field for each option."""

    named: tuple[str, ...] = ()
    everything: bool = False
    lite: bool = False
    list_file: Path | None = None
    split: str | None = None

    @property
    def is_given(self) -> bool:
        return any(vars(self).values())

    def ids(self, catalogue: Catalogue) -> list[str]:
        """The selected ids; raises for unknown ones before anything starts."""
        if sum(map(bool, vars(self).values())) != 1:
            raise click.UsageError(
                "name the competitions: one of -c ID, --all, --lite, --split NAME, --list FILE"
            )
        if self.named:
            chosen = list(dict.fromkeys(self.named))
        elif self.list_file is not None:
            chosen = read_id_list(self.list_file)
        else:
            chosen = catalogue.get_split(self.split or ("low" if self.lite else "all"))
        for competition_id in chosen:
            catalogue.require_known(competition_id)
        return chosen


def selection_options(
    function: Callable[..., Any], *, everything: str = "All 75 competitions."
) -> Callable[..., Any]:
    """`-c`, `--all`, `--lite`, `--list` and `--split`; the command receives a `selection`.

    Args:
        everything: the help text of `--all`.
    """

    @functools.wraps(function)
    def command(**options: Any) -> Any:
        chosen = {field.name: options.pop(field.name) for field in fields(Selection)}
        return function(selection=Selection(**chosen), **options)

    return combine(
        competition_option("named", multiple=True),
        click.option("-a", "--all", "everything", is_flag=True, help=everything),
        click.option("--lite", is_flag=True, help="The 22 competitions of low complexity."),
        click.option("-l", "--list", "list_file", type=PATH, help="A file of ids, one per line."),
        click.option(
            "--split",
            shell_complete=one_of(*SPLITS, *ALIASES),
            help="Every competition of a split: low, medium, dev …",
        ),
    )(command)


def read_id_list(file: Path) -> list[str]:
    try:
        lines = file.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{file} cannot be read: {error}") from None
    found = [line.split("#", 1)[0].strip() for line in lines]
    return list(dict.fromkeys(line for line in found if line))


runs_dir_option = click.option(
    "--runs-dir",
    type=PATH,
    default=Path("runs"),
    envvar="MLEBENCH_RUNS_DIR",
    show_envvar=True,
    help="The folder with the run groups.",
)


def _read_slurm(
    ctx: click.Context, parameter: click.Parameter, values: tuple[str, ...]
) -> dict[str, str]:
    options = dict(value.partition("=")[::2] for value in values)
    if wrong := next((value for value in values if "=" not in value), None):
        raise click.BadParameter(f"{wrong!r}: expected OPTION=VALUE, for instance partition=gpu")
    return options


def _check_notify(ctx: click.Context, parameter: click.Parameter, value: str | None) -> str | None:
    if value is None:
        return None
    from mlebench.records.group import Launch
    from mlebench.runner.notify import check_notify

    try:
        is_command = parameter.name == "notify_command"
        check_notify(Launch(notify_command=value) if is_command else Launch(notify=value))
    except UsageError as error:
        raise click.BadParameter(str(error)) from None
    return value


executor_options = combine(
    click.option(
        "--executor",
        type=click.Choice(["local", "ray", "slurm"]),
        default="local",
        help="Local worker processes, tasks on a Ray cluster, or Slurm jobs.",
    ),
    click.option("--ray-address", help="An existing Ray cluster; default: start a local one."),
    click.option(
        "--notify",
        callback=_check_notify,
        metavar="URL",
        help="Post JSON to this URL at failures, at 80 % of a budget and at the end.",
    ),
    click.option(
        "--notify-command",
        callback=_check_notify,
        help="Like --notify, but a command that gets the JSON as its input.",
    ),
    click.option(
        "--slurm",
        multiple=True,
        callback=_read_slurm,
        metavar="OPTION=VALUE",
        help="An option of sbatch, such as partition=gpu or time=1500 (minutes); repeatable.",
    ),
)


LAUNCH = ("jobs", "executor", "ray_address", "notify", "notify_command", "slurm")
"""Options that are stored in the plan of a group as fields of `Launch`."""
