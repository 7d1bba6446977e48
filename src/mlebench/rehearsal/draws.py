"""Generators of single values: each is called with a random stream and returns one value.

Anything that is called with a `Random` and returns a value is a draw, also a plain function. Where
a generator takes another one, a constant may be passed instead.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from random import Random
from typing import Any

Draw = Callable[[Random], Any]

VOCABULARY = (
    "the a of to model train data loss taxi whale leaf cell image sound note day night light dark "
    "blue green fast slow"
).split()


def rng(seed: int, *salt: object) -> Random:
    """A random stream of its own for each purpose: `rng(seed, "train")`."""
    return Random("/".join(map(str, (seed, *salt))))


def value_of(source: object, r: Random) -> Any:
    """A value from a draw; a constant is its own value."""
    return source(r) if callable(source) else source


def hex_id(r: Random, digits: int = 12) -> str:
    return f"{r.getrandbits(4 * digits):0{digits}x}"


def words(r: Random, count: int) -> str:
    return " ".join([r.choice(VOCABULARY) for _ in range(count)])


@dataclass(frozen=True)
class HexId:
    """Hexadecimal digits, inserted into `form`."""

    digits: int
    form: str = "{}"

    def __call__(self, r: Random) -> str:
        return self.form.format(hex_id(r, self.digits))


class Choice:
    """One of the values or draws, each as often as its weight says."""

    def __init__(self, *sources: object, weights: Sequence[float] | None = None) -> None:
        self.sources = sources
        self.cumulated = list(accumulate(weights)) if weights else None

    def __call__(self, r: Random) -> Any:
        if self.cumulated:
            return value_of(r.choices(self.sources, cum_weights=self.cumulated)[0], r)
        return value_of(r.choice(self.sources), r)


@dataclass(frozen=True)
class Whole:
    """A whole number from `low` up to, not including, `high`; a text if it has a `form`."""

    low: int
    high: int
    form: str = ""

    def __call__(self, r: Random) -> int | str:
        number = r.randrange(self.low, self.high)
        return self.form.format(number) if self.form else number


@dataclass(frozen=True)
class Real:
    """A number between `low` and `high`, rounded to `digits`; a text if it has a `form`."""

    low: float
    high: float
    digits: int | None = None
    form: str = ""

    def __call__(self, r: Random) -> float | str:
        number = r.uniform(self.low, self.high)
        if self.form:
            return self.form.format(number)
        return number if self.digits is None else round(number, self.digits)


@dataclass(frozen=True)
class Chance:
    """1 with this probability, else 0."""

    probability: float

    def __call__(self, r: Random) -> int:
        return int(r.random() < self.probability)


@dataclass(frozen=True)
class Gap:
    """A value that is missing with this probability; it is drawn in any case."""

    source: object
    probability: float

    def __call__(self, r: Random) -> Any:
        value = value_of(self.source, r)
        return "" if r.random() < self.probability else value


@dataclass(frozen=True)
class Dates:
    """A date: as many of year, month, day, hour, minute and second as the form has fields."""

    form: str
    years: tuple[int, int]

    def __call__(self, r: Random) -> str:
        spans = (self.years, (1, 13), (1, 29), (0, 24), (0, 60), (0, 60))
        return self.form.format(*[r.randrange(*span) for span in spans[: self.form.count("{")]])


class Several:
    """Values for several columns of a row, in order."""

    def __init__(self, *sources: object) -> None:
        self.sources = sources

    def __call__(self, r: Random) -> list[Any]:
        return [value_of(source, r) for source in self.sources]


class Text:
    """A form filled with values; the form, which may be a draw as well, is drawn after them."""

    def __init__(self, form: object, *sources: object) -> None:
        self.form = form
        self.sources = sources

    def __call__(self, r: Random) -> str:
        values = [value_of(source, r) for source in self.sources]
        return str(value_of(self.form, r)).format(*values)


@dataclass(frozen=True)
class Many:
    """A list of values from a draw, or a text if they are joined; their number may be drawn."""

    source: Draw
    count: object
    joined_by: str | None = None

    def __call__(self, r: Random) -> Any:
        values = [self.source(r) for _ in range(value_of(self.count, r))]
        return values if self.joined_by is None else self.joined_by.join(map(str, values))


@dataclass(frozen=True)
class Phrase:
    """Words, `low` of them, or from `low` up to, not including, `high`."""

    low: int
    high: int = 0

    def __call__(self, r: Random) -> str:
        return words(r, r.randrange(self.low, self.high) if self.high else self.low)
