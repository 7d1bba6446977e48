"""Protocols: the competitions, seeds, hours and hardware of published results."""

from __future__ import annotations

from collections.abc import Collection
from functools import cache
from importlib.resources import files

import msgspec

from mlebench.catalogue import Catalogue
from mlebench.errors import UnknownNameError, unknown


class Protocol(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One protocol of `protocols.json`."""

    name: str
    title: str
    split: str
    competitions: int
    seeds: int
    hours: float
    profile: str
    """The profile of `mlebench run` that grants this hardware."""

    cpus: int
    memory_gb: float
    gpus: int
    gpu_memory_gb: float
    network: str
    """`open`: the agent's container has internet access."""

    revision: str


class _File(msgspec.Struct, frozen=True):
    schema: int
    protocols: tuple[Protocol, ...]


@cache
def list_protocols() -> tuple[Protocol, ...]:
    """All protocols, as `protocols.json` declares them."""
    data = files("mlebench.protocols").joinpath("protocols.json").read_bytes()
    return msgspec.json.decode(data, type=_File).protocols


def get_protocol(name: str) -> Protocol:
    """A protocol by its name."""
    known = {protocol.name: protocol for protocol in list_protocols()}
    if name not in known:
        raise UnknownNameError(unknown("protocol", name, list(known)))
    return known[name]


def nearest_protocol(competition_ids: Collection[str]) -> Protocol | None:
    """The smallest protocol that has all of these competitions; None if there is none."""
    catalogue = Catalogue()
    for protocol in sorted(list_protocols(), key=lambda protocol: protocol.competitions):
        if set(competition_ids) <= set(catalogue.get_split(protocol.split)):
            return protocol
    return None
