"""Which limits of a group the kernel enforces on this machine."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import structs

from mlebench.errors import SandboxError, UsageError
from mlebench.records.group import Settings
from mlebench.runner.workspace.own_disk import why_no_disk
from mlebench.sandbox.base import ResourceLimits
from mlebench.sandbox.registry import get_sandbox

REQUIRED = ("cpus", "memory_bytes", "processes", "disk_bytes", "gpus")
"""The deadline is not among them: a clock of the harness keeps it, by killing."""


def make_limits(settings: Settings, gpus: tuple[int, ...] = ()) -> ResourceLimits:
    """What a run may use, with the GPUs that were leased to it."""
    return ResourceLimits(
        wall_seconds=settings.hours * 3600,
        has_own_disk=settings.require_limits and settings.limits.disk_bytes is not None,
        **{**structs.asdict(settings.limits), "gpus": gpus},
    )


def find_enforcement(settings: Settings) -> dict[str, str]:
    """How each limit is enforced here; nothing if the sandbox does not work on this machine."""
    limits = make_limits(settings)
    try:
        found = get_sandbox(settings.sandbox).enforcement(limits)
    except SandboxError:
        return {}
    if limits.has_own_disk and why_no_disk():
        found["disk_bytes"] = "polled"
    return dict(found)


def not_enforced(settings: Settings, found: Mapping[str, str]) -> list[str]:
    """The granted limits that the kernel would not enforce."""
    return [
        name
        for name in REQUIRED
        if getattr(settings.limits, name) and found.get(name, "not") != "kernel"
    ]


def require_enforced(settings: Settings, found: Mapping[str, str]) -> None:
    """Refuse to start where a limit is required that the kernel would not enforce.

    Raises:
        UsageError: the limits, how each would be enforced, and what helps.
    """
    if not settings.require_limits or not (missing := not_enforced(settings, found)):
        return
    words = ", ".join(f"{name} ({found.get(name, 'unknown')})" for name in missing)
    why = f"; no disk of its own: {why_no_disk()}" if "disk_bytes" in missing else ""
    raise UsageError(
        f"--require-limits: in {settings.sandbox} the kernel would not enforce {words}{why}",
        hint="use a delegated control group (root, systemd-run --user --scope, Slurm),"
        " or do without --require-limits",
    )


def describe_enforcement(settings: Settings, found: Mapping[str, str]) -> str:
    """`kernel: memory, processes; polled: disk; NOT ENFORCED: cpus`."""
    names: dict[str, list[str]] = {"kernel": [], "polled": [], "not": []}
    for name in REQUIRED:
        if getattr(settings.limits, name):
            names[found.get(name, "not")].append(name.removesuffix("_bytes"))
    shown = {"kernel": "kernel", "polled": "polled", "not": "NOT ENFORCED"}
    return "; ".join(f"{shown[how]}: {', '.join(found)}" for how, found in names.items() if found)
