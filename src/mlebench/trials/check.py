"""Check that an installed agent works on this machine: a whole run with a scripted model.

Everything is real except the model: the agent's program, the sandbox, the gateway, the validation
server, the grading.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from mlebench.agents.base import AgentPackage
from mlebench.agents.installed import find_installed
from mlebench.catalogue import Catalogue
from mlebench.errors import BenchError
from mlebench.gateway.settings import GatewaySettings
from mlebench.preparing.prepare import prepare
from mlebench.records.folders import RunFolder
from mlebench.records.report import read_report
from mlebench.records.run import RunRecord
from mlebench.runner.details import last_lines
from mlebench.runner.group import RunRequest, start_group
from mlebench.runner.model import with_gateway
from mlebench.runner.run import execute_run
from mlebench.runner.statuses import read_records, unfinished
from mlebench.runner.tools import open_tools
from mlebench.trials.provider import INPUT_TOKENS, OUTPUT_TOKENS, ScriptedProvider

COMPETITION = "starter-wine"
LOG_LINES = 15
IN_TIME = 0.9
"""The share of its time after which its launcher would stop an agent."""


@dataclass(frozen=True)
class AgentCheck:
    """The result of one check."""

    agent: str
    version: str
    is_ok: bool
    reason: str
    """One sentence."""

    seconds: float
    sandbox: str
    package: str | None = None
    protocol: str | None = None
    python: str | None = None
    node: str | None = None
    calls: int = 0
    tokens: int = 0
    validations: int = 0
    has_mcp: bool = False
    """Whether the agent called `validate` of our MCP server."""

    log: str = ""
    """The end of its output, if the check failed."""


def check_agent(
    agent: AgentPackage,
    *,
    sandbox: str,
    image: str | None = None,
    seconds: float = 300,
    keep: Path | None = None,
    on_note: Callable[[str], None] = lambda message: None,
) -> AgentCheck:
    """Run an agent on a starter competition with a scripted model, and judge the result.

    Args:
        keep: a folder for data and run, which are removed otherwise.
    """
    record = find_installed(agent)
    program = agent.program
    needs_mcp = program is not None and program.speaks_mcp
    start = time.monotonic()
    place = nullcontext(str(keep)) if keep else tempfile.TemporaryDirectory(prefix="mlebench-")
    with place as folder, ScriptedProvider() as provider:
        try:
            request = RunRequest(
                sandbox=sandbox,
                image=image,
                profile="small",
                hours=seconds / 3600,
                gateway=_gateway(provider.url) if agent.needs_model else None,
                parameters={"continue": False},
            )
            run, home = _play(agent, request, folder=Path(folder), on_note=on_note)
            problem = _problem(run, home, seconds=seconds, needs_mcp=needs_mcp)
            log = last_lines(home.agent_log, LOG_LINES)
        except BenchError as error:
            run, problem, log = None, str(error), ""
    model = run.model if run else None
    return AgentCheck(
        agent=agent.name,
        version=agent.version,
        is_ok=problem is None,
        reason=problem or "a valid submission",
        seconds=round(time.monotonic() - start, 1),
        sandbox=sandbox,
        package=program.package if program else None,
        protocol=program.protocol if program else None,
        python=record.python if record else None,
        node=record.node if record else None,
        calls=model.answered if model else 0,
        tokens=model.tokens if model else 0,
        validations=run.validations if run else 0,
        has_mcp=needs_mcp and problem is None,
        log="" if problem is None else log,
    )


def _gateway(url: str) -> dict[str, Any]:
    """The settings of the gateway; a provider on this machine needs no key."""
    settings = GatewaySettings(model="scripted", base_url=url)
    return asdict(settings) | {"api_key_env": "MLEBENCH_NO_KEY"}


def _play(
    agent: AgentPackage, request: RunRequest, *, folder: Path, on_note: Callable[[str], None]
) -> tuple[RunRecord, RunFolder]:
    """One run from data to grade."""
    catalogue = Catalogue(folder / "data")
    prepare(catalogue.get_competition(COMPETITION))
    group, work = start_group(
        catalogue, agent, [COMPETITION], request, folder / "runs", on_install=on_note
    )
    on_note(f"running {agent.name} in {request.sandbox} with a scripted model")
    with with_gateway(work) as complete, open_tools(complete) as tools:
        for run_id in unfinished(group):
            execute_run(group, run_id, tools)
    (run,) = read_records(group)
    return run, group.run(run.run_id)


def _problem(run: RunRecord, home: RunFolder, *, seconds: float, needs_mcp: bool) -> str | None:
    """Why the check failed, in one sentence; None if it passed."""
    if run.state != "finished" or run.blame:
        return f"the run is {run.state} ({run.blame}): {run.reason}"
    if (run.seconds or 0) > IN_TIME * seconds:
        return f"it did not end by itself within {seconds:.0f} s"
    if run.model is not None:
        answered, tokens = run.model.answered, run.model.tokens
        if not answered:
            return "it ended without an answer of the model"
        if tokens != answered * (INPUT_TOKENS + OUTPUT_TOKENS):
            return f"{tokens} tokens were counted for {answered} answers of 120 each"
        if not run.validations:
            return "its command was not run: nothing was validated"
        # The script validates once with the shell and once with our server.
        if needs_mcp and run.validations < 2:
            return "it did not call `validate` of the MCP server"
    report = read_report(home.report)
    return None if report.valid_submission else f"its submission is not valid: {report.reason}"
