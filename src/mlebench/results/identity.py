"""The identity of an agent: name, version, digest of its files and command, and model."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from mlebench.records.group import GroupRecord


class AgentIdentity(NamedTuple):
    """Only runs of one identity are averaged."""

    name: str
    version: str
    digest: str
    model: str


def identity_of(plan: GroupRecord) -> AgentIdentity:
    """The agent of a group."""
    model = plan.settings.model or ""
    return AgentIdentity(plan.agent_label, plan.agent_version, plan.agent_digest, model)


def distinct_names(identities: Iterable[AgentIdentity]) -> dict[AgentIdentity, str]:
    """The name of each identity, plus version, model or digest where these differ for one name."""
    known = set(identities)
    return {one: _full_name(one, [o for o in known if o.name == one.name]) for one in known}


def _full_name(one: AgentIdentity, others: list[AgentIdentity]) -> str:
    shown = {"version": one.version, "model": one.model or "no model", "digest": one.digest[:8]}
    differing = [
        text for field, text in shown.items() if len({getattr(o, field) for o in others}) > 1
    ]
    return " ".join([one.name, *differing])
