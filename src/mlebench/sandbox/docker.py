"""The room `docker`: a container of a Docker engine or of Podman's socket.

The engine call is built from our own fields only. The container has no network, no capabilities, a
read-only root and an ordinary user; it is ended through the engine, by its name and label, since
the death of a client leaves it running.
"""

from __future__ import annotations

import contextlib
import os
import re
import tempfile
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mlebench.errors import SandboxError
from mlebench.sandbox import bridge
from mlebench.sandbox.base import Availability, EndedBy, Isolation, Job, Limits, Outcome, Usage
from mlebench.sandbox.mounts import Mount, plan_mounts
from mlebench.sandbox.output import CappedLog
from mlebench.sandbox.watch import disk_usage
from mlebench.sandbox.world import VALIDATE, room_environment

DEFAULT_IMAGE = "mlebench-agent:latest"
LABEL = "mlebench.run"
UID = 1000
PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
POLL_SECONDS = 0.2
DISK_SECONDS = 2.0
GRACE_SECONDS = 3
WANTED_VERSION = (25, 0)
SHOWN = ("/home/data", "/opt/agent", "/opt/packages", "/run/doors")


class Docker:
    """Runs a job in a container."""

    name = "docker"
    isolation: Isolation = "container"

    def availability(self) -> Availability:
        """Ask the engine and look for the default image."""
        try:
            client = connect()
            version = str(client.version()["Version"])
        except SandboxError as error:
            return Availability(False, str(error))
        notes = []
        if version_numbers(version) < WANTED_VERSION:
            notes.append(
                f"version {version} is older than 25: read-only mounts do not cover submounts and"
                " its seccomp profile lets io_uring and vsock through"
            )
        if not _has_image(client, DEFAULT_IMAGE):
            notes.append(f"the image {DEFAULT_IMAGE} is not there: build it, or name one: --image")
        return Availability(True, "; ".join(notes) or "works", version)

    def run(
        self,
        job: Job,
        *,
        on_start: Callable[[Mapping[str, object]], None] = lambda facts: None,
        is_cancelled: Callable[[], bool] = lambda: False,
    ) -> Outcome:
        """See `Sandbox.run`."""
        client = connect()
        image = job.image or DEFAULT_IMAGE
        if not _has_image(client, image):
            raise SandboxError(f"the image {image} is not there; build or load it first")
        mounts = [m for m in plan_mounts(job) if m.writable or m.target in SHOWN]
        refuse_submounts(mounts)
        for mount in mounts:
            if mount.writable and os.geteuid() == 0:
                os.chown(mount.source, UID, UID, follow_symlinks=False)
        with tempfile.TemporaryDirectory(prefix="mlebench-") as place:
            files = _write_files(job, Path(place))
            name = container_name(job.run_id)
            options = container_options(job, image, mounts, files)
            _remove(client, name)
            container = client.containers.create(**options)
            try:
                on_start({"room": "docker", "container": name})
                return _Run(client, container, job, mounts).wait(is_cancelled)
            finally:
                _remove(client, name)

    def end_leftovers(self, facts: Mapping[str, object]) -> bool:
        """Remove the container of a killed harness, if it is one of ours."""
        name = facts.get("container")
        if not isinstance(name, str):
            return True
        _remove(connect(), name)
        return True

    def remove_orphans(self) -> list[str]:
        """Remove every container with our label that has ended; gives their names."""
        client = connect()
        gone = []
        for container in client.containers.list(all=True, filters={"label": LABEL}):
            if container.status in ("exited", "dead", "created"):
                gone.append(container.name)
                container.remove(force=True)
        return gone


def connect() -> Any:
    """A client of the engine that `DOCKER_HOST` or the usual socket names, Podman's included."""
    try:
        import docker
    except ImportError:
        raise SandboxError(
            "the docker room needs the Docker client; install it: pip install 'mlebench[docker]'"
        ) from None
    try:
        client = docker.from_env(timeout=120)
        client.ping()
    except (docker.errors.DockerException, OSError) as error:
        reason = re.sub(r"\s+", " ", str(error))[:200]
        raise SandboxError(f"no Docker engine answers: {reason}") from None
    return client


def container_name(run_id: str) -> str:
    return "mlebench-" + re.sub(r"[^A-Za-z0-9_.-]", "-", run_id)[-100:]


