"""Try several models on held-out rows; the best one or pair is then trained on all rows."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

import numpy as np
from sklearn.calibration import CalibratedClassifierCV
from sklearn.compose import TransformedTargetRegressor
from sklearn.ensemble import (
    ExtraTreesClassifier,
    ExtraTreesRegressor,
    HistGradientBoostingClassifier,
    HistGradientBoostingRegressor,
)
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.model_selection import KFold
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, SVR

from .budget import (
    Budget,
    Sizes,
    bayes_cost,
    boosting_cost,
    kernel_cost,
    logistic_cost,
    ridge_cost,
    trees_cost,
)
from .features import Features

FOLDS = 5
ROWS_FOR_ALL_FOLDS = 3000
"""With more rows a single held-out fifth is enough."""

MANY_ROWS = 10_000


@dataclass(frozen=True)
class Recipe:
    """A kind of model, the estimated cost of a fit, and up to which size it is tried."""

    name: str
    make: Callable[[], Any]
    cost: Callable[[Sizes], float]
    needs: Literal["wide", "dense"]
    most_rows: int
    most_columns: int = 100_000
    most_classes: int = 100_000


def classifier_recipes(seed: int) -> list[Recipe]:
    """The cheap ones first."""
    logistic = partial(LogisticRegression, max_iter=300)
    vectors = partial(CalibratedClassifierCV, SVC(C=10), ensemble=False, cv=3)
    trees = partial(ExtraTreesClassifier, 150, min_samples_leaf=2, random_state=seed)
    boosting = partial(
        HistGradientBoostingClassifier, max_iter=150, learning_rate=0.08, random_state=seed
    )
    return [
        Recipe("naive Bayes", GaussianNB, bayes_cost, "dense", 20_000, 2_000),
        Recipe("logistic regression", logistic, logistic_cost, "wide", 50_000, most_classes=150),
        Recipe("extra trees", trees, trees_cost, "dense", 30_000, 2_000, 300),
        Recipe("support vectors", vectors, kernel_cost, "wide", 4_000, 2_000, 100),
        Recipe("histogram boosting", boosting, boosting_cost, "dense", 200_000, 600, 20),
    ]


def regressor_recipes(seed: int) -> list[Recipe]:
    """The cheap ones first."""
    vectors = partial(TransformedTargetRegressor, SVR(C=1), transformer=StandardScaler())
    trees = partial(ExtraTreesRegressor, 150, min_samples_leaf=3, random_state=seed)
    boosting = partial(
        HistGradientBoostingRegressor, max_iter=200, learning_rate=0.06, random_state=seed
    )
    return [
        Recipe("ridge regression", partial(Ridge, 10), ridge_cost, "wide", 50_000),
        Recipe("extra trees", trees, trees_cost, "dense", 20_000, 1_000),
        Recipe("support vectors", vectors, kernel_cost, "wide", 3_000, 2_000),
        Recipe("histogram boosting", boosting, boosting_cost, "dense", 200_000, 600),
    ]


@dataclass
class Trial:
    """A recipe and what it predicted for the held-out rows."""

    recipe: Recipe
    held_out: Any
    loss: float
    seconds: float


class Learner:
    """Tries recipes on one target, a column of numbers or of classes."""

    def __init__(self, features: Features, target: Any, *, is_class: bool, seed: int) -> None:
        self.features = features
        self.target = target
        self.is_class = is_class
        self.seed = seed
        self.classes = np.unique(target) if is_class else np.empty(0)
        self.trials: list[Trial] = []
        self.splits = self._make_splits()
        self.columns = len(features.numbers) + len(features.categories) + 30 * len(features.texts)
        self.letters = sum(int(features.train[name].str.len().sum()) for name in features.texts)

    def _make_splits(self) -> list[tuple[Any, Any]]:
        count = len(self.target)
        fold = KFold(min(FOLDS, count), shuffle=True, random_state=self.seed)
        folds = list(fold.split(self.target))
        return folds if count <= ROWS_FOR_ALL_FOLDS else folds[:1]

    def recipes(self) -> Iterator[Recipe]:
        """The recipes for problems of this size."""
        make = classifier_recipes if self.is_class else regressor_recipes
        recipes = make(self.seed)
        if len(self.target) > MANY_ROWS:
            # Boosting is slow on little data and quick on much.
            recipes.insert(1, recipes.pop())
        for recipe in recipes:
            if len(self.classes) <= recipe.most_classes and self.columns <= recipe.most_columns:
                yield recipe

    def plan(self, budget: Budget, share: float) -> tuple[list[Recipe], list[Recipe]]:
        """The recipes that a share of the budget covers, and the others; one is always planned."""
        chosen: list[Recipe] = []
        left_out: list[Recipe] = []
        total = 0.0
        for recipe in self.recipes():
            # The folds, then all rows, twice where the recipe becomes one of a pair.
            cost = self.cost([recipe]) * (len(self.splits) + 2)
            if chosen and total + cost > budget.left * share:
                left_out.append(recipe)
            else:
                chosen.append(recipe)
                total += cost
        budget.left = max(0.0, budget.left - total)
        return chosen, left_out

    def cost(self, recipes: list[Recipe]) -> float:
        """Estimated seconds for training on all rows."""
        return sum(recipe.cost(self._sizes(recipe.most_rows)) for recipe in recipes)

    def _sizes(self, most_rows: int) -> Sizes:
        rows = len(self.target)
        used = min(rows, most_rows)
        letters = self.letters * used // max(1, rows)
        classes = max(1, len(self.classes))
        return Sizes(used, self.columns, classes, letters, len(self.features.test))

    def try_out(self, recipe: Recipe, until: float) -> Trial | None:
        """Evaluate a recipe on held-out rows; None if it fails or takes too long."""
        started = time.monotonic()
        parts: list[Any] = []
        for train, held in self.splits:
            try:
                model = self._fit(recipe, train)
            except ValueError:
                # Too few rows of a class, or only rare words.
                return None
            parts.append(self._predict(model, self.features.train.iloc[held]))
            # Training on all rows follows, which takes as long as another fold.
            pace = (time.monotonic() - started) / len(parts)
            if self.trials and started + pace * (len(self.splits) + 1) > until:
                return None
        held_out = np.concatenate(parts)
        trial = Trial(recipe, held_out, self.loss(held_out), time.monotonic() - started)
        self.trials.append(trial)
        return trial

    def loss(self, predicted: Any) -> float:
        """Log loss for classes, root mean squared error for numbers."""
        truth = np.concatenate([self.target[held] for _, held in self.splits])
        if not self.is_class:
            return float(np.sqrt(np.mean((truth - predicted[:, 0]) ** 2)))
        place = np.searchsorted(self.classes, truth)
        of_truth = predicted[np.arange(len(truth)), place]
        return float(-np.log(np.clip(of_truth, 1e-6, 1)).mean())

    def accuracy(self, predicted: Any) -> float:
        """The share of held-out rows whose class is predicted as the most likely one."""
        truth = np.concatenate([self.target[held] for _, held in self.splits])
        return float(np.mean(self.classes[predicted.argmax(axis=1)] == truth))

    def best(self) -> tuple[list[Recipe], float, Any]:
        """The recipe or pair with the smallest loss, that loss, and the held-out predictions."""
        ranked = sorted(self.trials, key=lambda trial: trial.loss)
        first = ranked[0]
        chosen = ([first.recipe], first.loss, first.held_out)
        for second in ranked[1:3]:
            mean = (first.held_out + second.held_out) / 2
            if self.loss(mean) < chosen[1]:
                chosen = ([first.recipe, second.recipe], self.loss(mean), mean)
        return chosen

    def predict(self, recipes: list[Recipe]) -> Any:
        """Train on all rows and predict the test rows; the mean over the recipes."""
        everything = np.arange(len(self.target))
        models = [self._fit(recipe, everything) for recipe in recipes]
        return np.mean([self._predict(model, self.features.test) for model in models], axis=0)

    def _fit(self, recipe: Recipe, rows: Any) -> Any:
        if len(rows) > recipe.most_rows:
            draw = np.random.RandomState(self.seed)
            rows = np.sort(draw.choice(rows, recipe.most_rows, replace=False))
        features = self.features
        columns = features.wide() if recipe.needs == "wide" else features.dense(self.seed)
        model = make_pipeline(columns, recipe.make())
        with warnings.catch_warnings():
            # Not converged, or constant columns: the held-out score shows the effect.
            warnings.simplefilter("ignore")
            return model.fit(features.train.iloc[rows], self.target[rows])

    def _predict(self, model: Any, table: Any) -> Any:
        """A column of numbers, or one per class with its probability."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            if not self.is_class:
                return np.asarray(model.predict(table), dtype=float).reshape(-1, 1)
            chances = np.zeros((len(table), len(self.classes)))
            chances[:, np.searchsorted(self.classes, model.classes_)] = model.predict_proba(table)
        # Additive smoothing: as if each class had occurred once more.
        rows, count = len(self.target), len(self.classes)
        return (np.nan_to_num(chances, nan=1 / count) * rows + 1) / (rows + count)
