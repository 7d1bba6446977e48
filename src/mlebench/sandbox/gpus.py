"""GPUs: which there are, which are free, and leases so that two runs never share one."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

SHARED_NODES = ("/dev/nvidiactl", "/dev/nvidia-uvm", "/dev/nvidia-uvm-tools")


def device_nodes(gpus: Sequence[int]) -> list[str]:
    """The device files of granted GPUs; none for none."""
    if not gpus:
        return []
    shared = [node for node in SHARED_NODES if Path(node).exists()]
    return [*(f"/dev/nvidia{gpu}" for gpu in gpus), *shared]
