"""The interpreter in the sandbox is the one outside, with all its modules."""

from __future__ import annotations

import sys

from tests.sandbox.conftest import World


def test_python_uses_its_own_library(world: World) -> None:
    """A shared one could otherwise load a library of the system with the same name."""
    world.python("import ssl, sys; print(sys.version)")
    assert sys.version.split("\n")[0].strip() in world.printed()
