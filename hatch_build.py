"""Compiles the kernels when the package is built or installed."""

from __future__ import annotations

import sys
import sysconfig
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

ROOT = Path(__file__).parent
NATIVE = ROOT / "src" / "mlebench" / "native"
sys.path.insert(0, str(NATIVE))
import build  # noqa: E402


class KernelHook(BuildHookInterface[Any]):
    """A library beside its sources: bound to the platform, not to a version of Python."""

    def dependencies(self) -> list[str]:
        # A compiler that pip can install, for machines that have none.
        return [] if build.compiler() else ["ziglang"]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if self.target_name != "wheel":
            return
        for old in NATIVE.glob("kernels-*"):
            old.unlink()
        build.compile_into(NATIVE)
        platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
        build_data["tag"] = f"py3-none-{platform}"
        build_data["artifacts"].append("src/mlebench/native/kernels-*")
        if version == "standard":
            # For those who have the wheel only: `mlebench docs`.
            guide = {"docs": "mlebench/guide", "images/agent": "mlebench/guide/agent-image"}
            build_data["force_include"] |= {
                str(ROOT / name): goal for name, goal in guide.items() if (ROOT / name).is_dir()
            }
