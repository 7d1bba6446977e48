"""What the agent is told and given: instructions, variables, limits, folders."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mlebench.records.folders import RunFolder
from mlebench.records.group import GroupRecord
from mlebench.records.run import RunRecord
from mlebench.runner.limits import make_limits
from mlebench.sandbox.base import GATEWAY_PORT, VALIDATION_PORT, Job, JobFolders, ResourceLimits

if TYPE_CHECKING:
    from mlebench.runner.endpoints import Endpoints
    from mlebench.runner.tools import WorkerTools

INSTRUCTIONS = """You are given a machine-learning competition and must solve it on your own.

- The data is in /home/data (read-only); read /home/data/description.md first.
- Write your predictions to /home/submission/submission.csv, in the format that the description
  states. Only the file that exists when the time is over counts, so write a valid one early and
  replace it with better ones.
- /home/code is for the code that made the submission, /home/logs for logs, /home/agent is yours.
- To check the format: bash /home/validate_submission.sh /home/submission/submission.csv, or POST
  the file as form field "file" to http://localhost:{port}/validate. The reply says whether the
  file is valid and why not; it says nothing about its score.
- You have {hours} hours, {cpus} CPUs, {memory} of memory and {gpus} GPUs. There is no internet.
- Do not look for the answers, do not label test data by hand, and do not copy solutions of others.
"""
MODEL_NOTE = """- A language model answers at http://localhost:{port}/v1 in OpenAI's protocol; the
  key is in OPENAI_API_KEY, the model's name in MLEBENCH_MODEL. Calls, tokens and money are limited.
"""


def make_job(
    plan: GroupRecord,
    tools: WorkerTools,
    *,
    public: Path,
    endpoints: Endpoints,
    place: RunFolder,
    gpus: tuple[int, ...],
) -> Job:
    """Everything that the sandbox needs to start the agent.

    Args:
        public: the data as the agent sees it.
        endpoints: of the run.
        place: holds the agent's folders while it runs.
    """
    record, run, competition = endpoints.record, endpoints.run, endpoints.competition
    limits = make_limits(plan.settings, gpus)
    return Job(
        run_id=record.run_id,
        command=tools.work.agent.command,
        folders=JobFolders(
            public=public,
            submission=place.submission,
            logs=place.logs,
            code=place.code,
            agent=place.agent,
            package=tools.work.agent.mounted,
            sockets=endpoints.folder,
        ),
        limits=limits,
        instructions=make_instructions(plan, limits),
        environment=make_environment(record, plan, tools) | endpoints.environment,
        log=run.agent_log,
        resources=run.resources,
        packages=tools.work.packages,
        program=tools.work.program,
        image=plan.settings.image or tools.work.agent.image,
        runtime=plan.settings.runtime,
        secrets=(competition.private_dir, run.host),
    )


def agent_parameters(plan: GroupRecord, tools: WorkerTools) -> dict[str, Any]:
    """The agent's own parameters, with those of the plan in their place."""
    return {**tools.work.agent.parameters, **plan.settings.parameters}


def make_environment(record: RunRecord, plan: GroupRecord, tools: WorkerTools) -> dict[str, str]:
    """The agent's variables; in obfuscated runs none of them names the competition."""
    settings = plan.settings
    return {
        **tools.work.agent.environment,
        "COMPETITION_ID": "competition" if settings.is_obfuscated else record.competition_id,
        "MLEBENCH_SECONDS": f"{settings.hours * 3600:g}",
        "MLEBENCH_SEED": str(record.seed),
        "MLEBENCH_PARAMETERS": json.dumps(agent_parameters(plan, tools)),
    }


def make_instructions(plan: GroupRecord, limits: ResourceLimits) -> str:
    memory = limits.memory_bytes
    text = INSTRUCTIONS.format(
        port=VALIDATION_PORT,
        hours=f"{limits.wall_seconds / 3600:.3g}",
        cpus="all" if limits.cpus is None else f"{limits.cpus:g}",
        memory=f"{memory / 1e9:.3g} GB" if memory else "unlimited",
        gpus=len(limits.gpus),
    )
    return text + (MODEL_NOTE.format(port=GATEWAY_PORT) if plan.settings.model else "")
