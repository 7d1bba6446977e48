"""How a run uses its GPUs: utilisation, memory and power, as the driver reports them."""

from __future__ import annotations

import functools
import importlib
from collections.abc import Sequence
from typing import Any


@functools.cache
def _driver() -> Any:
    """NVML, initialised once; None without a driver. Only runs with GPUs load it."""
    try:
        driver = importlib.import_module("pynvml")
    except ImportError:
        return None
    try:
        driver.nvmlInit()
    except driver.NVMLError:
        return None
    return driver


class GpuUse:
    """Asks the driver about leased GPUs."""

    def __init__(self, indices: Sequence[int]) -> None:
        self._driver: Any = _driver() if indices else None
        self._handles = []
        if self._driver is not None:
            self._handles = [self._driver.nvmlDeviceGetHandleByIndex(index) for index in indices]
        self._shares: list[float] = []

    def sample(self) -> dict[str, Any]:
        """Mean utilisation in percent, bytes of memory and watts of all GPUs together."""
        if not self._handles:
            return {}
        driver = self._driver
        try:
            rates = [driver.nvmlDeviceGetUtilizationRates(gpu).gpu for gpu in self._handles]
            memory = sum(driver.nvmlDeviceGetMemoryInfo(gpu).used for gpu in self._handles)
            watts = sum(driver.nvmlDeviceGetPowerUsage(gpu) for gpu in self._handles) / 1000
        except driver.NVMLError:
            return {}
        percent = sum(rates) / len(rates)
        self._shares.append(len(rates) * percent / 100)
        return {
            "gpu_percent": round(percent, 1),
            "gpu_memory_bytes": memory,
            "gpu_watts": round(watts, 1),
        }

    def mean_share(self) -> float | None:
        """How many GPUs were busy on average, over all samples."""
        return round(sum(self._shares) / len(self._shares), 2) if self._shares else None
