"""How runs deviate from a protocol, computed from what the plan and the runs recorded."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from mlebench.catalogue import Catalogue
from mlebench.protocols.protocol import Protocol
from mlebench.records.group import Deviation, Settings
from mlebench.records.run import Provenance

GB = 1e9
TOLERANCE = 0.05
"""A tolerance: memory is stated in round figures, and the kernel reserves a part of it."""

GPU_TOLERANCE = 0.1
MIB = 1 << 20


@dataclass(frozen=True)
class AsRun:
    """What is compared with a protocol."""

    seeds: Mapping[str, int]
    """The number of runs at each competition."""

    settings: Settings
    machines: Sequence[Provenance] = ()
    """The machines that executed the runs; empty before any run was executed."""

    enforced: Mapping[str, str] | None = None
    networks: frozenset[str] = frozenset()
    """The networks that the sandboxes reported; by default that of the settings."""


def find_deviations(protocol: Protocol, run: AsRun) -> tuple[Deviation, ...]:
    """Every respect in which the runs differ from the protocol."""
    return tuple(
        Deviation(name, expected, found)
        for name, expected, found in (*_extent(protocol, run), *_hardware(protocol, run))
        if expected != found
    )


Compared = Iterator[tuple[str, str, str]]
"""Name, what the protocol says, what was found; equal where there is no deviation."""


def _extent(protocol: Protocol, run: AsRun) -> Compared:
    wanted = set(Catalogue().get_split(protocol.split))
    ids = set(run.seeds)
    others = f" and {len(ids - wanted)} outside it" if ids - wanted else ""
    found = f"{len(ids & wanted)}{others}"
    yield "competitions", str(protocol.competitions), found
    counts = sorted(set(run.seeds.values()))
    yield "seeds", str(protocol.seeds), _range(counts)
    settings = run.settings
    yield "hours", f"{protocol.hours:g}", f"{settings.hours:.3g}"
    networks = run.networks or {settings.network}
    opened = sorted("closed" if network == "none" else "open" for network in networks)
    yield "network", protocol.network, " and ".join(dict.fromkeys(opened))
    yield "revision", protocol.revision, settings.revision
    level = settings.obfuscation_level
    yield "descriptions", "plain", "plain" if level == "L0" else f"obfuscated ({level})"
    yield "data", "real", "rehearsal (synthetic)" if settings.is_rehearsal else "real"
    isolated = "not isolated" if settings.sandbox == "process" else "isolated"
    yield "sandbox", "isolated", isolated


def _hardware(protocol: Protocol, run: AsRun) -> Compared:
    limits, machines = run.settings.limits, run.machines
    cpus = _least(limits.cpus, (machine.cpus for machine in machines))
    yield "CPUs", str(protocol.cpus), "unlimited" if cpus is None else f"{cpus:g}"
    memory = _least(limits.memory_bytes, (machine.memory_bytes for machine in machines))
    yield "memory", f"{protocol.memory_gb:g} GB", _near(memory, protocol.memory_gb, TOLERANCE)
    gpus = min([limits.gpus, *(len(machine.gpus) for machine in machines)])
    yield "GPUs", str(protocol.gpus), str(gpus)
    if gpus and machines:
        expected = f"{protocol.gpu_memory_gb:g} GB"
        found = {_gpu_memory(gpu, protocol) for machine in machines for gpu in machine.gpus}
        yield "GPU memory", expected, " and ".join(sorted(found - {expected})) or expected
    loose = [n for n in ("cpus", "memory_bytes", "gpus") if (run.enforced or {}).get(n) == "not"]
    names = ", ".join(name.removesuffix("_bytes") for name in loose)
    yield "limits", "enforced", f"{names} not enforced" if names else "enforced"


def _range(counts: Sequence[int]) -> str:
    if not counts:
        return "0"
    return str(counts[0]) if len(counts) == 1 else f"{counts[0]} to {counts[-1]}"


def _least(limit: float | None, machines: Iterable[float | None]) -> float | None:
    known = [amount for amount in (limit, *machines) if amount is not None]
    return min(known) if known else None


def _near(amount: float | None, wanted_gb: float, tolerance: float) -> str:
    if amount is None:
        return "unlimited"
    is_equal = abs(amount / GB - wanted_gb) <= tolerance * wanted_gb
    return f"{wanted_gb:g} GB" if is_equal else f"{amount / GB:,.3g} GB"


def _gpu_memory(gpu: str, protocol: Protocol) -> str:
    """From the driver's description of a GPU: `NVIDIA A10, 23028 MiB, 550.54`."""
    found = re.search(r"\b(\d+) MiB\b", gpu)
    if not found:
        return "not recorded"
    return _near(int(found[1]) * MIB, protocol.gpu_memory_gb, GPU_TOLERANCE)
