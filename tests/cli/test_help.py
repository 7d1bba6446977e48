"""Every page of help: one sentence, examples, options that say something, the next step."""

from __future__ import annotations

import click
import pytest

from mlebench.cli import COMMANDS, cli
from mlebench.cli.help import GROUP_OF, NEXT


def all_commands() -> dict[str, click.Command]:
    context = click.Context(cli)
    found: dict[str, click.Command] = {}
    for name in COMMANDS:
        command = cli.get_command(context, name)
        assert command is not None
        if isinstance(command, click.Group):
            found |= {f"{name} {child}": sub for child, sub in command.commands.items()}
        else:
            found[name] = command
    return found


@pytest.mark.parametrize(("name", "command"), all_commands().items())
def test_help(name: str, command: click.Command) -> None:
    last = name.split()[-1]
    context = click.Context(command, info_name=last, terminal_width=100, max_content_width=100)
    page = command.get_help(context)
    examples = page.partition("Examples:\n")[2].partition("\n\n")[0]
    assert len(examples.splitlines()) >= 2
    assert page.rstrip().splitlines()[-1].startswith("Next: ")
    assert max(map(len, page.splitlines())) <= 100
    options = [param for param in command.params if isinstance(param, click.Option)]
    assert [option.name for option in options if not option.help] == []
    for option in options:
        assert option.opts[0] in page, "every option is in some group"


def test_groups_and_steps_are_of_things_that_exist() -> None:
    commands = all_commands()
    options = {name for command in commands.values() for p in command.params for name in p.opts}
    assert set(GROUP_OF) <= options
    assert set(NEXT) == {name.split()[-1] for name in commands}
