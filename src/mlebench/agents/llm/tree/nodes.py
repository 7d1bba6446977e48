"""The search tree: solutions, each with its parent, and the choice of the next step."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

Stage = Literal["draft", "debug", "improve"]
SCHEMA = 1


@dataclass
class Node:
    """One solution that was written and run."""

    id: int
    stage: Stage
    parent: int | None
    plan: str
    code: str
    score: float | None = None
    """On held-out data, as the solution printed it; None if it failed."""

    problem: str | None = None
    """Why it does not count."""

    output: str = ""
    seconds: float = 0.0
    debug_depth: int = 0
    created_at: float = 0.0
    """Seconds after the agent's start."""

    @property
    def is_good(self) -> bool:
        return self.problem is None and self.score is not None


@dataclass(frozen=True)
class Policy:
    """How the tree grows."""

    drafts: int = 4
    max_debug_depth: int = 3
    debug_probability: float = 0.7
    patience: int = 4
    """Improvements of one node without a gain before a new draft is tried."""

    max_nodes: int = 0
    """0: as many as the time allows."""


@dataclass
class Tree:
    """All nodes, in the order in which they were made."""

    policy: Policy
    lower_is_better: bool
    rng: random.Random
    nodes: list[Node] = field(default_factory=list)

    @property
    def best(self) -> Node | None:
        good = [node for node in self.nodes if node.is_good]
        sign = 1 if self.lower_is_better else -1
        return min(good, key=lambda node: (sign * (node.score or 0.0), node.id), default=None)

    @property
    def is_full(self) -> bool:
        return 0 < self.policy.max_nodes <= len(self.nodes)

    def children(self, node: Node) -> list[Node]:
        return [child for child in self.nodes if child.parent == node.id]

    def choose(self) -> tuple[Stage, Node | None]:
        """The next stage and the node to work on.

        Failed solutions are debugged first: always while none works, later with a probability.
        Then come the drafts. Then the best solution is improved until that gains nothing more.
        """
        best = self.best
        broken = [node for node in self.nodes if self._is_debuggable(node)]
        if broken and (best is None or self.rng.random() < self.policy.debug_probability):
            return "debug", broken[-1]
        drafts = sum(node.stage == "draft" for node in self.nodes)
        if best is None or drafts < self.policy.drafts:
            return "draft", None
        tries = sum(child.stage == "improve" for child in self.children(best))
        # Before each further draft comes another round of improvements.
        if tries >= self.policy.patience * (drafts - self.policy.drafts + 1):
            return "draft", None
        return "improve", best

    def _is_debuggable(self, node: Node) -> bool:
        return (
            not node.is_good
            and bool(node.code)
            and node.debug_depth < self.policy.max_debug_depth
            and not self.children(node)
        )

    def add(self, stage: Stage, parent: Node | None, plan: str, code: str) -> Node:
        depth = parent.debug_depth + 1 if stage == "debug" and parent else 0
        node = Node(
            id=len(self.nodes),
            stage=stage,
            parent=None if parent is None else parent.id,
            plan=plan,
            code=code,
            debug_depth=depth,
        )
        self.nodes.append(node)
        return node

    def summary(self, limit: int = 20) -> str:
        """The latest solutions and their results, for the model."""
        lines = []
        for node in self.nodes[-limit:]:
            end = f"score {node.score:g}" if node.is_good else f"failed: {node.problem}"
            lines.append(f"- [{node.stage} {node.id}] {node.plan[:300]} -> {end[:200]}")
        return "\n".join(lines) or "- nothing yet"

    def record(self, facts: Mapping[str, Any]) -> dict[str, Any]:
        """The content of tree.json, which the viewer shows."""
        best = self.best
        return {
            "schema": SCHEMA,
            "agent": "tree",
            "lower_is_better": self.lower_is_better,
            "best": None if best is None else best.id,
            **facts,
            "nodes": [asdict(node) | {"is_good": node.is_good} for node in self.nodes],
        }
