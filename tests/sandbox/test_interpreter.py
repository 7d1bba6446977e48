"""The interpreter in the sandbox is the one outside, with all its modules."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.sandbox.conftest import World


def test_python_uses_its_own_library(world: World) -> None:
    """A shared one could otherwise load a library of the system with the same name."""
    world.python("import ssl, sys; print(sys.version)")
    assert sys.version.split("\n")[0].strip() in world.printed()


@pytest.mark.parametrize("name", ["bubblewrap", "docker", "apptainer", "process", "probe"])
def test_sandboxes_need_the_standard_library_only(name: str) -> None:
    """The probe runs as another user, with an interpreter that has no packages installed."""
    code = "import sys; sys.modules['msgspec'] = sys.modules['numpy'] = None; import "
    subprocess.run([sys.executable, "-c", f"{code} mlebench.sandbox.{name}"], check=True)
