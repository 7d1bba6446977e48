"""The settings of a gateway; the key is not among them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal
from urllib.parse import urlsplit

import msgspec

from mlebench.errors import UsageError
from mlebench.gateway.prices import find_price

ProviderApi = Literal["openai", "openai-chat", "openai-responses", "anthropic", "gemini"]

# Models that search the web by themselves, according to their makers.
SEARCHING = re.compile(r"(search|:online|sonar|deep-?research|compound|perplexity)", re.IGNORECASE)


@dataclass(frozen=True)
class Budget:
    """Upper bounds; None means unlimited."""

    tokens: int | None = None
    cost: float | None = None
    """In the currency of the price table, dollars in ours."""

    calls: int | None = None

    def __bool__(self) -> bool:
        return any(limit is not None for limit in (self.tokens, self.cost, self.calls))


@dataclass(frozen=True)
class GatewaySettings:
    """Where calls go, and their limits."""

    model: str
    """The only model that an agent may ask for."""

    base_url: str = ""
    """The provider's, with its version: https://api.openai.com/v1."""

    api: ProviderApi = "openai"
    """Which protocols the provider speaks; agents may speak any of them."""

    group_budget: Budget = Budget()
    """For all runs of a group together."""

    run_budget: Budget = Budget()
    """For each run."""

    prices: Mapping[str, Any] = field(default_factory=dict)
    """The price table, as read; see `prices.py`."""

    replay: str | None = None
    """A folder or file of recorded trajectories that answers instead of a provider."""

    replay_mode: Literal["strict", "order"] = "strict"
    is_recording: bool = False
    """Record the events of streamed answers, so that a replay streams the same events."""

    timeout_seconds: float = 600
    """For one answer of the provider, to its last byte."""

    attempts: int = 6
    wait_seconds: float = 120
    """The longest that all waits between attempts may take together."""

    max_in_flight: int = 16
    """Calls of one run at the same time."""

    max_concurrent: int = 256
    """Calls of all runs at the same time."""

    max_output_tokens: int = 32_768
    max_choices: int = 8
    proxy: str | None = None

    def __post_init__(self) -> None:
        if SEARCHING.search(self.model):
            raise UsageError(
                f"{self.model} searches the web by itself; agents must have no internet access"
            )
        has_money = any(b.cost is not None for b in (self.group_budget, self.run_budget))
        if has_money and find_price(self.prices, self.model) is None:
            raise UsageError(
                f"the price of {self.model} is unknown, so no money budget can be enforced;"
                " provide a price table with --prices, or budgets in tokens or calls"
            )
        if self.replay is None:
            _check_url(self.base_url)

    @property
    def is_openai(self) -> bool:
        """Whether the provider is OpenAI itself, which knows all fields of its own API."""
        return urlsplit(self.base_url).hostname == "api.openai.com"

    @property
    def is_local(self) -> bool:
        """Whether the provider is on this machine, where a key is optional."""
        return urlsplit(self.base_url).hostname in ("localhost", "127.0.0.1", "::1")


def _check_url(url: str) -> None:
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise UsageError(f"the base URL is {url!r}, expected one like https://api.openai.com/v1")
    if parts.username or parts.password or parts.query or parts.fragment:
        raise UsageError(
            "the base URL must not contain a user, query or fragment; put the key in a variable"
        )


def read_settings(data: Mapping[str, Any]) -> GatewaySettings:
    """The settings from a group's plan; unknown names are ignored."""
    return msgspec.convert(data, GatewaySettings)
