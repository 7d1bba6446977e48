"""Write docs/command-line.md from the `--help` of every command.

python scripts/make_command_page.py [--check]
"""

from __future__ import annotations

import sys
from pathlib import Path

import click
from generated import write_or_check

from mlebench.cli import cli

PAGE = Path(__file__).parent.parent / "docs" / "command-line.md"
HEAD = """# Command line

Generated from `--help` by `scripts/make_command_page.py`.

Results go to stdout, the log to stderr; `--json` prints one object with `schema` and nothing else,
also for errors: `{"schema": 1, "error": {"kind", "message", "hint"}}`. Exit codes: 0 done,
1 failed, 2 wrong usage (also a competition, split, agent, profile, sandbox or group that does not
exist), 130 interrupted. `--debug` before the command shows the traceback of an error.

Completion of commands, options, ids, agents and groups: put one of these into your shell's
start-up file.

```
eval "$(mlebench completion bash)"
eval "$(mlebench completion zsh)"
mlebench completion fish | source
```
"""


def main() -> int:
    return write_or_check({PAGE: HEAD + "".join(sections(cli, "mlebench", None))})


def sections(command: click.Command, name: str, parent: click.Context | None) -> list[str]:
    context = click.Context(command, info_name=name, parent=parent, **command.context_settings)
    context.terminal_width = context.max_content_width = 100
    found = [f"\n## {context.command_path}\n\n```\n{command.get_help(context)}\n```\n"]
    if isinstance(command, click.Group):
        for child in command.list_commands(context):
            loaded = command.get_command(context, child)
            if loaded:
                found += sections(loaded, child, context)
    return found


if __name__ == "__main__":
    sys.exit(main())