def container_options(
    job: Job, image: str, mounts: list[Mount], files: Mapping[str, Path]
) -> dict[str, Any]:
    """The call to the engine: every field is ours, none the agent's."""
    from docker.types import DeviceRequest, LogConfig, Ulimit
    from docker.types import Mount as EngineMount

    limits = job.limits
    binds = [EngineMount(m.target, str(m.source), "bind", read_only=not m.writable) for m in mounts]
    binds += [EngineMount(to, str(file), "bind", read_only=True) for to, file in files.items()]
    environment = room_environment(job) | {"PATH": PATH}
    options: dict[str, Any] = {
        "image": image,
        "command": ["python3", "-I", "-S", "/run/bridge.py", "--", *job.command],
        "entrypoint": [],
        "name": container_name(job.run_id),
        "labels": {LABEL: job.run_id},
        "hostname": "sandbox",
        "user": f"{UID}:{UID}",
        "working_dir": "/home/agent",
        "environment": environment,
        "network_mode": "none",
        "ipc_mode": "private",
        "cap_drop": ["ALL"],
        "security_opt": ["no-new-privileges"],
        "read_only": True,
        "init": True,
        "tmpfs": {"/tmp": _tmpfs_options(limits)},
        "mounts": binds,
        "ulimits": [Ulimit(name="core", soft=0, hard=0)],
        "log_config": LogConfig(type="json-file", config={"max-size": "10m", "max-file": "2"}),
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


def _tmpfs_options(limits: Limits) -> str:
    size = f",size={limits.shm_bytes}" if limits.shm_bytes else ""
    return f"rw,nosuid,nodev,mode=1777{size}"


def _write_files(job: Job, place: Path) -> dict[str, Path]:
    """The small files of the agent's world, for mounting one by one."""
    place.chmod(0o755)
    texts = {
        "/home/instructions.txt": job.instructions,
        "/home/validate_submission.sh": VALIDATE,
        "/run/bridge.py": Path(bridge.__file__).read_text("utf-8"),
    }
    found = {}
    for target, text in texts.items():
        file = place / Path(target).name
        file.write_text(text, "utf-8")
        file.chmod(0o555)
        found[target] = file
    return found


def refuse_submounts(mounts: list[Mount]) -> None:
    """A read-only bind does not cover mounts below it in older engines, so there must be none."""
    try:
        lines = Path("/proc/self/mountinfo").read_text("utf-8").splitlines()
    except OSError:
        return
    places = [Path(line.split()[4]) for line in lines]
    for mount in mounts:
        for place in places:
            if place != mount.source and place.is_relative_to(mount.source):
                raise SandboxError(
                    f"{place} is mounted below {mount.source}, which the agent would see writable",
                    hint="unmount it or move the data",
                )


@dataclass
class _Run:
    """One container from its start to its end."""

    client: Any
    container: Any
    job: Job
    mounts: list[Mount]

    def wait(self, is_cancelled: Callable[[], bool]) -> Outcome:
        import docker

        log = CappedLog(self.job.log)
        start = time.monotonic()
        try:
            self.container.start()
        except docker.errors.APIError as error:
            log.close()
            raise SandboxError(f"the container did not start: {error.explanation}") from None
        reader = threading.Thread(target=self._copy_output, args=(log,), daemon=True)
        reader.start()
        try:
            ended_by, reason = self._until_end(start, is_cancelled)
            if ended_by != "exit":
                with contextlib.suppress(docker.errors.APIError):
                    self.container.stop(timeout=GRACE_SECONDS)
            seconds = time.monotonic() - start
            state = self._state()
            reader.join(GRACE_SECONDS)
        finally:
            log.close()
        if state.get("OOMKilled") and ended_by == "exit":
            ended_by, reason = "memory", f"it used more than {self.job.limits.memory_bytes:,} bytes"
        code = state.get("ExitCode") if ended_by == "exit" else None
        if code is not None:
            reason = f"it ended by itself with exit code {code}"
        return Outcome(
            ended_by, code, reason, round(seconds, 3), self._usage(seconds), self._facts()
        )

    def _until_end(self, start: float, is_cancelled: Callable[[], bool]) -> tuple[EndedBy, str]:
        limits = self.job.limits
        folders = [mount.source for mount in self.mounts if mount.writable]
        next_disk = start + DISK_SECONDS
        while True:
            now = time.monotonic()
            if now - start >= limits.wall_seconds:
                return "time", f"its {limits.wall_seconds:g} seconds were over"
            if is_cancelled():
                return "cancelled", "it was cancelled"
            if now >= next_disk and limits.disk_bytes:
                used = sum(disk_usage(folders))
                if used > limits.disk_bytes:
                    return "disk", f"it wrote {used:,} bytes, more than {limits.disk_bytes:,}"
                next_disk = time.monotonic() + DISK_SECONDS
            if not self._state().get("Running"):
                return "exit", "it ended by itself"
            time.sleep(min(POLL_SECONDS, max(0.0, start + limits.wall_seconds - now)))

    def _state(self) -> dict[str, Any]:
        import docker

        try:
            self.container.reload()
        except docker.errors.NotFound:
            return {"Running": False}
        except (docker.errors.APIError, OSError) as error:
            raise SandboxError(f"the engine does not answer any more: {error}") from None
        return dict(self.container.attrs["State"])

    def _copy_output(self, log: CappedLog) -> None:
        import docker

        with contextlib.suppress(docker.errors.APIError, OSError, ValueError):
            for block in self.container.logs(stream=True, follow=True):
                log.write(block)

    def _usage(self, seconds: float) -> dict[str, Usage]:
        limits = self.job.limits
        folders = [mount.source for mount in self.mounts if mount.writable]
        return {
            "wall_seconds": Usage(limits.wall_seconds, round(seconds, 3), "kernel"),
            "cpus": Usage(limits.cpus, None, "kernel" if limits.cpus else "not"),
            "memory_bytes": Usage(
                limits.memory_bytes, None, "kernel" if limits.memory_bytes else "not"
            ),
            "processes": Usage(limits.processes, None, "kernel" if limits.processes else "not"),
            "disk_bytes": Usage(limits.disk_bytes, sum(disk_usage(folders)), "polled"),
            "gpus": Usage(len(limits.gpus), None, "kernel"),
        }

    def _facts(self) -> dict[str, object]:
        image = self.container.image
        return {
            "room": "docker",
            "isolation": "container, shared kernel",
            "network": "none",
            "version": str(self.client.version()["Version"]),
            "image": str(self.job.image or DEFAULT_IMAGE),
            "image_id": image.id if image is not None else None,
            "uid": UID,
        }


def _has_image(client: Any, image: str) -> bool:
    import docker

    try:
        client.images.get(image)
    except docker.errors.ImageNotFound:
        return False
    return True


def _remove(client: Any, name: str) -> None:
    """Remove a container of ours by its name; strangers stay."""
    import docker

    with contextlib.suppress(docker.errors.NotFound):
        container = client.containers.get(name)
        if LABEL in container.labels:
            container.remove(force=True)


def version_numbers(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", text)[:2])
