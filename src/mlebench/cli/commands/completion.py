"""`mlebench completion`: print the script for shell completion."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from mlebench.cli.help import bench_command


@bench_command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def command(ctx: click.Context, shell: str) -> None:
    """Print the script that completes commands, options, ids, agents and groups in a shell.

    \b
    Examples:
      mlebench completion bash >> ~/.bashrc
      mlebench completion zsh >> ~/.zshrc
      mlebench completion fish > ~/.config/fish/completions/mlebench.fish
    """
    if kind := get_completion_class(shell):
        click.echo(kind(ctx.find_root().command, {}, "mlebench", "_MLEBENCH_COMPLETE").source())
