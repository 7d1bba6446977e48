"""`mlebench runs`: the groups in the runs folder."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from mlebench.cli.help import bench_command
from mlebench.cli.options import json_option, runs_dir_option
from mlebench.cli.output import note, print_json, print_table
from mlebench.errors import BenchError


@bench_command()
@runs_dir_option
@json_option
def command(runs_dir: Path, as_json: bool) -> None:
    """List run groups, newest first.

    \b
    Examples:
      mlebench runs
      mlebench runs --runs-dir /data/runs
      mlebench runs --json
    """
    from mlebench.records.folders import GroupFolder
    from mlebench.results.identity import AgentIdentity, distinct_names, identity_of
    from mlebench.runner.plan import open_group
    from mlebench.runner.statuses import count_states, read_runs

    groups: list[dict[str, Any]] = []
    identities: dict[str, AgentIdentity] = {}
    for file in sorted(runs_dir.glob("*/metadata.json"), reverse=True):
        folder = GroupFolder(file.parent)
        try:
            group = open_group(folder)
        except BenchError as error:
            groups.append({"group": folder.path.name, "problem": str(error)})
            continue
        identities[folder.path.name] = identity_of(group.plan)
        groups.append(
            {
                "group": folder.path.name,
                "agent": group.plan.agent_label,
                "revision": group.plan.settings.revision,
                "is_rehearsal": group.plan.settings.is_rehearsal,
                "runs": len(group.plan.runs),
                "sandbox": group.plan.settings.sandbox,
                "states": dict(count_states(read_runs(group))),
            }
        )
    if as_json:
        print_json({"groups": groups})
        return
    names = distinct_names(identities.values())
    agents = {group: names[identity] for group, identity in identities.items()}
    rows = [
        [
            g["group"],
            agents.get(g["group"]),
            g.get("runs"),
            g.get("sandbox"),
            g.get("revision"),
            "rehearsal" if g.get("is_rehearsal") else "",
            g.get("problem") or " ".join(f"{n} {s}" for s, n in sorted(g["states"].items())),
        ]
        for g in groups
    ]
    print_table(
        ("group", "agent", "runs", "sandbox", "revision", "data", "states"), rows, right="runs"
    )
    if groups:
        note(f"next: mlebench status {groups[0]['group']}")
    else:
        note("no groups yet; make one: mlebench run --agent dummy -c spaceship-titanic --rehearsal")
