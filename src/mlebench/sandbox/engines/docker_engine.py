"""Connect to a Docker engine or to Podman's socket, and find out which one it is."""

from __future__ import annotations

import importlib
import re
from dataclasses import dataclass
from typing import Any

from mlebench.errors import SandboxError

try:
    docker: Any = importlib.import_module("docker")
except ImportError:
    docker = None
MOUNTS_COVERED_SINCE = (25, 0)
"""The first version of Docker whose read-only mounts include their submounts."""


def connect() -> Any:
    """A client of the engine that `DOCKER_HOST` or the usual socket names, Podman's included."""
    if docker is None:
        raise SandboxError(
            "the docker sandbox needs the Docker client; install it: pip install 'mlebench[docker]'"
        )
    try:
        client = docker.from_env(timeout=120)
        client.ping()
    except (docker.errors.DockerException, OSError) as error:
        reason = re.sub(r"\s+", " ", str(error))[:200]
        raise SandboxError(f"no Docker engine answers: {reason}") from None
    return client


@dataclass(frozen=True)
class Engine:
    """The engine behind a socket."""

    version: str
    is_podman: bool
    is_rootless: bool

    @classmethod
    def of(cls, client: Any) -> Engine:
        said = client.version()
        names = [str(part.get("Name")) for part in said.get("Components") or []]
        info = client.info()
        rootless = info.get("Rootless") or "name=rootless" in (info.get("SecurityOptions") or [])
        return cls(str(said["Version"]), "Podman Engine" in names, bool(rootless))

    def __str__(self) -> str:
        name = f"Podman {self.version}" if self.is_podman else self.version
        return f"{name}, rootless" if self.is_rootless else name

    @property
    def is_old(self) -> bool:
        """Whether submounts of read-only mounts stay writable."""
        numbers = tuple(int(part) for part in re.findall(r"\d+", self.version)[:2])
        return not self.is_podman and numbers < MOUNTS_COVERED_SINCE
