"""Where a result comes from: versions, hardware and data, recorded with every group and run."""

from __future__ import annotations

import hashlib
import os
import platform
import shutil
import subprocess
from pathlib import Path
from typing import Any

from mlebench.records.folders import CompetitionFolder
from mlebench.version import REVISION, __version__


def describe_machine() -> dict[str, Any]:
    """Hardware and software of this machine."""
    return {
        "mlebench": __version__,
        "revision": REVISION,
        "python": platform.python_version(),
        "kernel": platform.release(),
        "machine": platform.machine(),
        "cpus": os.cpu_count(),
        "cpu_model": _cpu_model(),
        "memory_bytes": os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"),
        "gpus": _gpu_names(),
    }


def describe_data(folder: CompetitionFolder) -> dict[str, Any]:
    """The manifest's hash stands for every file of the prepared data."""
    try:
        manifest = folder.manifest.read_bytes()
    except FileNotFoundError:
        return {"manifest_sha256": None}
    return {"manifest_sha256": hashlib.sha256(manifest).hexdigest()}


def _cpu_model() -> str | None:
    try:
        lines = Path("/proc/cpuinfo").read_text("utf-8").splitlines()
    except OSError:
        return None
    return next((x.split(":", 1)[1].strip() for x in lines if x.startswith("model name")), None)


def _gpu_names() -> list[str]:
    program = shutil.which("nvidia-smi")
    if not program:
        return []
    query = [program, "--query-gpu=name,driver_version", "--format=csv,noheader"]
    try:
        done = subprocess.run(query, capture_output=True, text=True, timeout=10, check=True)
    except (OSError, subprocess.SubprocessError):
        return []
    return [line.strip() for line in done.stdout.splitlines() if line.strip()]
