"""What tokens cost: the price table, the usage that providers report, and upper bounds.

The table is JSON: `{"schema": 1, "models": {NAME: {"input": …, "output": …, "cached_input": …}}}`,
in dollars for a million tokens; `"long": {"above": TOKENS, "input": …, "output": …}` where long
requests cost more, `"image_tokens"` where one image may count for more than 50,000.
"""

from __future__ import annotations

import json
import math
import operator
from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any, TypeGuard

import msgspec

from mlebench.errors import UsageError

MILLION = 1_000_000
NANO_PER_DOLLAR = 1_000_000_000
IMAGE_TOKENS = 50_000
MESSAGE_TOKENS = 64
MOST_TOKENS = 1_000_000_000


@dataclass(frozen=True)
class TokenUsage:
    """Tokens of one answer, as the provider counts them."""

    input: int
    output: int
    cached: int = 0


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


class Price(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Of one model, for a million tokens."""

    input: float
    output: float
    cached_input: float | None = None
    long: LongPrice | None = None
    image_tokens: int = IMAGE_TOKENS

    def cost(self, usage: TokenUsage) -> int:
        """In billionths of a dollar, rounded up."""
        rate_in, rate_out, cached_rate = self.input, self.output, self.cached_input
        if self.long and usage.input > self.long.above:
            rate_in, rate_out, cached_rate = self.long.input, self.long.output, None
        cached = min(usage.cached, usage.input) if cached_rate is not None else 0
        dollars = (usage.input - cached) * rate_in + cached * (cached_rate or 0)
        return math.ceil((dollars + usage.output * rate_out) / MILLION * NANO_PER_DOLLAR)

    def most(self, input_tokens: int, output_tokens: int) -> int:
        """An upper bound for any cached share, in billionths of a dollar."""
        rate_in, rate_out = max(self.input, self.cached_input or 0), self.output
        if self.long and input_tokens > self.long.above:
            rate_in, rate_out = max(rate_in, self.long.input), max(rate_out, self.long.output)
        dollars = input_tokens * rate_in + output_tokens * rate_out
        return math.ceil(dollars / MILLION * NANO_PER_DOLLAR)


def read_prices(file: Path | None) -> dict[str, Any]:
    """The user's price table, or the one of the package.

    Raises:
        UsageError: the file cannot be read or a price is wrong.
    """
    try:
        source = file or files("mlebench.gateway").joinpath("prices.json")
        table = json.loads(source.read_text("utf-8"))
        for name in table["models"]:
            find_price(table, name)
    except (OSError, ValueError, TypeError, KeyError, AttributeError) as error:
        raise UsageError(f"the price table {file} cannot be read: {error!r}") from None
    return dict(table)


def find_price(table: Mapping[str, Any], model: str) -> Price | None:
    """By the exact name only: a similar name may be a more expensive model."""
    facts = table.get("models", {}).get(model)
    if facts is None:
        return None
    price = msgspec.convert(facts, Price)
    numbers = [price.input, price.output, price.cached_input or 0]
    if price.long:
        numbers += [price.long.above, price.long.input, price.long.output]
    if not all(0 <= number < math.inf for number in numbers):
        raise ValueError(f"{model} has a price that is no number of dollars")
    return price


def read_usage(answer: Mapping[str, Any]) -> TokenUsage | None:
    """The usage in an answer of either OpenAI API; none if it is missing or implausible."""
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
