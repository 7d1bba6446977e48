"""Create a container; no field of the request comes from the agent.

Defaults in which Docker and Podman differ are set explicitly, so that the sandbox is the same in
both: no init program of the engine's, files in /tmp may be executed, no other tmpfs.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import psutil

from mlebench.errors import SandboxError
from mlebench.sandbox.base import Job, ResourceLimits
from mlebench.sandbox.environment import VALIDATE_SCRIPT, sandbox_environment
from mlebench.sandbox.mounts import Mount
from mlebench.sandbox.programs import bridge
from mlebench.sandbox.seccomp import seccomp_filter

LABEL = "mlebench.run"
UID = 1000
PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
FILTER = "/run/filter.bpf"
COVERED = ("/var/tmp", "/dev/mqueue")  # otherwise writable: the first in Podman, the second in both
CONTAINER_FIELDS = frozenset(
    "image command entrypoint name labels hostname user working_dir environment".split()
)


def container_name(run_id: str) -> str:
    return "mlebench-" + re.sub(r"[^A-Za-z0-9_.-]", "-", run_id)[-100:]


def agent_user() -> tuple[int, int]:
    """The agent's uid and gid: ours, or an ordinary user's if we are root."""
    return (os.getuid(), os.getgid()) if os.geteuid() else (UID, UID)


def create(client: Any, options: Mapping[str, Any], *, keep_user: bool) -> Any:
    """Create the container.

    Args:
        keep_user: map our user to the same user inside, in an engine without root.
    """
    import docker

    own = {key: value for key, value in options.items() if key in CONTAINER_FIELDS}
    rest = {key: value for key, value in options.items() if key not in CONTAINER_FIELDS}
    host = client.api.create_host_config(**rest)
    if keep_user:
        host["UsernsMode"] = "keep-id"  # Podman's value, which the client does not know
    try:
        made = client.api.create_container(**own, host_config=host)
    except docker.errors.APIError as error:
        raise SandboxError(f"the container could not be made: {error.explanation}") from None
    return client.containers.get(made["Id"])


def container_options(
    job: Job, image: str, mounts: list[Mount], files: Mapping[str, Path]
) -> dict[str, Any]:
    """The options of the container."""
    from docker.types import DeviceRequest, LogConfig
    from docker.types import Mount as EngineMount

    limits = job.limits
    binds = [EngineMount(m.target, str(m.source), "bind", read_only=not m.writable) for m in mounts]
    binds += [EngineMount(to, str(file), "bind", read_only=True) for to, file in files.items()]
    filtered = ["--filter", FILTER] if FILTER in files else []
    options: dict[str, Any] = {
        "image": image,
        "command": ["python3", "-I", "-S", "/run/bridge.py", *filtered, "--", *job.command],
        "entrypoint": [],
        "name": container_name(job.run_id),
        "labels": {LABEL: job.run_id},
        "hostname": "sandbox",
        "user": ":".join(map(str, agent_user())),
        "working_dir": "/home/agent",
        "environment": sandbox_environment(job) | {"PATH": PATH},
        "network_mode": "none",
        "ipc_mode": "private",
        "cap_drop": ["ALL"],
        "security_opt": ["no-new-privileges"],
        "read_only": True,
        "tmpfs": {"/tmp": _tmpfs_options(limits), **dict.fromkeys(COVERED, "ro,size=4k")},
        "mounts": binds,
        "log_config": LogConfig(type="none"),
        "oom_score_adj": 1000,  # where memory runs out the agent goes first
    }
    if limits.shm_bytes:
        options["shm_size"] = limits.shm_bytes
    if limits.memory_bytes:
        options |= {"mem_limit": limits.memory_bytes, "memswap_limit": limits.memory_bytes}
    if limits.processes:
        options["pids_limit"] = limits.processes
    if limits.cpus:
        options["nano_cpus"] = int(min(limits.cpus, os.cpu_count() or 1) * 1e9)
    if limits.gpus:
        ids = [str(index) for index in limits.gpus]
        options["device_requests"] = [DeviceRequest(device_ids=ids, capabilities=[["gpu"]])]
    if job.runtime:
        options["runtime"] = job.runtime
    return options


def _tmpfs_options(limits: ResourceLimits) -> str:
    size = f",size={limits.shm_bytes}" if limits.shm_bytes else ""
    return f"rw,exec,nosuid,nodev,mode=1777{size}"


def write_files(job: Job, place: Path) -> dict[str, Path]:
    """Write the small files that are mounted one by one; returns them by their target."""
    place.chmod(0o755)
    contents = {
        "/home/instructions.txt": job.instructions.encode(),
        "/home/validate_submission.sh": VALIDATE_SCRIPT.encode(),
        "/run/bridge.py": Path(bridge.__file__).read_bytes(),
    }
    if refused := seccomp_filter(namespaces=False):
        contents[FILTER] = refused
    found = {}
    for target, content in contents.items():
        file = place / Path(target).name
        file.write_bytes(content)
        file.chmod(0o555)
        found[target] = file
    return found


def refuse_submounts(mounts: list[Mount]) -> None:
    """Refuse mounts below a source: older engines leave them writable in a read-only mount."""
    places = [Path(partition.mountpoint) for partition in psutil.disk_partitions(all=True)]
    for mount in mounts:
        for place in places:
            if place != mount.source and place.is_relative_to(mount.source):
                raise SandboxError(
                    f"{place} is mounted below {mount.source}, which the agent would see writable",
                    hint="unmount it or move the data",
                )
