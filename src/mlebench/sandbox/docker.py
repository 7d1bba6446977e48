"""The sandbox `docker`: a container of a Docker engine or of Podman's socket.

The container has no network, no capabilities, a read-only root and an ordinary user; it is ended
through the engine, by its name and label, since the death of a client leaves it running.
"""

from __future__ import annotations

import os
import tempfile
import threading
import time
from collections.abc import Mapping
from contextlib import ExitStack, closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mlebench.errors import SandboxError
from mlebench.sandbox.base import (
    Availability,
    Enforced,
    Excess,
    IsCancelled,
    Isolation,
    Job,
    OnStart,
    Outcome,
    ResourceLimits,
    ResourceUsage,
    ignore_start,
    never,
    plan_enforcement,
    resource_usage,
)
from mlebench.sandbox.disk import DiskMeter
from mlebench.sandbox.engines.docker_container import (
    FILTER,
    LABEL,
    agent_user,
    container_name,
    container_options,
    create,
    refuse_submounts,
)
from mlebench.sandbox.engines.docker_engine import Engine, connect, docker
from mlebench.sandbox.environment import write_files
from mlebench.sandbox.held_files import HeldFiles
from mlebench.sandbox.mounts import Mount, image_mounts
from mlebench.sandbox.output import CappedLog
from mlebench.sandbox.procfs import descendants
from mlebench.sandbox.seccomp import seccomp_filter
from mlebench.sandbox.supervisor import Ending

DEFAULT_IMAGE = "mlebench-agent:latest"
POLL_SECONDS = 0.2
GRACE_SECONDS = 3


class DockerSandbox:
    """Runs a job in a container."""

    name = "docker"
    isolation: Isolation = "container"

    def availability(self) -> Availability:
        """Ask the engine and look for the default image."""
        notes = []
        try:
            with closing(connect()) as client:
                engine = Engine.of(client)
                has_image = _has_image(client, DEFAULT_IMAGE)
        except SandboxError as error:
            return Availability(False, str(error))
        if engine.is_old:
            notes.append(
                f"version {engine.version} is older than 25: read-only mounts do not cover"
                " submounts, so folders that have any are refused"
            )
        if not has_image:
            notes.append(f"there is no image {DEFAULT_IMAGE}: build it, or name one with --image")
        return Availability(True, "; ".join(notes) or "works", str(engine))

    def enforcement(self, limits: ResourceLimits) -> dict[str, Enforced]:
        """See `Sandbox.enforcement`; the engine says which limits it can set."""
        fields = {"memory": "MemoryLimit", "pids": "PidsLimit", "cpu": "CpuCfsQuota"}
        with closing(connect()) as client:
            info = client.info()
        controllers = [name for name, field in fields.items() if info.get(field)]
        found = plan_enforcement(limits, controllers, processes="not", gpus="kernel")
        return found if "memory" in controllers else found | {"memory_bytes": "not"}

    def run(
        self, job: Job, *, on_start: OnStart = ignore_start, is_cancelled: IsCancelled = never
    ) -> Outcome:
        """See `Sandbox.run`."""
        image = job.image or DEFAULT_IMAGE
        mounts = image_mounts(job)
        refuse_submounts(mounts)
        with ExitStack() as stack:
            client = stack.enter_context(closing(connect()))
            if not _has_image(client, image):
                raise SandboxError(f"there is no image {image}; build or load it first")
            engine = Engine.of(client)
            for mount in mounts:
                is_entered = mount.writable or mount.target == "/run/sockets"
                if is_entered and os.geteuid() == 0:
                    os.chown(mount.source, *agent_user(), follow_symlinks=False)
            place = stack.enter_context(tempfile.TemporaryDirectory(prefix="mlebench-"))
            refused = seccomp_filter(namespaces=False)
            files = write_files(job, Path(place), {FILTER: refused} if refused else {})
            name = container_name(job.run_id)
            options = container_options(job, image, mounts, files)
            _remove(client, name)
            container = create(client, options, keep_user=engine.is_podman and engine.is_rootless)
            stack.callback(_remove, client, name)
            _refuse_forgotten(job, container)
            on_start({"sandbox": "docker", "container": name})
            run = _ContainerRun(container, job, mounts, engine, has_filter=FILTER in files)
            return run.wait(is_cancelled)

    def end_leftovers(self, facts: Mapping[str, object]) -> bool:
        """Remove the container that a killed harness left, if it carries our label."""
        name = facts.get("container")
        if isinstance(name, str):
            with closing(connect()) as client:
                _remove(client, name)
        return True


