"""What a bundle discloses about its runs, as fields that a program compares with the records."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import msgspec

from mlebench.errors import UsageError


class Disclosure(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One field for each question; None if neither stated nor found in the records."""

    network: str | None = None
    """`none`: agents reach the model gateway only; `host`: what the machine reaches."""

    external_data: str | None = None
    """`none`, or which data, weights or code from outside the agent used. No record shows it."""

    test_feedback: str | None = None
    """`none`: no score on the test data was seen before a run had ended; otherwise how often."""

    cpus: float | None = None
    memory_gb: float | None = None
    gpus: tuple[str, ...] | None = None
    """The GPUs of each machine, by the names that the driver reports; empty without a GPU."""

    hours: float | None = None
    seeds_planned: int | None = None
    seeds_reported: int | None = None
    runs_planned: int | None = None
    runs_reported: int | None = None
    model: str | None = None
    prices: dict[str, float] | None = None
    """Dollars for a million tokens: `input`, `output` and others of the price table."""

    cost: float | None = None
    """Dollars, of all runs."""

    integrity: dict[str, int] | None = None
    """How many runs are `clean`, in `review`, `disqualified` and `unchecked`."""

    revision: str | None = None
    protocol: str | None = None
    deviations: tuple[str, ...] | None = None
    """From the protocol, each as in `hours: 12 instead of 24`."""


def read_claims(file: Path) -> dict[str, Any]:
    """The fields of a `disclosure.toml`.

    Raises:
        UsageError: the file cannot be read, or a field is unknown or of the wrong type.
    """
    try:
        found = tomllib.loads(file.read_text("utf-8"))
        msgspec.convert(found, Disclosure)
    except (OSError, ValueError, msgspec.ValidationError) as error:
        known = ", ".join(Disclosure.__struct_fields__)
        raise UsageError(f"{file} cannot be used: {error}", hint=f"known fields: {known}") from None
    return found
