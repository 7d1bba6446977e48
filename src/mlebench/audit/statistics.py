"""Measures of what one public value tells about a label, each with the level of chance."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import NDArray

PERMUTATIONS = 1000
MOST_VALUES = 5000
DIGITS = re.compile(r"(\d+)")
NUMBER, MOST_NUMBERS = re.compile(r"-?\d+(?:\.\d+)?"), 8
LEVEL = 0.001 / 3
"""Of a false alarm: public orders, restored orders and draws share the 0.1 % of a competition."""

FEW_ROWS = 20
CHANCE = 1e-9
"""A probability so small that no number of compared fields explains it."""


def natural_key(text: str) -> list[tuple[int, int, str]]:
    """Sorts numbers inside names by value: `2.jpg` before `10.jpg`."""
    parts = DIGITS.split(text)
    return [(0, int(part), "") if part.isdigit() else (1, 0, part) for part in parts]


@dataclass(frozen=True)
class ChanceMoments:
    """A measure under random permutations, by its moments."""

    mean: float
    spread: float
    skewness: float

    @classmethod
    def of(cls, found: NDArray[np.float64]) -> ChanceMoments:
        mean, spread = float(found.mean()), float(found.std())
        skewness = float(np.mean((found - mean) ** 3)) / spread**3 if spread else 0.0
        return cls(mean, spread, max(0.0, skewness))

    def deviation(self, tests: int) -> float:
        """The standard deviations that one of so many tests exceeds with the probability `LEVEL`.

        This is Bonferroni's correction. A thousand permutations do not reach such probabilities, so
        a Pearson type III distribution with their moments continues them; a normal distribution
        would raise false alarms where one class is rare.
        """
        from scipy.stats import pearson3

        return float(pearson3.isf(LEVEL / tests, self.skewness))


@dataclass(frozen=True)
class Dependence:
    """Mutual information of two variables in bits, and its level under random permutations."""

    information: float
    level: float
    """The 99.9 % quantile of the permutations."""

    chance: ChanceMoments

    def limit(self, tests: int) -> float:
        """The information that is beyond chance, if so many tests are made."""
        return max(self.level, self.chance.mean + self.chance.spread * self.chance.deviation(tests))

    @classmethod
    def of(cls, values: NDArray[Any], labels: NDArray[Any]) -> Dependence:
        """Both are divided into at most 16 groups; the permutations have a fixed seed."""
        step = max(1, len(values) // MOST_VALUES)
        groups = min(16, max(2, len(values[::step]) // 8))
        one, other = _grouped(values[::step], groups), _grouped(labels[::step], groups)
        random = np.random.default_rng(0)
        chance = np.array(
            [_information(one, random.permutation(other)) for _ in range(PERMUTATIONS)]
        )
        level = float(np.quantile(chance, 0.999))
        return cls(_information(one, other), level, ChanceMoments.of(chance))


def _grouped(values: NDArray[Any], groups: int) -> NDArray[np.int64]:
    """Codes of classes, or of quantiles where numbers have more values than groups."""
    import pandas as pd

    column = pd.Series(values)
    if column.dtype.kind in "iuf" and column.nunique() > groups:
        ranks = column.rank(method="min").to_numpy() - 1
        return (ranks * groups // len(ranks)).astype(np.int64)
    codes = pd.factorize(column)[0]
    frequent = np.bincount(codes).argsort()[::-1][: groups - 1]
    place = np.full(codes.max() + 1, groups - 1)
    place[frequent] = np.arange(len(frequent))
    grouped: NDArray[np.int64] = place[codes]
    return grouped


def _information(one: NDArray[np.int64], other: NDArray[np.int64]) -> float:
    width = int(other.max()) + 1
    joint = np.bincount(one * width + other, minlength=(int(one.max()) + 1) * width)
    shares = joint.reshape(-1, width) / len(one)
    product = shares.sum(1, keepdims=True) * shares.sum(0, keepdims=True)
    filled = shares > 0
    return float((shares[filled] * np.log2(shares[filled] / product[filled])).sum())


def separation(values: NDArray[Any], labels: NDArray[Any]) -> float:
    """How well one field tells the labels: the area under the ROC curve of a single cut.

    The mean over classes, each against the rest; for numbers the rank correlation. A class between
    others needs two cuts: rows then count by the classes of their neighbours. A field of texts
    counts by its most frequent label, if its values repeat, else by its alphabetical order.
    """
    import pandas as pd

    field, truth = pd.Series(values), pd.Series(labels)
    if field.nunique() < 2 or truth.nunique() < 2:
        return 0.0
    if not _is_class(truth):
        ranks = _numbers(field, truth.rank())
        return abs(float(np.corrcoef(ranks, truth.rank())[0, 1]))
    counts = truth.value_counts()
    classes = counts[(counts >= 3) & (len(truth) - counts >= 3)].index[:10]
    areas = [_area(field, (truth == name).to_numpy()) for name in classes]
    return float(np.mean(areas)) if areas else 0.0


def _is_class(labels: pd.Series) -> bool:
    """Whether labels are classes: texts, or numbers with few values."""
    return labels.dtype.kind not in "iuf" or labels.nunique() <= max(2, len(labels) // 10)


def _numbers(field: pd.Series, truth: pd.Series) -> NDArray[np.float64]:
    """Ranks of numbers and of unique texts; of texts that repeat, the mean of the truth."""
    if field.dtype.kind in "iufb":
        filled = field.astype(float).fillna(field.astype(float).min() - 1)
        return np.asarray(filled.rank(), dtype=np.float64)
    texts = field.astype(str)
    if texts.nunique() > len(texts) // 5:
        found = _written_numbers(texts)
        ranks = found.rank() if len(found.columns) else texts.rank().to_frame()
        order = truth.rank().to_numpy()
        best = max(ranks, key=lambda name: abs(np.corrcoef(ranks[name], order)[0, 1]))
        return np.asarray(ranks[best], dtype=np.float64)
    means: NDArray[np.float64] = truth.groupby(texts).transform("mean").to_numpy(dtype=float)
    return means


def _written_numbers(texts: pd.Series) -> pd.DataFrame:
    """The numbers of texts that differ in nothing else; no column if they do.

    A text such as `{"objects": 12}` is after `{"objects": 5}` as a number only.
    """
    import pandas as pd

    # Equal texts with each number replaced by a mark have as many numbers.
    if texts.str.replace(NUMBER, "\0", regex=True).nunique() > 1:
        return pd.DataFrame()
    rows = [NUMBER.findall(text)[:MOST_NUMBERS] for text in texts]
    table = pd.DataFrame(rows, dtype=float)
    return table.loc[:, table.nunique() > 1]


def _area(field: pd.Series, is_positive: NDArray[np.bool_]) -> float:
    import pandas as pd

    numbers = _numbers(field, pd.Series(is_positive.astype(float), index=field.index))
    shares = _share_of_neighbours(numbers, is_positive)
    count = int(is_positive.sum())
    rest = len(numbers) - count
    areas = []
    for values in (numbers, -numbers, shares):
        ranks = pd.Series(values).rank().to_numpy()
        above = float(ranks[is_positive].sum()) - count * (count + 1) / 2
        areas.append(above / (count * rest))
    return max(areas)


def _share_of_neighbours(
    numbers: NDArray[np.float64], is_positive: NDArray[np.bool_]
) -> NDArray[np.float64]:
    """The share of positives among the next two rows on both sides, in the order of a field.

    Rows with equal numbers have a random order, so that the order of the table tells nothing.
    """
    mixed = np.random.default_rng(0).permutation(len(numbers))
    order = mixed[np.argsort(numbers[mixed], kind="stable")]
    padded = np.pad(is_positive[order].astype(float), 2, constant_values=np.nan)
    around = np.stack([padded[k : len(padded) - 4 + k] for k in (0, 1, 3, 4)])
    shares = np.empty(len(numbers))
    shares[order] = np.nanmean(around, axis=0)
    return shares


class Neighbours:
    """How alike neighbours are in an order, measured against random orders."""

    def __init__(self, values: NDArray[Any]) -> None:
        import pandas as pd

        column = pd.Series(values)
        self.is_class = _is_class(column)
        self.codes = (
            pd.factorize(column)[0].astype(float) if self.is_class else column.rank().to_numpy()
        )
        random = np.random.default_rng(0)
        orders = (random.permutation(len(column)) for _ in range(PERMUTATIONS))
        self.chance = ChanceMoments.of(np.array([self._likeness(order) for order in orders]))

    def _likeness(self, order: NDArray[Any]) -> float:
        steps = np.abs(np.diff(self.codes[order]))
        return -float(np.mean(steps > 0) if self.is_class else np.mean(steps))

    def deviation(self, order: NDArray[Any]) -> float:
        """By how many standard deviations neighbours are more alike than in a random order."""
        more = self._likeness(order) - self.chance.mean
        return more / self.chance.spread if self.chance.spread else 0.0


def chance_of_exceptions(values: pd.Series, labels: pd.Series) -> float:
    """The probability that rows with another value than the most frequent one share a label.

    1 if they do not, or if that value is not frequent.
    """
    from scipy.stats import hypergeom

    texts = values.astype(str)
    counts = texts.value_counts()
    is_other = (texts != counts.index[0]).to_numpy()
    others = labels[is_other]
    if not 1 < len(others) < len(labels) // 2 or others.nunique() != 1:
        return 1.0
    same = int((labels == others.iloc[0]).sum())
    return float(hypergeom.sf(len(others) - 1, len(labels), same, len(others)))


def chance_of_matches(guesses: NDArray[Any], values: NDArray[Any]) -> float:
    """The probability of as many right guesses, if guesses and values are independent."""
    codes = np.unique(np.concatenate([guesses, values]).astype(str), return_inverse=True)[1]
    return chance_of_equal(codes[: len(guesses)], codes[len(guesses) :])


def chance_of_equal(guessed: NDArray[np.int64], true: NDArray[np.int64]) -> float:
    """As `chance_of_matches`, for class numbers."""
    from scipy.special import bdtrc

    classes = max(int(guessed.max()), int(true.max())) + 1
    one, other = (np.bincount(part, minlength=classes) / len(true) for part in (guessed, true))
    return float(bdtrc((guessed == true).sum() - 1, len(true), one @ other))
