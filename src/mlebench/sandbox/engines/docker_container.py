"""Create a container; no field of the request comes from the agent.

Defaults in which Docker and Podman differ are set explicitly, so that the sandbox is the same in
both: no init program from the engine, files in /tmp may be executed, no other tmpfs.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import psutil

from mlebench.errors import SandboxError
from mlebench.sandbox.base import Job
from mlebench.sandbox.engines.docker_engine import docker
from mlebench.sandbox.environment import IMAGE_PATH, sandbox_environment
from mlebench.sandbox.mounts import Mount

LABEL = "mlebench.run"
UID = 1000
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
    own = {key: options[key] for key in options.keys() & CONTAINER_FIELDS}
    rest = {key: options[key] for key in options.keys() - CONTAINER_FIELDS}
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
    limits, types = job.limits, docker.types
    binds = [types.Mount(m.target, str(m.source), "bind", read_only=not m.writable) for m in mounts]
    binds += [types.Mount(to, str(file), "bind", read_only=True) for to, file in files.items()]
    filtered = ["--filter", FILTER] if FILTER in files else []
    tmp_size = f",size={limits.shm_bytes}" if limits.shm_bytes else ""
    tmp = f"rw,exec,nosuid,nodev,mode=1777{tmp_size}"
    options: dict[str, Any] = {
        "image": image,
        "command": ["python3", "-I", "-S", "/run/bridge.py", *filtered, "--", *job.command],
        "entrypoint": [],
        "name": container_name(job.run_id),
        "labels": {LABEL: job.run_id},
        "hostname": "sandbox",
        "user": ":".join(map(str, agent_user())),
        "working_dir": "/home/agent",
        "environment": sandbox_environment(job) | {"PATH": IMAGE_PATH},
        "network_mode": "none",
        "ipc_mode": "private",
        "cap_drop": ["ALL"],
        "security_opt": ["no-new-privileges"],
        "read_only": True,
        "tmpfs": {"/tmp": tmp, **dict.fromkeys(COVERED, "ro,size=4k")},
        "mounts": binds,
        "log_config": types.LogConfig(type="none"),
        "oom_score_adj": 1000,  # if memory runs out, the kernel kills the agent first
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
        options["device_requests"] = [types.DeviceRequest(device_ids=ids, capabilities=[["gpu"]])]
    if job.runtime:
        options["runtime"] = job.runtime
    return options


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
