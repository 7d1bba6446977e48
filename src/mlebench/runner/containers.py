"""`--container-config`: the published JSON of container resources, read into our limits."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from mlebench.errors import UsageError

UNITS = {"": 1, "b": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40}
KNOWN = ("mem_limit", "shm_size", "nano_cpus", "gpus", "runtime")


def read_container_config(path: Path) -> dict[str, Any]:
    """Limits by our names, and `runtime`; a key that is not known is refused by its name."""
    try:
        data = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise UsageError(f"{path} cannot be read: {error}") from None
    if not isinstance(data, dict):
        raise UsageError(f"{path} does not contain a JSON object")
    for key in data:
        if key not in KNOWN:
            raise UsageError(f"{path} has the key {key!r}; expected {', '.join(KNOWN)}")
    found: dict[str, Any] = {}
    if data.get("mem_limit") is not None:
        found["memory_bytes"] = read_size(data["mem_limit"], path)
    if data.get("shm_size") is not None:
        found["shm_bytes"] = read_size(data["shm_size"], path)
    if data.get("nano_cpus") is not None:
        found["cpus"] = _number(data["nano_cpus"], path, "nano_cpus") / 1e9
    if data.get("gpus") is not None:
        found["gpus"] = _gpu_count(_number(data["gpus"], path, "gpus"))
    if data.get("runtime") is not None:
        found["runtime"] = str(data["runtime"])
    return found


def read_size(value: object, path: Path) -> int:
    """`440g` or a number of bytes."""
    found = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([bkmgt]?)b?", str(value).strip().lower())
    if not found:
        raise UsageError(f"{path} has the size {value!r}; expected a number of bytes or as in 440g")
    return int(float(found[1]) * UNITS[found[2]])


def _number(value: object, path: Path, key: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise UsageError(f"{key!r} in {path} is {value!r}, expected a number")
    return float(value)


def _gpu_count(number: float) -> int:
    """-1 means all GPUs of the machine."""
    if number >= 0:
        return int(number)
    from mlebench.sandbox.gpus import list_gpus

    return len(list_gpus())
