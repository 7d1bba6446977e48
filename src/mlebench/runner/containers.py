"""`--container-config`: the published JSON of container resources, read into our limits."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from mlebench.errors import UsageError
from mlebench.sandbox.gpus import list_gpus

UNITS = {"": 1, "b": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40}


def read_container_config(path: Path) -> dict[str, Any]:
    """Limits by our names, and `runtime`; UsageError for an unknown key."""
    try:
        data = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise UsageError(f"{path} cannot be read: {error}") from None
    if not isinstance(data, dict):
        raise UsageError(f"{path} does not contain a JSON object")
    for key in data:
        if key not in READERS:
            raise UsageError(f"{path} has the key {key!r}; expected {', '.join(READERS)}")
    given = {key: value for key, value in data.items() if value is not None}
    return {READERS[key][0]: READERS[key][1](value, path, key) for key, value in given.items()}


def _size(value: object, path: Path, key: str) -> int:
    """`440g` or a number of bytes."""
    found = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([bkmgt]?)b?", str(value).strip().lower())
    if not found:
        expected = "expected a number of bytes or a size such as 440g"
        raise UsageError(f"{key!r} in {path} is {value!r}, {expected}")
    return int(float(found[1]) * UNITS[found[2]])


def _number(value: object, path: Path, key: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise UsageError(f"{key!r} in {path} is {value!r}, expected a number")
    return float(value)


def _gpu_count(value: object, path: Path, key: str) -> int:
    """-1 means all GPUs of the machine."""
    number = _number(value, path, key)
    return int(number) if number >= 0 else len(list_gpus())


READERS: dict[str, tuple[str, Callable[[Any, Path, str], Any]]] = {
    "mem_limit": ("memory_bytes", _size),
    "shm_size": ("shm_bytes", _size),
    "nano_cpus": ("cpus", lambda value, path, key: _number(value, path, key) / 1e9),
    "gpus": ("gpus", _gpu_count),
    "runtime": ("runtime", lambda value, path, key: str(value)),
}
"""Published key to our name and the function that reads the value."""
