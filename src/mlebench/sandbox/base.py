"""The protocol of sandboxes: jobs, their limits, and how they ended.

Inside every sandbox the agent finds the same files and ports:

    /home/data                    public files, read-only
    /home/submission              its submission.csv
    /home/logs /home/code /home/agent    its own folders, writable
    /home/instructions.txt        the task, read-only
    /home/validate_submission.sh  asks the validation server, read-only
    /home/mcp_server.py           the same as a server of the Model Context Protocol, read-only
    /opt/agent                    the agent package, read-only
    /opt/python, /opt/packages    interpreter and libraries, read-only (not in an image of its own)
    /opt/program                  the installed program that the agent package starts, read-only
    /run/sockets                  the sockets of the validation server and the model gateway
    localhost:5000, localhost:5001    the same two, bridged
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, NamedTuple, Protocol

VALIDATION_PORT = 5000
GATEWAY_PORT = 5001
VALIDATION_SOCKET = "validation.sock"
GATEWAY_SOCKET = "gateway.sock"

EndedBy = Literal["exit", "time", "memory", "processes", "disk", "cancelled", "machine"]
Enforced = Literal["kernel", "polled", "not"]
Isolation = Literal["none", "namespaces", "container"]
OnStart = Callable[[Mapping[str, object]], None]
IsCancelled = Callable[[], bool]


@dataclass(frozen=True)
class ResourceLimits:
    """What a run may use; None means unlimited."""

    wall_seconds: float
    cpus: float | None = None
    memory_bytes: int | None = None
    processes: int | None = None
    disk_bytes: int | None = None
    """In the agent's writable folders together."""

    has_own_disk: bool = False
    """Whether the writable folders are on a file system of their own, of `disk_bytes`."""

    shm_bytes: int | None = None
    gpus: tuple[int, ...] = ()
    """Indices of the GPUs that were leased to this run."""


@dataclass(frozen=True)
class JobFolders:
    """The host folders that the agent sees."""

    public: Path
    submission: Path
    logs: Path
    code: Path
    agent: Path
    """Its home: a writable folder, empty at the start."""

    package: Path
    """The agent package."""

    sockets: Path
    """A private folder with a short path that contains only sockets."""


@dataclass(frozen=True)
class Job:
    """One start of an agent in a sandbox."""

    run_id: str
    command: Sequence[str]
    """Run in /home/agent; paths in it are paths inside the sandbox."""

    folders: JobFolders
    limits: ResourceLimits
    instructions: str
    environment: Mapping[str, str] = field(default_factory=dict)
    """The agent's variables in addition to PATH, HOME and the like; nothing is inherited."""

    log: Path = Path("agent.log")
    """A host-only file for the agent's output, capped."""

    resources: Path | None = None
    """A host-only file for what the run uses over time, a JSON line every few seconds."""

    packages: Path | None = None
    """A folder of Python libraries for the agent, put on its path."""

    program: Path | None = None
    """A folder with the installed program that the agent package starts."""

    image: str | None = None
    """Container sandboxes: the image to use instead of the default one."""

    runtime: str | None = None
    """Container sandboxes: the engine's runtime, for example one with virtual machines."""

    secrets: tuple[Path, ...] = ()
    """Host folders that no mount may contain or be part of: private data, runs, configuration."""


@dataclass(frozen=True)
class ResourceUsage:
    """One limit as it was granted, used and enforced."""

    granted: float | None
    used: float | None
    enforced: Enforced


def plan_enforcement(
    limits: ResourceLimits,
    controllers: Sequence[str] = (),
    *,
    processes: Enforced = "polled",
    gpus: Enforced = "not",
) -> dict[str, Enforced]:
    """How each limit is enforced with these controllers of a control group.

    Args:
        processes: how the number of processes is limited without the controller `pids`.
    """
    return {
        "wall_seconds": "polled",
        "cpus": "kernel" if "cpu" in controllers else "not",
        "memory_bytes": "kernel" if "memory" in controllers else "polled",
        "processes": "kernel" if "pids" in controllers else processes,
        "disk_bytes": "kernel" if limits.has_own_disk else "polled",
        "gpus": gpus,
    }


def resource_usage(
    limits: ResourceLimits, used: Mapping[str, float | None], enforced: Mapping[str, Enforced]
) -> dict[str, ResourceUsage]:
    """Every limit that `enforced` names as it was granted, used and enforced."""
    granted = vars(limits) | {"gpus": len(limits.gpus)}
    return {
        name: ResourceUsage(granted[name], used.get(name), how) for name, how in enforced.items()
    }


class Excess(NamedTuple):
    """Why a run has to end, and one sentence about it."""

    ended_by: EndedBy
    reason: str


@dataclass(frozen=True)
class Outcome:
    """How a job ended. The agent controls its exit code and output, so nothing depends on them."""

    ended_by: EndedBy
    exit_code: int | None
    reason: str
    """One sentence for a person."""

    seconds: float
    usage: Mapping[str, ResourceUsage]
    """`wall_seconds`, `cpus`, `memory_bytes`, `processes`, `disk_bytes`, `gpus`."""

    facts: Mapping[str, object] = field(default_factory=dict)
    """Versions, isolation, network, seccomp: what a report says about the sandbox."""


@dataclass(frozen=True)
class Availability:
    """Whether a kind of sandbox works on this machine, found by trying it."""

    works: bool
    reason: str
    """Why it does not work and what to do, or notes about one that works."""

    version: str | None = None


def ignore_start(facts: Mapping[str, object]) -> None:
    """The default of `on_start`."""


def never() -> bool:
    """The default of `is_cancelled`."""
    return False


class Sandbox(Protocol):
    """A kind of sandbox."""

    name: str
    isolation: Isolation

    def availability(self) -> Availability:
        """Try it out; takes at most a few seconds."""

    def enforcement(self, limits: ResourceLimits) -> dict[str, Enforced]:
        """How each limit would be enforced here, found by trying.

        Raises:
            SandboxError: the sandbox does not work here.
        """

    def run(
        self, job: Job, *, on_start: OnStart = ignore_start, is_cancelled: IsCancelled = never
    ) -> Outcome:
        """Start the job and wait until it ends or has to be ended; no process of it survives.

        Args:
            on_start: called before the agent starts, with the facts by which `end_leftovers` finds
                its processes after a crash (PID, start time, container name).
            is_cancelled: called about once a second.
        """

    def end_leftovers(self, facts: Mapping[str, object]) -> bool:
        """End what a killed harness left behind, by the facts given to `on_start`."""
