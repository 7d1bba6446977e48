"""Runs of whole agents: prepared data, a scripted model behind the gateway, a real sandbox."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from mlebench.agents.registry import find_agent
from mlebench.catalogue import Catalogue
from mlebench.gateway.settings import Budget, GatewaySettings
from mlebench.preparing.on_disk import has_prepared_files
from mlebench.preparing.prepare import Rehearsal, prepare
from mlebench.records.folders import RunFolder
from mlebench.records.run import RunRecord
from mlebench.runner.group import RunRequest, start_group
from mlebench.runner.model import with_gateway
from mlebench.runner.run import execute_run
from mlebench.runner.statuses import read_records, unfinished
from mlebench.runner.tools import open_tools
from tests.agents import scripted
from tests.gateway.provider import KEY, Provider
from tests.sandbox.conftest import require_sandbox

COMPETITIONS = ("starter-wine", "spaceship-titanic", "leaf-classification")
MOSTLY_LONG = [
    COMPETITIONS[0],
    *(pytest.param(name, marks=pytest.mark.long) for name in COMPETITIONS[1:]),
]


@pytest.fixture(scope="session")
def arena(tmp_path_factory: pytest.TempPathFactory) -> Catalogue:
    """A folder of data in which `play` prepares what an agent asks for."""
    return Catalogue(tmp_path_factory.mktemp("data"))


@pytest.fixture(scope="session")
def bubblewrap() -> None:
    require_sandbox("bubblewrap")


@pytest.fixture
def model() -> Iterator[Provider]:
    with Provider() as provider:
        provider.default = scripted.answer
        yield provider


Play = Callable[..., tuple[RunRecord, RunFolder]]


@pytest.fixture
def play(
    arena: Catalogue,
    model: Provider,
    bubblewrap: None,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> Play:
    """One run of an agent to its end."""

    def play(
        agent: str,
        competition_id: str,
        *,
        seconds: float = 120,
        base_url: str | None = None,
        model_name: str = "scripted",
        replay: Path | None = None,
        max_calls: int | None = None,
        max_output_tokens: int = 32_768,
        **parameters: Any,
    ) -> tuple[RunRecord, RunFolder]:
        competition = arena.get_competition(competition_id)
        if not has_prepared_files(competition):
            is_real = competition_id.startswith("starter")
            prepare(competition, None if is_real else Rehearsal())
        settings = GatewaySettings(
            model=model_name,
            base_url=base_url or model.url,
            replay=str(replay) if replay else None,
            run_budget=Budget(calls=max_calls),
            max_output_tokens=max_output_tokens,
        )
        request = RunRequest(
            sandbox="bubblewrap",
            profile="small",
            hours=seconds / 3600,
            gateway=asdict(settings) | {"api_key_env": "AGENT_TEST_KEY"},
            parameters=parameters,
        )
        monkeypatch.setenv("AGENT_TEST_KEY", KEY)
        group, work = start_group(
            arena, find_agent(agent), [competition_id], request, tmp_path / "runs"
        )
        with with_gateway(work) as with_model, open_tools(with_model) as tools:
            for run_id in unfinished(group):
                execute_run(group, run_id, tools)
        (run,) = read_records(group)
        for file in group.path.rglob("*"):
            assert not file.is_file() or KEY.encode() not in file.read_bytes(), file
        return run, group.run(run.run_id)

    return play
