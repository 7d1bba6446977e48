"""Agents by identity: version, digest of files and command, and model, not by name alone."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from mlebench.records.group import GroupRecord


class AgentIdentity(NamedTuple):
    """What makes an agent; only runs of one identity are averaged."""

    name: str
    version: str
    digest: str
    model: str


def identity_of(plan: GroupRecord) -> AgentIdentity:
    """Whose runs a group contains."""
    model = plan.settings.model or ""
    return AgentIdentity(plan.agent_label, plan.agent_version, plan.agent_digest, model)


def distinct_names(identities: Iterable[AgentIdentity]) -> dict[AgentIdentity, str]:
    """A name for each identity: its own, with whatever tells it apart from others of that name."""
    known = set(identities)
    return {one: _full_name(one, [o for o in known if o.name == one.name]) for one in known}


def _full_name(one: AgentIdentity, others: list[AgentIdentity]) -> str:
    parts = [one.name]
    if len({other.version for other in others}) > 1:
        parts.append(one.version)
    if len({other.model for other in others}) > 1:
        parts.append(one.model or "no model")
    if len({other.digest for other in others}) > 1:
        parts.append(one.digest[:8])
    return " ".join(parts)
