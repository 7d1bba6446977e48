"""Find sandboxes by name: ours, and those of other packages (`mlebench.sandboxes`)."""

from __future__ import annotations

from importlib.metadata import EntryPoint, entry_points

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
    return list(_entry_points())


def get_sandbox(name: str) -> Sandbox:
    """The sandbox of that name, not tried out.

    Raises:
        UnknownNameError: there is none.
    """
    known = _entry_points()
    if name not in known:
        expected = ", ".join(known)
        raise UnknownNameError(f"there is no sandbox {name!r}; expected one of {expected}")
    kind = known[name].load()
    if not callable(kind):
        raise UsageError(f"{kind!r} is not a sandbox class: it cannot be called")
    sandbox: Sandbox = kind()
    return sandbox


def _entry_points() -> dict[str, EntryPoint]:
    """Ours come first: no other package can replace one of them."""
    own = {name: EntryPoint(name, value, GROUP) for name, value in OWN.items()}
    outside = {point.name: point for point in entry_points(group=GROUP)}
    return own | {name: point for name, point in outside.items() if name not in own}


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
