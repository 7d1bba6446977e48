"""Find sandboxes by name: ours, and those of other packages (`mlebench.sandboxes`)."""

from __future__ import annotations

import importlib
from importlib.metadata import entry_points

from mlebench.errors import SandboxError, UnknownNameError, UsageError
from mlebench.sandbox.base import Sandbox

GROUP = "mlebench.sandboxes"
OWN = {
    "bubblewrap": "mlebench.sandbox.bubblewrap:BubblewrapSandbox",
    "docker": "mlebench.sandbox.docker:DockerSandbox",
    "apptainer": "mlebench.sandbox.apptainer:ApptainerSandbox",
    "process": "mlebench.sandbox.process:ProcessSandbox",
}
BEST_FIRST = ("bubblewrap", "docker", "apptainer")
"""`process` is never chosen automatically: it isolates nothing."""


def sandbox_names() -> list[str]:
    """All known names, whether the sandbox works here or not."""
    outside = [point.name for point in entry_points(group=GROUP)]
    return list(dict.fromkeys([*OWN, *outside]))


def get_sandbox(name: str) -> Sandbox:
    """The sandbox of that name, not tried out.

    Raises:
        UnknownNameError: there is none.
    """
    for point in entry_points(group=GROUP):
        if point.name == name and name not in OWN:
            return _made(point.load())
    if name not in OWN:
        known = ", ".join(sandbox_names())
        raise UnknownNameError(f"there is no sandbox {name!r}; expected one of {known}")
    module, _, attribute = OWN[name].partition(":")
    return _made(getattr(importlib.import_module(module), attribute))


def _made(kind: object) -> Sandbox:
    if not callable(kind):
        raise UsageError(f"{kind!r} is not a sandbox class: it cannot be called")
    made: Sandbox = kind()
    return made


def best_sandbox() -> Sandbox:
    """The best sandbox that works here; never one without isolation.

    Raises:
        SandboxError: none works.
    """
    reasons = []
    for name in filter(OWN.__contains__, BEST_FIRST):
        sandbox = get_sandbox(name)
        found = sandbox.availability()
        if found.works:
            return sandbox
        reasons.append(f"{name}: {found.reason}")
    raise SandboxError(
        "no sandbox with isolation works here: " + "; ".join(reasons),
        hint="`process` runs agents with no isolation at all and must be asked for by name",
    )