@dataclass
class _ContainerRun:
    """One container from its start to its end."""

    container: Any
    job: Job
    mounts: list[Mount]
    engine: Engine
    has_filter: bool

    def __post_init__(self) -> None:
        folders = [mount.source for mount in self.mounts if mount.writable]
        self.held = HeldFiles()
        self.disk = DiskMeter(folders, self.job.limits, self.held, self.job.log.parent)

    def wait(self, is_cancelled: IsCancelled) -> Outcome:
        log = CappedLog(self.job.log)
        start = time.monotonic()
        try:
            # Not the engine's log: rotation removes lines before a slow reader sees them.
            output = self.container.attach(stream=True)
            reader = threading.Thread(target=_copy_output, args=(output, log), daemon=True)
            reader.start()
            self.container.start()
        except docker.errors.APIError as error:
            log.close()
            raise SandboxError(f"the container did not start: {error.explanation}") from None
        try:
            cause = self._until_end(start, is_cancelled)
            if cause.ended_by != "exit":
                with suppress(docker.errors.APIError):
                    self.container.stop(timeout=GRACE_SECONDS)
                cause = self.disk.settle(cause)
            seconds = time.monotonic() - start
            state = self._state()
            reader.join(GRACE_SECONDS)
        finally:
            if reader.is_alive():
                with suppress(docker.errors.DockerException, OSError):
                    output.close()
            log.close()
        if state.get("OOMKilled") and cause.ended_by == "exit":
            limit = self.job.limits.memory_bytes
            most = f"{limit:,} bytes" if limit else "the memory of the machine"
            cause = Excess("memory", f"it used more than {most}")
        ending = Ending(cause, round(seconds, 3), 0.0)
        return ending.outcome(state.get("ExitCode"), self._usage(seconds), self._facts())

    def _until_end(self, start: float, is_cancelled: IsCancelled) -> Excess:
        limits = self.job.limits
        while True:
            now = time.monotonic()
            if now - start >= limits.wall_seconds:
                return Excess("time", f"its {limits.wall_seconds:g} seconds were over")
            if is_cancelled():
                return Excess("cancelled", "it was cancelled")
            state = self._state()
            init = state.get("Pid") or 0
            self.held.advance([init, *descendants(init)] if init else [], 0.02)
            if excess := self.disk.excess():
                return excess
            if not state.get("Running"):
                return Excess("exit", "it ended by itself")
            time.sleep(min(POLL_SECONDS, max(0.0, start + limits.wall_seconds - now)))

    def _state(self) -> dict[str, Any]:
        try:
            self.container.reload()
        except docker.errors.NotFound:
            return {"Running": False}
        except (docker.errors.APIError, OSError) as error:
            raise SandboxError(f"the engine does not answer any more: {error}") from None
        return dict(self.container.attrs["State"])

    def _usage(self, seconds: float) -> dict[str, ResourceUsage]:
        """The engine reports what it applied: without root and with old control groups, less."""
        limits = self.job.limits
        host = self.container.attrs["HostConfig"]
        enforced = plan_enforcement(limits, gpus="kernel")
        fields = {"cpus": "NanoCpus", "memory_bytes": "Memory", "processes": "PidsLimit"}
        for name, field in fields.items():
            is_applied = getattr(limits, name) and host.get(field)
            enforced[name] = "kernel" if is_applied else "not"
        used = {"wall_seconds": round(seconds, 3), "disk_bytes": self.disk.peak}
        return resource_usage(limits, used, enforced)

    def _facts(self) -> dict[str, object]:
        image = self.container.image
        return {
            "sandbox": "docker",
            "isolation": "container, shared kernel",
            "network": "none",
            "version": str(self.engine),
            "image": str(self.job.image or DEFAULT_IMAGE),
            "image_id": image.id if image is not None else None,
            "uid": agent_user()[0],
            "seccomp": self.has_filter,
        }


def _copy_output(output: Any, log: CappedLog) -> None:
    # Closing the stream itself would leave its connection open.
    with closing(output._response), suppress(docker.errors.APIError, OSError, ValueError):
        for block in output:
            log.write(block)


def _refuse_forgotten(job: Job, container: Any) -> None:
    """Raise if the engine ignored a request for GPUs or a runtime, as Podman does."""
    host = container.attrs["HostConfig"]
    if job.limits.gpus and not (host.get("DeviceRequests") or host.get("Devices")):
        raise SandboxError(
            "the engine ignored the request for GPUs",
            hint="use Docker or --sandbox bubblewrap for runs with GPUs",
        )
    if job.runtime and host.get("Runtime") != job.runtime:
        raise SandboxError(
            f"the engine ignored the runtime {job.runtime!r}",
            hint="use Docker, or make it the default in Podman's containers.conf and name none",
        )


def has_image(image: str) -> bool:
    """Whether the engine has an image; SandboxError without an engine."""
    with closing(connect()) as client:
        return _has_image(client, image)


def _has_image(client: Any, image: str) -> bool:
    try:
        client.images.get(image)
    except docker.errors.ImageNotFound:
        return False
    return True


def _remove(client: Any, name: str) -> None:
    """Remove a container by its name, but only if it carries our label."""
    with suppress(docker.errors.NotFound):
        container = client.containers.get(name)
        if LABEL in container.labels:
            container.remove(force=True)
