"""`mlebench agents`: install published agents, list them, check that they work here."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from mlebench.cli.help import BenchGroup
from mlebench.cli.options import PATH, complete_agents, json_option
from mlebench.cli.output import counted, exit_if, note, print_json, print_table

AGENT_FACTS = ("name", "version", "description", "needs_model")
PROGRAM_FACTS = ("package", "kind", "protocol", "speaks_mcp")


@click.group(cls=BenchGroup)
def command() -> None:
    """Install published agents, list them, check that they work here.

    \b
    Examples:
      mlebench agents list
      mlebench agents install codex
      mlebench agents check codex
    """


@command.command("install")
@click.argument("names", nargs=-1, required=True, shell_complete=complete_agents)
@click.option("--force", is_flag=True, help="Install again, even if it is installed.")
@json_option
def install(names: tuple[str, ...], force: bool, as_json: bool) -> None:
    """Install the programs of agents at their locked versions; runs then need no network.

    \b
    Examples:
      mlebench agents install codex
      mlebench agents install claude-code gemini-cli --json
    """
    from mlebench.agents.installing import install_program
    from mlebench.agents.registry import find_agent
    from mlebench.records.codec import to_json

    agents = [find_agent(name) for name in names]
    records = [install_program(agent, is_forced=force, on_note=note) for agent in agents]
    if as_json:
        facts = [to_json(record) | {"files": len(record.files)} for record in records]
        print_json({"installed": facts})


@command.command("list")
@json_option
def list_command(as_json: bool) -> None:
    """List all agents: what they need, and whether their programs are installed.

    \b
    Examples:
      mlebench agents list
      mlebench agents list --json
    """
    from mlebench.agents.base import load_agent
    from mlebench.agents.registry import list_agents

    facts = [_facts(load_agent(folder)) for folder in list_agents().values()]
    if as_json:
        print_json({"agents": facts})
        return
    head = ("agent", "version", "package", "protocol", "MCP", "installed", "MB")
    print_table(head, [_row(one) for one in facts], right="MB")
    missing = sum(one["package"] is not None and not one["is_installed"] for one in facts)
    if missing:
        note(f"{counted(missing, 'program')} not installed; next: mlebench agents install NAME")


def _facts(agent: Any) -> dict[str, Any]:
    from mlebench.agents.installed import find_installed

    program, record = agent.program, find_installed(agent)
    return {
        **{name: getattr(agent, name) for name in AGENT_FACTS},
        **{name: program and getattr(program, name) for name in PROGRAM_FACTS},
        "is_installed": program is None or record is not None,
        "installed_at": record and record.installed_at,
        "bytes": record and record.bytes,
    }


def _row(one: dict[str, Any]) -> list[Any]:
    installed = "yes" if one["is_installed"] else "no"
    return [
        one["name"],
        one["version"],
        one["package"],
        one["protocol"] or ("chat" if one["needs_model"] else None),
        "yes" if one["speaks_mcp"] else None,
        "comes with mlebench" if one["package"] is None else installed,
        one["bytes"] and f"{one['bytes'] / 1e6:.0f}",
    ]


@command.command("folder")
@click.argument("name", shell_complete=complete_agents)
def folder(name: str) -> None:
    """Verify the program of an agent and print its folder, for use as a layer of an image.

    \b
    Examples:
      mlebench agents folder codex
      docker build -f agents.Dockerfile --build-arg NAME=codex "$(mlebench agents folder codex)"
    """
    from mlebench.agents.installed import require_program
    from mlebench.agents.registry import find_agent

    found = require_program(find_agent(name))
    if found is None:
        raise click.UsageError(f"{name} has no program: it comes with the package")
    click.echo(found)


@command.command("check")
@click.argument("names", nargs=-1, shell_complete=complete_agents)
@click.option("--all", "all_installed", is_flag=True, help="All agents that are installed.")
@click.option("--sandbox", default="bubblewrap", help="The sandbox to use.")
@click.option("--image", help="Container sandboxes: the image to use.")
@click.option("--keep", type=PATH, help="A folder in which to keep data and runs.")
@json_option
def check(
    names: tuple[str, ...],
    all_installed: bool,
    sandbox: str,
    image: str | None,
    keep: Path | None,
    as_json: bool,
) -> None:
    """Run agents with a scripted model on a starter competition, to a valid submission.

    Program, sandbox, gateway, validation and grading are real; no provider is contacted.

    \b
    Examples:
      mlebench agents check codex
      mlebench agents check --all --json
    """
    from dataclasses import asdict

    from mlebench.agents.installed import find_installed
    from mlebench.agents.registry import find_agent, list_agents
    from mlebench.trials.check import check_agent

    if bool(names) == all_installed:
        raise click.UsageError("name agents, or use --all")
    agents = [find_agent(name) for name in names or list_agents()]
    if all_installed:
        agents = [agent for agent in agents if find_installed(agent)]
    found = []
    for agent in agents:
        place = keep / agent.name if keep else None
        one = check_agent(agent, sandbox=sandbox, image=image, keep=place, on_note=note)
        found.append(one)
        note(f"{one.agent} {one.version}: {'ok' if one.is_ok else 'failed'} ({one.reason})")
        for line in one.log.splitlines():
            note(f"  | {line}")
    if as_json:
        print_json({"checks": [asdict(one) for one in found]})
    else:
        head = ("agent", "version", "result", "protocol", "calls", "MCP", "seconds", "reason")
        rows = [
            [
                *(one.agent, one.version, "ok" if one.is_ok else "failed", one.protocol, one.calls),
                *("yes" if one.has_mcp else None, one.seconds, one.reason),
            ]
            for one in found
        ]
        print_table(head, rows, right="calls seconds")
    exit_if(not all(one.is_ok for one in found))
