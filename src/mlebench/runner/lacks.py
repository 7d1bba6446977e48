"""What this machine lacks for a group: engine, image, GPUs, CPUs, memory, keys, prepared data."""

from __future__ import annotations

import os
import shutil
import socket
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from mlebench.catalogue import Catalogue
from mlebench.errors import SandboxError, UsageError
from mlebench.gateway.keys import read_key
from mlebench.gateway.settings import read_settings
from mlebench.records.group import Settings
from mlebench.sandbox.gpus import list_gpus
from mlebench.sandbox.registry import get_sandbox
from mlebench.version import option_for

WHOLE = ("all", "low", "systemcard", "dev", "starter", "medium", "high")
"""Splits that a command can name, instead of all ids."""

CONNECT_SECONDS = 10.0


@dataclass(frozen=True)
class Lack:
    """Something that is missing, and what helps."""

    subject: str
    """`cluster`, `engine`, `image`, `GPUs`, `CPUs`, `memory`, `credentials` or `data`."""

    reason: str
    remedy: str
    is_blocking: bool = False
    """Whether no run can start without it."""

    competitions: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"missing {self.subject}: {self.reason}; {self.remedy}"


def find_lacks(
    catalogue: Catalogue,
    competition_ids: Sequence[str],
    settings: Settings,
    *,
    jobs: int,
    is_local: bool,
    image: str | None = None,
    uses_rehearsal: bool = False,
) -> list[Lack]:
    """Everything that this machine lacks; the machines of a cluster are not checked.

    Args:
        is_local: whether the runs are executed on this machine.
        uses_rehearsal: data that is not prepared is replaced with rehearsal data.
    """
    found = [*_engine(settings, image), *_machine(settings, jobs)] if is_local else []
    found += _credentials(settings)
    if not uses_rehearsal:
        found += _data(catalogue, competition_ids)
    return found


def find_cluster_lacks(executor: str, ray_address: str | None) -> list[Lack]:
    """What is missing if the cluster that is to execute the runs does not answer."""
    if executor == "ray" and ray_address and not _answers(ray_address):
        reason = f"no Ray cluster answers at {ray_address}"
        return [Lack("cluster", reason, "see: ray status; or name another --ray-address", True)]
    if executor == "slurm" and shutil.which("squeue") is None:
        reason = "this machine has no Slurm (there is no program squeue)"
        return [Lack("cluster", reason, "start the group on a login node", True)]
    return []


def _answers(address: str) -> bool:
    """Whether something listens there; Ray itself would try forever."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if not host or not port.isdecimal():
        return True  # `auto` and the like are found by Ray
    try:
        socket.create_connection((host.strip("[]"), int(port)), timeout=CONNECT_SECONDS).close()
    except (OSError, OverflowError):
        return False
    return True


def _engine(settings: Settings, image: str | None) -> Iterator[Lack]:
    name = settings.sandbox
    tried = get_sandbox(name).availability()
    # Apptainer has no image of its own; any file or address will do.
    has_own_image = name == "apptainer" and image is not None
    if not tried.works and not has_own_image:
        remedy = "see: mlebench doctor; or choose another one with --sandbox"
        yield Lack("engine", f"{name} does not work here: {tried.reason}", remedy, True)
    elif name == "docker":
        from mlebench.sandbox.docker import DEFAULT_IMAGE, has_image

        wanted = image or DEFAULT_IMAGE
        if not has_image(wanted):
            reason = f"the engine has no image {wanted}"
            yield Lack("image", reason, "build or load it, or name one with --image", True)
    elif has_own_image and "://" not in str(image) and not Path(str(image)).exists():
        yield Lack("image", f"{image} does not exist", "name another one with --image", True)


def _machine(settings: Settings, jobs: int) -> Iterator[Lack]:
    limits = settings.limits
    if limits.gpus:
        try:
            gpus = len(list_gpus())
        except SandboxError:
            gpus = 0
        if gpus < limits.gpus:
            reason = f"a run needs {_gpus(limits.gpus)}, this machine has {gpus}"
            yield Lack("GPUs", reason, "use another machine, or --gpus 0", True)
        elif gpus < limits.gpus * jobs:
            reason = f"{_runs(jobs)} need {_gpus(limits.gpus * jobs)}, this machine has {gpus}"
            yield Lack(
                "GPUs", reason, f"runs wait for them; -j {gpus // limits.gpus} needs no more"
            )
    cpus = os.cpu_count() or 1
    if (limits.cpus or 0) * jobs > cpus:
        reason = f"{_runs(jobs)} may use {(limits.cpus or 0) * jobs:g}, this machine has {cpus}"
        yield Lack("CPUs", reason, "runs share them and are slower")
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    if (limits.memory_bytes or 0) * jobs > memory:
        wanted = (limits.memory_bytes or 0) * jobs / 1e9
        reason = f"{_runs(jobs)} may use {wanted:,.0f} GB, this machine has {memory / 1e9:,.0f}"
        yield Lack("memory", reason, "a run may be ended before it reaches its limit")


def _gpus(count: int) -> str:
    return f"{count} GPU{'' if count == 1 else 's'}"


def _runs(jobs: int) -> str:
    return "a run" if jobs == 1 else f"{jobs} runs at once"


def _credentials(settings: Settings) -> Iterator[Lack]:
    if not settings.gateway:
        return
    gateway = read_settings(settings.gateway)
    if gateway.replay:
        return
    try:
        read_key(settings.gateway.get("api_key_env", ""), is_optional=gateway.is_local)
    except UsageError as error:
        yield Lack("credentials", str(error), "set it before the start", True)


def _data(catalogue: Catalogue, competition_ids: Sequence[str]) -> Iterator[Lack]:
    located = [catalogue.get_competition(name) for name in competition_ids]
    missing = [competition for competition in located if not competition.answers.is_file()]
    if not missing:
        return
    ids = [competition.id for competition in missing]
    whole = (name for name in WHOLE if set(catalogue.get_split(name)) == set(ids))
    split = next(whole, None)
    chosen = f"--split {split}" if split else " ".join(f"-c {name}" for name in ids)
    places = [f"--competitions-dir {folder}" for folder in catalogue.competitions_dirs]
    where = " ".join([f"--data-dir {catalogue.get_data_dir()}", *places])
    command = f"mlebench prepare {chosen} {where}"
    reason = f"{len(ids)} of {len(located)} are not prepared: {', '.join(ids)}"
    remedy = f"run: {command}{option_for(catalogue.revision)}"
    yield Lack("data", reason, remedy, True, tuple(ids))
    if any(not c.definition.make_raw and not c.folder.archive.is_file() for c in missing):
        from mlebench.kaggle.client import has_account

        if not has_account():
            yield Lack("credentials", "no Kaggle account is configured", "see: mlebench doctor")
