"""Freed memory is reused inside and given back afterwards."""

from __future__ import annotations

import resource
from pathlib import Path

import numpy as np

from mlebench.grading.memory import kept_memory

MIB = 1 << 20


def page_faults_of_arrays() -> int:
    """While large arrays are made and dropped one by one."""
    np.ones(64 * MIB, dtype=np.uint8)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    for _ in range(4):
        np.ones(64 * MIB, dtype=np.uint8)
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before


def resident_mib() -> int:
    with Path("/proc/self/statm").open() as statm:
        return int(statm.read().split()[1]) * resource.getpagesize() // MIB


def test_freed_memory_is_reused() -> None:
    before = resident_mib()
    with kept_memory():
        assert page_faults_of_arrays() < 1000
    assert resident_mib() < before + 100
