"""Switches that remove one defence each, to show that its test notices.

A defence is a function (or a constant) of ours; its switch replaces it by what an implementation
without the defence would do. `without` also reaches the processes that are started meanwhile, such
as workers and `mlebench` commands: they import `site/sitecustomize.py`, which calls `remove`.
"""

from __future__ import annotations

import importlib
import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

VARIABLE = "MLEBENCH_WITHOUT"
SITE = Path(__file__).parent / "site"
ROOT = Path(__file__).parents[2]
SWITCHES: dict[str, dict[str, Any]] = {}
"""Name of a defence to `{"module:attribute.attribute": replacement}`."""


def switch(name: str, **targets: Any) -> None:
    """Register a defence: `switch("deep-trees", **{"mlebench.x:remove": shutil.rmtree})`."""
    assert name not in SWITCHES, f"the switch {name!r} exists"
    SWITCHES[name] = targets


@contextmanager
def without(name: str) -> Iterator[None]:
    """Run a block without a defence, in this process and in those that it starts."""
    load()
    assert name in SWITCHES, f"there is no switch {name!r}; known: {sorted(SWITCHES)}"
    path = os.pathsep.join(filter(None, [str(SITE), str(ROOT), os.environ.get("PYTHONPATH")]))
    with ExitStack() as stack:
        stack.enter_context(patch.dict(os.environ, {VARIABLE: name, "PYTHONPATH": path}))
        for target, replacement in SWITCHES[name].items():
            stack.enter_context(_patched(target, replacement))
        yield


def _patched(target: str, replacement: Any) -> Any:
    module, _, place = target.partition(":")
    owner: Any = importlib.import_module(module)
    *parents, attribute = place.split(".")
    for parent in parents:
        owner = getattr(owner, parent)
    # Replacing what does not exist would remove nothing, and no test would notice.
    assert hasattr(owner, attribute), f"{target} does not exist any more"
    return patch.object(owner, attribute, replacement)


def remove(name: str) -> None:
    """Remove a defence in this process for good; called in the processes that tests start."""
    load()
    for target, replacement in SWITCHES[name].items():
        _patched(target, replacement).start()


def load() -> None:
    """Import every file of switches beside this one."""
    for file in sorted(Path(__file__).parent.glob("switches_*.py")):
        importlib.import_module(f"tests.hostile.{file.stem}")
