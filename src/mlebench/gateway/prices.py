"""What tokens cost: the price table, the usage that providers report, and upper bounds.

The table is JSON: `{"schema": 1, "models": {NAME: {"input": …, "output": …, "cached_input": …}}}`,
in dollars for a million tokens, with `"date"` and `"source"` of each price; `"cache_write"` and
`"cache_write_1h"` where storing a prompt costs more than reading it; `"long": {"above": TOKENS,
"input": …, "output": …}` where long requests cost more, `"image_tokens"` where one image may count
for more than 50,000.
"""

from __future__ import annotations

import json
import math
import operator
from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass
from decimal import Decimal
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, TypeGuard

import msgspec

from mlebench.errors import UsageError

MILLION = 1_000_000
NANO_PER_DOLLAR = 1_000_000_000
IMAGE_TOKENS = 50_000
MESSAGE_TOKENS = 64
MOST_TOKENS = 1_000_000_000
WRITE_FACTOR, WRITE_FACTOR_1H = 1.25, 2.0
"""What cache writes cost compared with the input, where the table has no price for them."""


@dataclass(frozen=True)
class TokenUsage:
    """Tokens of one answer, as the provider counts them."""

    input: int
    """All of the request, cached or not."""

    output: int
    cached: int = 0
    """Of the input, read from the provider's cache."""

    written: int = 0
    """Of the input, written to the cache."""

    written_1h: int = 0
    """Of the written ones, those kept for an hour."""


@dataclass(frozen=True)
class Amount:
    """What is reserved or spent; money in billionths of a dollar, so that sums are exact."""

    tokens: int = 0
    nano_dollars: int = 0
    calls: int = 0

    def __add__(self, other: Amount) -> Amount:
        return Amount(*map(operator.add, astuple(self), astuple(other)))

    def __sub__(self, other: Amount) -> Amount:
        return Amount(*map(operator.sub, astuple(self), astuple(other)))

    @property
    def dollars(self) -> float:
        return self.nano_dollars / NANO_PER_DOLLAR


class LongPrice(msgspec.Struct, frozen=True):
    """Of requests with many input tokens, for a million tokens."""

    above: float
    """The number of input tokens above which it applies."""

    input: float
    output: float
    cached_input: float | None = None


