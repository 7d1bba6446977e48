"""Sandboxes that are started in advance; what runs in them is tested with episodes."""

from __future__ import annotations

import asyncio
import shutil
import tempfile
from pathlib import Path

import pytest

from mlebench.sandbox.base import ResourceLimits
from mlebench.sandbox.engines.bubblewrap_program import find_bwrap
from mlebench.sandbox.warm import WarmPlan, WarmSandboxes
from tests.sandbox.conftest import require_sandbox


def test_bwrap_may_be_installed_below_tmp(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """There the launcher of root puts the folders that the sandbox is to have."""
    require_sandbox("bubblewrap")
    limits = ResourceLimits(60.0, memory_bytes=1 << 28, disk_bytes=1 << 20)

    async def start_one() -> int:
        sandboxes = WarmSandboxes(None, ())
        sandboxes.open()
        await sandboxes.prepare()
        try:
            return (await sandboxes.start(WarmPlan(public=tmp_path, limits=limits))).init
        finally:
            await sandboxes.close()

    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        shutil.copy(find_bwrap(), folder)
        monkeypatch.setenv("PATH", folder)
        assert asyncio.run(start_one()) > 0
