"""Groups as a whole: start, resume, cancel, find, describe, pass on to grading."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from msgspec import structs

from mlebench.agents.base import AgentPackage
from mlebench.agents.environments import packages_for
from mlebench.agents.installed import find_installed, require_installed, require_program
from mlebench.agents.registry import find_agent
from mlebench.agents.weights import find_weights
from mlebench.catalogue import Catalogue, LocatedCompetition
from mlebench.errors import RevisionError, UnknownNameError, UsageError
from mlebench.grading.grade import require_prepared
from mlebench.records.codec import to_json
from mlebench.records.folders import GroupFolder
from mlebench.records.group import Launch, Settings
from mlebench.records.manifest import is_rehearsal_data
from mlebench.records.run import LostAttempt, write_run
from mlebench.records.weights import write_weights
from mlebench.runner.executors.local import run_local
from mlebench.runner.limits import find_enforcement, require_enforced
from mlebench.runner.notify import check_notify
from mlebench.runner.plan import PlannedGroup, plan_group, planned_agent
from mlebench.runner.profiles import get_profile
from mlebench.runner.statuses import RunStatus, count_states, read_records, read_runs
from mlebench.runner.tools import Work
from mlebench.runner.workspace.answers import find_answers
from mlebench.runner.workspace.renamed import RENAMED, require_tables
from mlebench.version import REVISION

CONTAINERS = ("docker", "apptainer")


@dataclass(frozen=True)
class RunRequest:
    """What a user asks for; the rest follows from the profile."""

    sandbox: str
    seeds: int = 1
    profile: str = "local"
    hours: float | None = None
    gpus: int | None = None
    obfuscation: str = "L0"
    require_limits: bool = False
    """Refuse to start unless the kernel enforces every limit."""

    gateway: dict[str, Any] | None = None
    """`GatewaySettings` as a record, with `api_key_env`, the variable that holds the key."""

    label: str = ""
    protocol: str = ""
    """A published protocol; the plan lists how it deviates from it."""

    launch: Launch = field(default_factory=Launch)
    parameters: dict[str, Any] | None = None
    image: str | None = None
    container: dict[str, Any] | None = None
    """Limits that replace the profile's, and `runtime`."""


def make_settings(request: RunRequest) -> Settings:
    """The profile with the values that the request overrides."""
    profile = get_profile(request.profile)
    gateway = request.gateway or {}
    container = dict(request.container or {})
    runtime = container.pop("runtime", None)
    limits = structs.replace(profile.limits, **container)
    if request.gpus is not None:
        limits = structs.replace(limits, gpus=request.gpus)
    return Settings(
        sandbox=request.sandbox,
        hours=request.hours or profile.hours,
        profile=profile.name,
        limits=limits,
        is_obfuscated=request.obfuscation != "L0",
        obfuscation="" if request.obfuscation == "L0" else request.obfuscation,
        require_limits=request.require_limits,
        model=gateway.get("model"),
        budget={name: gateway.get(name) for name in ("group_budget", "run_budget") if gateway},
        gateway=gateway,
        parameters=request.parameters or {},
        image=request.image,
        runtime=runtime,
    )


def start_group(
    catalogue: Catalogue,
    agent: AgentPackage,
    competition_ids: Sequence[str],
    request: RunRequest,
    runs_dir: Path,
    *,
    on_install: Callable[[str], None] = lambda message: None,
) -> tuple[PlannedGroup, Work]:
    """Plan a group; every competition must be prepared, since a plan is meant to run to its end."""
    competitions = [catalogue.get_competition(competition_id) for competition_id in competition_ids]
    for competition in competitions:
        require_prepared(competition)
        require_tables(competition, request.obfuscation)
    require_no_answers(agent, competitions)
    is_rehearsal = any(is_rehearsal_data(competition.folder) for competition in competitions)
    # Workers may run elsewhere: they get the folder itself, not the default of their machine.
    catalogue = catalogue.with_absolute_folders()
    check_notify(request.launch)
    settings = structs.replace(
        make_settings(request), is_rehearsal=is_rehearsal, revision=catalogue.revision
    )
    enforced = find_enforcement(settings)
    require_enforced(settings, enforced)
    if not _is_in_image(agent, settings):
        require_installed(agent)
    group = plan_group(
        agent,
        competition_ids,
        seeds=request.seeds,
        settings=settings,
        enforced=enforced,
        runs_dir=runs_dir.resolve(),
        label=request.label,
        protocol=request.protocol,
        launch=structs.replace(
            request.launch,
            data_dir=str(catalogue.data_dir),
            competitions_dirs=tuple(map(str, catalogue.competitions_dirs)),
        ),
    )
    work = make_work(catalogue, group, on_install=on_install)
    write_weights(find_weights(work.agent, work.packages), GroupFolder(group.path).weights)
    return group, work


def require_no_answers(agent: AgentPackage, competitions: Sequence[LocatedCompetition]) -> None:
    """Reject an agent whose folder contains a file of the answers, under any name."""
    files = agent.files()
    for competition in competitions:
        if file := find_answers(files, competition):
            raise UsageError(
                f"the agent's file {file} holds the answers of {competition.id};"
                " remove it from the agent's folder"
            )


