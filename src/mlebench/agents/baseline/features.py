"""The kinds of columns, and the transformers that turn them into numbers for the models."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from sklearn.compose import ColumnTransformer
from sklearn.decomposition import TruncatedSVD
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.impute import SimpleImputer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, OrdinalEncoder, StandardScaler

from .tables import Table, spelled

DATE = re.compile(r"\d{4}-\d{2}-\d{2}|\d{1,2}/\d{1,2}/\d{4}|\d{14}Z?$")
PARTS = re.compile(r"[/_|]")
MOST_CLASSES = 255
"""Most values of a category; histogram boosting accepts no more."""


@dataclass(frozen=True)
class Features:
    """Training and test rows with the same columns, and the names of columns by kind."""

    train: Table
    test: Table
    numbers: list[str]
    categories: list[str]
    texts: list[str]

    @property
    def is_empty(self) -> bool:
        return not (self.numbers or self.categories or self.texts)

    def wide(self) -> ColumnTransformer:
        """For linear models and kernels: scaled numbers, a column per category and per word."""
        encoder = OneHotEncoder(handle_unknown="ignore", min_frequency=3)
        parts: list[Any] = [
            ("numbers", make_pipeline(_gaps_filled(), StandardScaler()), self.numbers),
            ("categories", encoder, self.categories),
        ]
        parts += [(f"text {name}", words(), name) for name in self.texts]
        return ColumnTransformer([p for p in parts if p[2]])

    def dense(self, seed: int) -> ColumnTransformer:
        """For trees: numbers as they are, categories numbered, texts as some 30 components."""
        order = OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=-1)
        parts: list[Any] = [
            ("numbers", _gaps_filled(), self.numbers),
            ("categories", order, self.categories),
        ]
        for name in self.texts:
            components = TruncatedSVD(30, random_state=seed)
            parts.append((f"text {name}", make_pipeline(words(3), components), name))
        return ColumnTransformer([p for p in parts if p[2]])


def _gaps_filled() -> SimpleImputer:
    return SimpleImputer(strategy="median", add_indicator=True, keep_empty_features=True)


def words(least: int = 2) -> TfidfVectorizer:
    """Words and pairs of words, weighted by tf-idf."""
    return TfidfVectorizer(
        sublinear_tf=True,
        ngram_range=(1, 2),
        min_df=least,
        max_features=50_000,
        token_pattern=r"(?u)\b\w+\b",
    )


def make_features(train: Table, test: Table, vectors: tuple[Any, Any] | None) -> Features:
    """Sort the columns by kind; both tables must have the same ones.

    Args:
        vectors: further numbers of the training rows and of the test rows, read from files.
    """
    numbers: dict[str, tuple[Any, Any]] = {}
    others: dict[str, tuple[Any, Any]] = {}
    categories: list[str] = []
    texts: list[str] = []
    for name in train.columns:
        pair = (train[name], test[name])
        if all(pd.api.types.is_numeric_dtype(column) for column in pair):
            numbers[name] = (pair[0].astype(float), pair[1].astype(float))
            continue
        first, second = (column.map(spelled).astype(object) for column in pair)
        kind = _kind_of(first)
        if kind == "date":
            numbers |= _dates(name, first, second)
        elif kind == "parts":
            numbers |= _parts(name, first, second)
        elif kind != "unknown":
            others[name] = (first, second)
            (categories if kind == "category" else texts).append(name)
    if vectors is not None:
        for k in range(vectors[0].shape[1]):
            numbers[f"file {k}"] = (vectors[0][:, k], vectors[1][:, k])
    columns = numbers | others
    tables = [pd.DataFrame({n: np.asarray(c[side]) for n, c in columns.items()}) for side in (0, 1)]
    return Features(tables[0], tables[1], list(numbers), categories, texts)


def _kind_of(column: Any) -> str:
    """`date`, `category`, `text`, `parts` (as in `B/12/S`), or `unknown` for names."""
    filled = column[column != ""]
    if not len(filled):
        return "unknown"
    some = filled.head(200)
    if some.map(lambda cell: bool(DATE.match(cell))).mean() > 0.9:
        return "date"
    different = filled.nunique()
    if different <= min(MOST_CLASSES, max(2, 0.5 * len(filled))):
        return "category"
    if some.str.split().str.len().mean() >= 2.5:
        return "text"
    counts = some.map(lambda cell: len(PARTS.findall(cell)))
    return "parts" if counts.min() == counts.max() > 0 else "unknown"


def _dates(name: str, *columns: Any) -> dict[str, tuple[Any, Any]]:
    """Year, month, weekday, hour, minute, and seconds since 1970."""
    parsed = [pd.to_datetime(c, errors="coerce", utc=True, format="mixed") for c in columns]
    found = {}
    for part in ("year", "month", "day_of_week", "hour", "minute"):
        train, test = (getattr(p.dt, part).astype(float) for p in parsed)
        found[f"{name} {part}"] = (train, test)
    train, test = ((p - pd.Timestamp(0, tz="UTC")).dt.total_seconds() for p in parsed)
    return found | {f"{name} seconds": (train, test)}


def _parts(name: str, *columns: Any) -> dict[str, tuple[Any, Any]]:
    """The parts of a composed name: as numbers, or numbered in alphabetical order."""
    split = [c.map(lambda cell: PARTS.split(cell)) for c in columns]
    found = {}
    for k in range(max(len(pieces) for pieces in split[0])):
        pieces = [s.map(lambda p, k=k: p[k] if len(p) > k else "") for s in split]
        numbers = [pd.to_numeric(p, errors="coerce") for p in pieces]
        if numbers[0].notna().mean() < 0.5:
            place = {piece: n for n, piece in enumerate(sorted(set(pieces[0])))}
            numbers = [p.map(place) for p in pieces]
        found[f"{name} part {k}"] = (numbers[0].astype(float), numbers[1].astype(float))
    return found
