"""`mlebench export`: competitions and episodes in the formats of other programs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from mlebench.cli.help import BenchGroup
from mlebench.cli.options import PATH, competition_option, data_options, json_option
from mlebench.cli.output import print_result

if TYPE_CHECKING:
    from mlebench.catalogue import Catalogue


@click.group(cls=BenchGroup)
def command() -> None:
    """Write competitions and episodes in the formats of other programs.

    \b
    Examples:
      mlebench export layout mle-bench
      mlebench export harbor tasks -c starter-wine
      mlebench export chat episodes messages.jsonl
    """


@command.command("layout")
@click.argument("folder", metavar="DIR", type=PATH)
@json_option
def layout(folder: Path, as_json: bool) -> None:
    """Write all 82 competitions to DIR, laid out as a checkout of the published benchmark.

    For each one config.yaml, description.md, leaderboard.csv, checksums.yaml, grade.py and
    prepare.py; also the splits and the instructions for agents. The texts are our own.

    \b
    Examples:
      mlebench export layout mle-bench
      mlebench export layout /tmp/mle-bench
      mlebench export layout mle-bench --json
    """
    from mlebench.catalogue import Catalogue
    from mlebench.catalogue.export import export_layout

    count = export_layout(Catalogue(), folder)
    facts = {"folder": str(folder), "competitions": count}
    print_result(facts, f"wrote {count} competitions to {folder}", as_json=as_json)


@command.command("harbor")
@click.argument("folder", metavar="DIR", type=PATH)
@competition_option("ids", multiple=True, required=True)
@click.option("--reward", default="human_rank", help="As in episodes, for example medal.")
@data_options
@json_option
def harbor(
    catalogue: Catalogue, folder: Path, ids: tuple[str, ...], reward: str, as_json: bool
) -> None:
    """Write a harbor task for each competition, scored against its hold-out.

    The competitions must be prepared in revision v1.1. The answers of the hold-out are in the
    folder `tests`, which harbor uploads when the agent has ended.

    \b
    Examples:
      mlebench export harbor tasks -c starter-wine
      mlebench export harbor tasks -c starter-wine -c starter-digits
      mlebench export harbor tasks -c starter-wine --reward medal --json
    """
    from mlebench.gym.harbor import export_harbor

    written = export_harbor(catalogue, list(ids), folder, reward=reward)
    facts = {"folder": str(folder), "tasks": [str(task) for task in written]}
    print_result(facts, f"wrote {len(written)} tasks to {folder}", as_json=as_json)


@command.command("chat")
@click.argument("logs", type=PATH)
@click.argument("target", type=PATH)
@click.option("--min-reward", type=float, help="Leave out episodes with a lower reward.")
@json_option
def chat(logs: Path, target: Path, min_reward: float | None, as_json: bool) -> None:
    """Write the episodes in LOGS, a file or a folder, as chat messages to TARGET.

    One JSON object per episode, for fine-tuning. Episodes that the machine cut short are left out.

    \b
    Examples:
      mlebench export chat episodes messages.jsonl
      mlebench export chat episodes messages.jsonl --min-reward 0.5
      mlebench export chat episodes/1.jsonl one.jsonl --json
    """
    from mlebench.gym.exports import export_chat

    count, left_out = export_chat(logs, target, min_reward=min_reward)
    facts = {"file": str(target), "episodes": count, "left_out": left_out}
    text = f"wrote {count} episodes to {target}; left out: {left_out}"
    print_result(facts, text, as_json=as_json)


@command.command("dojo")
@click.argument("log", type=PATH)
@click.argument("target", type=PATH)
@json_option
def dojo(log: Path, target: Path, as_json: bool) -> None:
    """Write the episode LOG as MLE-Dojo's history to TARGET.

    \b
    Examples:
      mlebench export dojo episodes/1.jsonl history.json
      mlebench export dojo episodes/1.jsonl history.json --json
      mlebench export dojo --help
    """
    from mlebench.gym.exports import export_dojo

    steps = export_dojo(log, target)
    facts = {"file": str(target), "steps": steps}
    print_result(facts, f"wrote {steps} steps to {target}", as_json=as_json)
