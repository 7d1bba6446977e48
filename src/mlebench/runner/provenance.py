"""Where a result comes from: versions, hardware and data, recorded with every group and run."""

from __future__ import annotations

import os
import platform
from functools import cache
from pathlib import Path

from msgspec import structs

from mlebench.errors import SandboxError
from mlebench.records.folders import CompetitionFolder
from mlebench.records.run import Provenance
from mlebench.sandbox.gpus import describe_gpus
from mlebench.system.files import sha256
from mlebench.version import __version__


@cache
def describe_machine() -> Provenance:
    """Hardware and software of this machine; asked once per process."""
    return Provenance(
        mlebench=__version__,
        python=platform.python_version(),
        kernel=platform.release(),
        machine=platform.machine(),
        cpus=os.cpu_count(),
        cpu_model=_cpu_model(),
        memory_bytes=os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"),
        gpus=_gpu_names(),
    )


def describe_run(folder: CompetitionFolder) -> Provenance:
    """The machine with the prepared data, whose manifest's hash covers every file of it."""
    machine = structs.replace(describe_machine(), revision=folder.revision)
    try:
        return structs.replace(machine, manifest_sha256=sha256(folder.manifest))
    except FileNotFoundError:
        return machine


def _cpu_model() -> str | None:
    # Neither psutil nor `platform` knows the model.
    try:
        lines = Path("/proc/cpuinfo").read_text("utf-8").splitlines()
    except OSError:
        return None
    return next((x.split(":", 1)[1].strip() for x in lines if x.startswith("model name")), None)


def _gpu_names() -> tuple[str, ...]:
    try:
        return tuple(describe_gpus())
    except SandboxError:
        return ()