class Price(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Of one model, for a million tokens."""

    input: float
    output: float
    cached_input: float | None = None
    long: LongPrice | None = None
    image_tokens: int = IMAGE_TOKENS
    cache_write: float | None = None
    cache_write_1h: float | None = None
    date: str | None = None
    """When the price was looked up."""

    source: str | None = None
    """Where it was looked up."""

    def cost(self, usage: TokenUsage) -> int:
        """In billionths of a dollar, rounded up."""
        rate_in, rate_out, cached_rate = self.input, self.output, self.cached_input
        if self.long and usage.input > self.long.above:
            rate_in, rate_out = self.long.input, self.long.output
            cached_rate = self.long.cached_input
        cached = min(usage.cached, usage.input) if cached_rate is not None else 0
        written = min(usage.written, usage.input - cached)
        hour = min(usage.written_1h, written)
        write_rate, hour_rate = self._write_rates(rate_in)
        return _nano_dollars(
            (usage.input - cached - written, rate_in),
            (cached, cached_rate or 0),
            (written - hour, write_rate),
            (hour, hour_rate),
            (usage.output, rate_out),
        )

    def _write_rates(self, rate_in: float) -> tuple[float, float]:
        """Of cache writes for five minutes and for an hour, in proportion to the input's rate."""
        scale = rate_in / self.input if self.input else 1.0
        known = ((self.cache_write, WRITE_FACTOR), (self.cache_write_1h, WRITE_FACTOR_1H))
        five, hour = (rate_in * x if rate is None else rate * scale for rate, x in known)
        return five, hour

    def most(self, input_tokens: int, output_tokens: int, *, has_writes: bool = False) -> int:
        """An upper bound for any cached share, in billionths of a dollar."""
        rate_in, rate_out = max(self.input, self.cached_input or 0), self.output
        if self.long and input_tokens > self.long.above:
            rate_in = max(rate_in, self.long.input, self.long.cached_input or 0)
            rate_out = max(rate_out, self.long.output)
        if has_writes:
            rate_in = max(rate_in, *self._write_rates(rate_in))
        return _nano_dollars((input_tokens, rate_in), (output_tokens, rate_out))


def _nano_dollars(*parts: tuple[int, float]) -> int:
    """What tokens cost at their rates, rounded up; exact for the decimal numbers of a table."""
    total = sum(count * Decimal(repr(rate)) for count, rate in parts if count)
    return math.ceil(total * (NANO_PER_DOLLAR // MILLION))


def read_prices(file: Path | None) -> dict[str, Any]:
    """The price table of the package, in which the user's prices replace those of the same models.

    Raises:
        UsageError: the file cannot be read or a price is wrong.
    """
    table = _read_table(files("mlebench.gateway").joinpath("prices.json"))
    if file is not None:
        table["models"] |= _read_table(file)["models"]
    return table


def _read_table(source: Traversable) -> dict[str, Any]:
    try:
        table = dict(json.loads(source.read_text("utf-8")))
        for name in table["models"]:
            find_price(table, name)
    except (OSError, ValueError, TypeError, KeyError, AttributeError) as error:
        raise UsageError(f"the price table {source} cannot be read: {error!r}") from None
    return table


def find_price(table: Mapping[str, Any], model: str) -> Price | None:
    """By the exact name only: a similar name may be a more expensive model."""
    facts = table.get("models", {}).get(model)
    if facts is None:
        return None
    price = msgspec.convert(facts, Price)
    values = [
        value for part in (price, price.long) if part for value in msgspec.structs.astuple(part)
    ]
    if not all(0 <= value < math.inf for value in values if isinstance(value, int | float)):
        raise ValueError(f"{model} has a price that is not a number of dollars")
    return price


def read_openai_usage(answer: Mapping[str, Any]) -> TokenUsage | None:
    """The usage in an answer of either OpenAI API; None if it is missing or implausible."""
    facts = answer.get("usage")
    if not isinstance(facts, dict):
        return None
    used_in = facts.get("prompt_tokens", facts.get("input_tokens"))
    used_out = facts.get("completion_tokens", facts.get("output_tokens"))
    if not _is_count(used_in) or not _is_count(used_out):
        return None
    details = facts.get("prompt_tokens_details") or facts.get("input_tokens_details") or {}
    cached = details.get("cached_tokens") if isinstance(details, dict) else 0
    total = facts.get("total_tokens")
    # Some providers count reasoning in the total only.
    if _is_count(total):
        used_out = max(used_out, total - used_in)
    return TokenUsage(used_in, used_out, cached if _is_count(cached) else 0)


def read_messages_usage(answer: Mapping[str, Any]) -> TokenUsage | None:
    """The usage in an answer of Anthropic's API, which counts cached tokens apart."""
    facts = answer.get("usage")
    if not isinstance(facts, dict):
        return None
    fresh, output = facts.get("input_tokens"), facts.get("output_tokens")
    if not _is_count(fresh) or not _is_count(output):
        return None
    cached, written = facts.get("cache_read_input_tokens"), facts.get("cache_creation_input_tokens")
    details = facts.get("cache_creation")
    hour = details.get("ephemeral_1h_input_tokens") if isinstance(details, dict) else 0
    known = [value if _is_count(value) else 0 for value in (cached, written, hour)]
    return TokenUsage(fresh + known[0] + known[1], output, *known)


def read_gemini_usage(answer: Mapping[str, Any]) -> TokenUsage | None:
    """The usage in an answer of Gemini's API; thoughts are part of the output."""
    facts = answer.get("usageMetadata")
    if not isinstance(facts, dict) or not _is_count(facts.get("promptTokenCount")):
        return None
    names = ("toolUsePromptTokenCount", "candidatesTokenCount", "thoughtsTokenCount")
    more, said, thought = (v if _is_count(v := facts.get(name)) else 0 for name in names)
    used_in = facts["promptTokenCount"] + more
    total = facts.get("totalTokenCount")
    output = max(said + thought, total - used_in if _is_count(total) else 0)
    cached = facts.get("cachedContentTokenCount")
    return TokenUsage(used_in, output, cached if _is_count(cached) else 0)


def _is_count(value: Any) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= MOST_TOKENS


def most_input_tokens(
    body: Mapping[str, Any], images: Sequence[str] = (), image_tokens: int = IMAGE_TOKENS
) -> int:
    """An upper bound: one token for each byte of text, a fixed number for each image.

    Args:
        images: the texts in the body that the provider reads as images. Every other text is
            counted by its length, whatever it looks like.
    """
    total = len(images) * image_tokens - sum(map(len, images))
    waiting: list[Any] = [body]
    while waiting:
        part = waiting.pop()
        if isinstance(part, str):
            total += len(part) if part.isascii() else len(part.encode("utf-8", "surrogatepass"))
        elif isinstance(part, dict):
            total += MESSAGE_TOKENS + sum(len(name) for name in part)
            waiting.extend(part.values())
        elif isinstance(part, list):
            total += len(part)
            waiting.extend(part)
        else:
            total += len(str(part))
    return total
