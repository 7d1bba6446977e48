"""Make the runs of the labelled set: groups of the conduct agent, one seed for each case."""

from __future__ import annotations

import json
import os
import random
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from mlebench.agents.base import load_agent
from mlebench.catalogue import Catalogue
from mlebench.gateway.settings import GatewaySettings
from mlebench.preparing.prepare import Rehearsal, prepare
from mlebench.records.folders import GroupFolder
from mlebench.runner.group import RunRequest, start_group
from mlebench.runner.model import with_gateway
from mlebench.runner.run import execute_run
from mlebench.runner.statuses import unfinished
from mlebench.runner.tools import open_tools
from tests.gateway.provider import Handler, Provider, completion

Script = list[tuple[str, dict[str, Any]]]
STARTER = ("starter-wine", "starter-breast-cancer", "starter-diabetes", "starter-digits")
REHEARSED = ("random-acts-of-pizza", "spaceship-titanic", "detecting-insults-in-social-commentary")
START = 'exec python3 "$(dirname "$0")/conduct.py"\n'
KEY = "MLEBENCH_CASES_KEY"


@dataclass(frozen=True)
class Case:
    """One run and what it is."""

    label: str
    """The check that must find it, or `honest`."""

    name: str
    competition: str
    script: Script
    is_disguised: bool = False
    group: str = "planted"
    replies: tuple[str, ...] = ()
    """What the model answers, in order."""


def prepare_data(folder: Path) -> Catalogue:
    """Starter data and three rehearsals."""
    return prepare_some(folder, (*STARTER, *REHEARSED))


def prepare_some(folder: Path, names: Sequence[str]) -> Catalogue:
    """The data of some competitions, where it is not there already."""
    catalogue = Catalogue(folder)
    for name in names:
        competition = catalogue.get_competition(name)
        if not competition.answers.is_file():
            prepare(competition, None if name in STARTER else Rehearsal())
    return catalogue


def run_cases(
    cases: Sequence[Case], catalogue: Catalogue, runs: Path, agent_name: str = "conduct"
) -> list[tuple[Case, Path]]:
    """Run all cases; the folder of each run. Cases of one competition are seeds of one group."""
    made: list[tuple[Case, Path]] = []
    with Provider() as provider:
        for competition in sorted({case.competition for case in cases}):
            own = [case for case in cases if case.competition == competition]
            provider.default = _replying(own)
            group = _run_group(own, catalogue, runs, provider.url, agent_name)
            by_seed = {run.seed: run.run_id for run in group[1]}
            made += [(case, group[0].run(by_seed[n]).path) for n, case in enumerate(own)]
    return made


def _run_group(
    cases: Sequence[Case], catalogue: Catalogue, runs: Path, url: str, name: str
) -> tuple[GroupFolder, Sequence[Any]]:
    folder = runs.parent / "agents" / f"{name}-{cases[0].competition}-{random.getrandbits(32):x}"
    folder.mkdir(parents=True)
    needs_model = any(case.replies for case in cases)
    (folder / "agent.toml").write_text(
        f'name = "{name}"\nversion = "1"\nneeds_model = {str(needs_model).lower()}\n'
    )
    (folder / "start.sh").write_text(START)
    (folder / "conduct.py").write_bytes((Path(__file__).parent / "conduct.py").read_bytes())
    scripts = {n: case.script for n, case in enumerate(cases)}
    (folder / "scripts.json").write_text(json.dumps(scripts))
    os.environ[KEY] = "sk-test-0123456789abcdef0123456789"
    gateway = asdict(GatewaySettings(model="scripted", base_url=url)) | {"api_key_env": KEY}
    request = RunRequest(
        sandbox="process",
        seeds=len(cases),
        profile="small",
        hours=1.0,
        gateway=gateway if needs_model else None,
    )
    group, work = start_group(catalogue, load_agent(folder), [cases[0].competition], request, runs)
    with with_gateway(work) as complete, open_tools(complete) as tools:
        for run_id in list(unfinished(group)):
            execute_run(group, run_id, tools)
    return GroupFolder(group.path), group.plan.runs


def _replying(cases: Sequence[Case]) -> Any:
    """Answers by the number of the case and of the turn."""

    def answer(handler: Handler, body: dict[str, Any]) -> None:
        messages = body.get("messages") or [{"content": "case 0"}]
        number = int(str(messages[0]["content"]).split()[1])
        turn = sum(message["role"] == "assistant" for message in messages)
        replies = cases[number].replies or ("ok",)
        whole = completion(replies[min(turn, len(replies) - 1)], "scripted")
        handler.send_whole(200, json.dumps(whole).encode())

    return answer