def make_work(
    catalogue: Catalogue,
    group: PlannedGroup,
    agent: AgentPackage | None = None,
    *,
    on_install: Callable[[str], None] = lambda message: None,
) -> Work:
    """What workers need for a group that exists.

    Args:
        agent: for groups of version 0.1, which have no copy of their agent.
    """
    agent = planned_agent(group) or agent or find_agent(group.plan.agent)
    return Work(
        group=group,
        catalogue=catalogue.with_absolute_folders(),
        agent=agent,
        packages=packages_for(agent, on_install=on_install),
        program=None if _is_in_image(agent, group.plan.settings) else require_program(agent),
    )


def _is_in_image(agent: AgentPackage, settings: Settings) -> bool:
    """Whether the image of a container has to contain the agent's program."""
    has_image = settings.sandbox in CONTAINERS and settings.image is not None
    return has_image and find_installed(agent) is None


def work_on(
    work: Work,
    *,
    jobs: int,
    executor: str = "local",
    ray_address: str | None = None,
    slurm: Mapping[str, str] | None = None,
    on_change: Callable[[], None] = lambda: None,
) -> None:
    """Execute the runs of a group until all have ended."""
    from mlebench.runner.model import with_gateway

    # Workers that outlive this process start a gateway of their own.
    is_detached = executor == "slurm" or ray_address is not None
    with with_gateway(work, is_detached=is_detached) as complete:
        if executor == "local":
            run_local(complete, jobs=jobs, on_change=on_change)
        elif executor == "slurm":
            from mlebench.runner.executors.slurm import run_slurm

            run_slurm(complete, jobs=jobs, options=slurm or {}, on_change=on_change)
        else:
            from mlebench.runner.executors.ray import run_ray

            limits = work.group.plan.settings.limits
            cpus, gpus = float(limits.cpus or 1), float(limits.gpus)
            run_ray(complete, address=ray_address, cpus=cpus, gpus=gpus, on_change=on_change)


def find_group(name: str, runs_dir: Path) -> GroupFolder:
    """A group by its folder or its name; `last` is the newest, `last~1` the one before it."""
    direct = Path(name)
    if (direct / "metadata.json").is_file():
        return GroupFolder(direct.resolve())
    groups = sorted(file.parent for file in runs_dir.glob("*/metadata.json"))
    chosen = [path for path in groups if path.name == name]
    if steps := re.fullmatch(r"last(?:~(\d*))?", name):
        chosen = groups[::-1][int(steps[1] or 0) :]
    if chosen:
        return GroupFolder(chosen[0].resolve())
    known = ", ".join(path.name for path in groups[-3:]) or "none"
    raise UnknownNameError(f"there is no group {name!r} in {runs_dir}; the newest are: {known}")


def cancel_group(group: GroupFolder) -> None:
    """Request cancellation: running agents are ended within seconds, others never start."""
    (group.path / "cancelled").touch()


def reopen_group(group: PlannedGroup) -> list[RunStatus]:
    """Withdraw a cancellation, and plan runs again that failed because of the infrastructure.

    Returns:
        All runs as they are now.
    """
    (group.path / "cancelled").unlink(missing_ok=True)
    return [_reopened(group, run) for run in read_runs(group)]


def _reopened(group: PlannedGroup, status: RunStatus) -> RunStatus:
    run = status.record
    if run is None or not (
        run.state == "cancelled" or (run.state == "failed" and run.blame == "infrastructure")
    ):
        return status
    again = LostAttempt(run.attempt, "resumed", run.reason)
    run = structs.replace(
        run, state="planned", blame=None, reason=None, attempts=(*run.attempts, again)
    )
    write_run(run, group.run(run.run_id).state)
    return replace(status, record=run)


def common_revision(groups: Sequence[PlannedGroup]) -> str:
    """The revision of groups that are graded together; RevisionError if they differ in it."""
    found = sorted({group.plan.settings.revision for group in groups})
    if len(found) > 1:
        raise RevisionError(f"the groups are of revisions {' and '.join(found)}; name those of one")
    return found[0]


def submission_lines(groups: Sequence[PlannedGroup]) -> Iterator[str]:
    """JSONL for `mlebench grade`: the sealed submission, logs and code of every run."""
    revision = common_revision(groups)
    for group in groups:
        if (level := group.plan.settings.obfuscation_level) in RENAMED:
            raise UsageError(
                f"the submissions of {group.plan.group} have neutral names ({level}) and are"
                " graded by their own run only"
            )
        for run in read_records(group):
            if not run.is_final:
                continue
            folder = group.run(run.run_id)
            facts = {
                "competition_id": run.competition_id,
                "submission_path": str(folder.sealed_submission),
                "logs_path": str(folder.logs),
                "code_path": str(folder.code),
            }
            # The published format has no revision: lines of v1 stay as they are.
            is_published = revision == REVISION
            yield json.dumps(facts if is_published else facts | {"revision": revision})


def describe_group(group: PlannedGroup, runs: Sequence[RunStatus]) -> dict[str, Any]:
    """Plan, settings and the state of every run, for programs."""
    return {
        "group": group.plan.group,
        "folder": str(group.path),
        "agent": group.plan.agent,
        "settings": to_json(group.plan.settings),
        "enforced": group.plan.enforced,
        "protocol": group.plan.protocol or None,
        "deviations": to_json(group.plan.deviations),
        "states": dict(count_states(runs)),
        "runs": [to_json(run.record) if run.record else run.problem for run in runs],
    }
