"""Runs of our real agents (`baseline`, `tree`, `react`) whose model is a written recording.

A case is the list of the model's messages. They become a trajectory that the gateway replays in
its order, so that the agent really calls its tools and executes the programs, in bubblewrap where
that works here.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any

from mlebench.agents.registry import find_agent
from mlebench.catalogue import Catalogue
from mlebench.gateway.settings import GatewaySettings
from mlebench.records.folders import GroupFolder
from mlebench.runner.group import RunRequest, start_group
from mlebench.runner.model import with_gateway
from mlebench.runner.run import execute_run
from mlebench.runner.statuses import unfinished
from mlebench.runner.tools import open_tools
from mlebench.sandbox.registry import get_sandbox
from tests.gateway.provider import completion

Message = dict[str, Any]
CHAT = "/chat/completions"
EVALUATION = {
    "metric": "the metric of the description",
    "lower_is_better": False,
    "holdout": "every fifth row",
    "notes": "",
}


@dataclass(frozen=True)
class Replay:
    """One run of a real agent, and what it is."""

    label: str
    name: str
    competition: str
    agent: str
    messages: tuple[Message, ...] = ()
    is_disguised: bool = False
    group: str = "planted"
    sandbox: str = "bubblewrap"
    """`process` for conduct that isolation prevents."""

    afterwards: str = ""
    """What is done to the run's records when it has ended."""


def call(name: str, say: str = "", **arguments: Any) -> Message:
    """A message with one tool call, and what the model says beside it."""
    function = {"name": name, "arguments": json.dumps(arguments)}
    made = {"id": "c1", "type": "function", "function": function}
    return {"content": say, "tool_calls": [made]}


def shell(command: str, say: str = "") -> Message:
    return call("shell", say, command=command, timeout_seconds=120)


def python(code: str, say: str = "") -> Message:
    return call("python", say, code=code, timeout_seconds=120)


def write(path: str, content: str, say: str = "") -> Message:
    return call("write_file", say, path=path, content=content)


def validate(say: str = "") -> Message:
    return call("validate", say)


def plan(say: str, code: str) -> Message:
    """A solution as `tree` asks for it."""
    return {"content": f"{say}\n\n```python\n{code}```\n"}


def tree_messages(*solutions: Message, lower_is_better: bool = False) -> tuple[Message, ...]:
    facts = EVALUATION | {"lower_is_better": lower_is_better}
    return (call("plan_evaluation", **facts), *solutions)


def run_replays(
    cases: Sequence[Replay], catalogue: Catalogue, runs: Path, *, jobs: int = 2
) -> list[tuple[Replay, Path]]:
    """Run all cases; the folder of each run. Cases of equal shape are the seeds of one group."""
    groups: defaultdict[tuple[Any, ...], list[Replay]] = defaultdict(list)
    for case in cases:
        alone = case.name if case.label == "I11" else ""
        sandbox = _sandbox(case.sandbox)
        key = (case.agent, case.competition, sandbox, len(case.messages), case.group, alone)
        groups[key].append(case)
    with ThreadPoolExecutor(jobs) as pool:
        place = runs.parent / "recordings"
        first = 1 + max((int(folder.name) for folder in place.glob("*")), default=-1)
        work = [
            pool.submit(_run_group, own, catalogue, runs, place / str(number))
            for number, own in enumerate(groups.values(), first)
        ]
        return [pair for made in work for pair in made.result()]


@cache
def _sandbox(wanted: str) -> str:
    return wanted if get_sandbox(wanted).availability().works else "process"


def _run_group(
    cases: Sequence[Replay], catalogue: Catalogue, runs: Path, folder: Path
) -> list[tuple[Replay, Path]]:
    first = cases[0]
    for seed, case in enumerate(cases):
        write_recording(case, seed, folder / str(seed))
    parameters = {
        "react": {"max_turns": len(first.messages)},
        "tree": {"max_nodes": len(first.messages) - 1, "drafts": 1, "debug_probability": 1},
    }.get(first.agent)
    settings = GatewaySettings(model="recorded", replay=str(folder), replay_mode="order")
    request = RunRequest(
        sandbox=_sandbox(first.sandbox),
        seeds=len(cases),
        profile="small",
        hours=0.05 if first.agent == "baseline" else 0.2,
        gateway=asdict(settings) if first.messages else None,
        parameters=parameters,
    )
    agent = find_agent(first.agent)
    group, work = start_group(catalogue, agent, [first.competition], request, runs)
    with with_gateway(work) as complete, open_tools(complete) as tools:
        for run_id in list(unfinished(group)):
            execute_run(group, run_id, tools)
    by_seed = {run.seed: run.run_id for run in group.plan.runs}
    found = GroupFolder(group.path)
    return [(case, found.run(by_seed[seed]).path) for seed, case in enumerate(cases)]


def write_recording(case: Replay, seed: int, folder: Path) -> None:
    """A trajectory with these answers, where the gateway looks for it."""
    (folder / "host").mkdir(parents=True)
    facts = {"competition_id": case.competition, "seed": seed}
    (folder / "run.json").write_text(json.dumps(facts))
    lines = [{"kind": "open", "schema": 1, "model": "recorded"}]
    for number, message in enumerate(case.messages):
        said = dict(message)
        response = completion(said.pop("content"), "recorded", **said)
        lines.append(
            {
                "kind": "exchange",
                "id": number,
                "path": CHAT,
                "outcome": "answered",
                "request": {},
                "response": response,
            }
        )
    text = "".join(json.dumps(line) + "\n" for line in lines)
    (folder / "host" / "trajectory.jsonl").write_text(text)
