"""The entrants of the starter leaderboards: scikit-learn pipelines of very different strength.

Every entrant has a name, and a fixed seed where it draws anything. Weak ones are wanted: a board of
nothing but good models would be as misleading as one of nothing but guesses.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from sklearn import (
    discriminant_analysis,
    dummy,
    ensemble,
    gaussian_process,
    kernel_ridge,
    linear_model,
    naive_bayes,
    neighbors,
    neural_network,
    svm,
    tree,
)
from sklearn.calibration import CalibratedClassifierCV
from sklearn.cross_decomposition import PLSRegression
from sklearn.decomposition import PCA
from sklearn.feature_selection import SelectKBest, f_classif, f_regression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import (
    MinMaxScaler,
    PolynomialFeatures,
    QuantileTransformer,
    StandardScaler,
)


@dataclass(frozen=True)
class Entrant:
    """One line of a board."""

    name: str
    model: Any
    share: float = 1
    """Of the training rows, from the first; some entrants are in a hurry."""


def scaled(model: Any, *steps: Any) -> Any:
    return make_pipeline(StandardScaler(), *steps, model)


def classifiers(columns: int) -> Iterator[Entrant]:
    """Models that give class probabilities."""
    yield from _guesses()
    yield from _classic_classifiers(columns)
    yield from _classifier_machines()
    yield from _classifier_forests()
    yield from _classifier_ensembles()
    yield from _hurried_classifiers()


def _guesses() -> Iterator[Entrant]:
    yield Entrant("shares of the classes", dummy.DummyClassifier(strategy="prior"))
    yield Entrant(
        "equal shares, random label", dummy.DummyClassifier(strategy="uniform", random_state=0)
    )
    for seed in range(3):
        model = dummy.DummyClassifier(strategy="stratified", random_state=seed)
        yield Entrant(f"random label {seed}", model)


def _classic_classifiers(columns: int) -> Iterator[Entrant]:
    for k in (1, 3, 5, 9, 15, 25, 41):
        yield Entrant(f"{k} neighbours", neighbors.KNeighborsClassifier(k))
        yield Entrant(f"{k} neighbours, scaled", scaled(neighbors.KNeighborsClassifier(k)))
        by_distance = neighbors.KNeighborsClassifier(k, weights="distance")
        yield Entrant(f"{k} neighbours by distance", make_pipeline(MinMaxScaler(), by_distance))
    yield Entrant("naive Bayes", naive_bayes.GaussianNB())
    yield Entrant("naive Bayes, smooth", naive_bayes.GaussianNB(var_smoothing=1e-3))
    yield Entrant("LDA", discriminant_analysis.LinearDiscriminantAnalysis())
    for shrinkage in (0.05, 0.2, 0.6):
        model = discriminant_analysis.LinearDiscriminantAnalysis(solver="lsqr", shrinkage=shrinkage)
        yield Entrant(f"LDA, shrinkage {shrinkage}", scaled(model))
    for amount in (0.01, 0.1, 0.5, 0.9):
        model = discriminant_analysis.QuadraticDiscriminantAnalysis(reg_param=amount)
        yield Entrant(f"QDA {amount}", scaled(model))
    for c in (0.0001, 0.001, 0.01, 0.03, 0.1, 0.3, 1, 3, 10, 100):
        yield Entrant(f"logistic C={c}", scaled(_logistic(c)))
    for parts in (1, 2, 3, 5, 8):
        yield Entrant(f"logistic on {parts} components", scaled(_logistic(1), PCA(parts)))
        yield Entrant(
            f"naive Bayes on {parts} components", scaled(naive_bayes.GaussianNB(), PCA(parts))
        )
    for best in (1, 2, 4, 8):
        chosen = SelectKBest(f_classif, k=min(best, columns))
        yield Entrant(f"logistic on the best {best}", make_pipeline(chosen, scaled(_logistic(1))))
    rank = QuantileTransformer(n_quantiles=50, random_state=0)
    yield Entrant("logistic on ranks", make_pipeline(rank, _logistic(1)))


def _logistic(c: float) -> Any:
    return linear_model.LogisticRegression(C=c, max_iter=2000)


def _classifier_machines() -> Iterator[Entrant]:
    for c in (0.1, 1, 10, 100):
        for gamma in ("scale", 0.003, 0.1):
            model = _calibrated(svm.SVC(C=c, gamma=gamma))
            yield Entrant(f"SVM C={c} gamma={gamma}", scaled(model))
    for c in (0.01, 1):
        yield Entrant(f"linear SVM C={c}", scaled(_calibrated(svm.SVC(C=c, kernel="linear"))))
    for degree in (2, 3):
        model = _calibrated(svm.SVC(kernel="poly", degree=degree, coef0=1))
        yield Entrant(f"polynomial SVM {degree}", scaled(model))
    for layers in ((2,), (5,), (20,), (100,), (50, 50)):
        for alpha in (1e-4, 1.0):
            model = neural_network.MLPClassifier(
                hidden_layer_sizes=layers, alpha=alpha, max_iter=400, random_state=0
            )
            yield Entrant(f"network {layers} alpha={alpha}", scaled(model))


def _calibrated(model: Any) -> Any:
    return CalibratedClassifierCV(model, ensemble=False, cv=3)


def _classifier_forests() -> Iterator[Entrant]:
    for depth in (1, 2, 3, 4, 6, None):
        model = tree.DecisionTreeClassifier(max_depth=depth, random_state=0)
        yield Entrant(f"tree of depth {depth}", model)
    for leaf in (5, 20):
        model = tree.DecisionTreeClassifier(min_samples_leaf=leaf, random_state=0)
        yield Entrant(f"tree, {leaf} a leaf", model)
    for count in (5, 20, 100, 400):
        for depth in (2, None):
            for kind in (ensemble.RandomForestClassifier, ensemble.ExtraTreesClassifier):
                model = kind(count, max_depth=depth, random_state=0)
                yield Entrant(f"{kind.__name__} {count} depth {depth}", model)
    for rounds in (5, 30, 100):
        for rate in (0.03, 0.1):
            model = ensemble.HistGradientBoostingClassifier(
                max_iter=rounds, learning_rate=rate, min_samples_leaf=8, random_state=0
            )
            yield Entrant(f"histogram boosting {rounds} at {rate}", model)
    for rounds in (10, 50, 150):
        model = ensemble.GradientBoostingClassifier(
            n_estimators=rounds, max_depth=2, subsample=0.7, random_state=0
        )
        yield Entrant(f"boosting {rounds}", model)
    for rounds in (5, 50):
        model = ensemble.AdaBoostClassifier(n_estimators=rounds, random_state=0)
        yield Entrant(f"AdaBoost {rounds}", model)


def _classifier_ensembles() -> Iterator[Entrant]:
    members = [
        ("logistic", scaled(_logistic(0.3))),
        ("svm", scaled(_calibrated(svm.SVC(C=10)))),
        ("trees", ensemble.ExtraTreesClassifier(200, random_state=0)),
        ("neighbours", scaled(neighbors.KNeighborsClassifier(9))),
    ]
    for count in (2, 3, 4):
        voting = ensemble.VotingClassifier(members[:count], voting="soft")
        yield Entrant(f"vote of {count}", voting)
    stack = ensemble.StackingClassifier(members[:3], _logistic(1), cv=3)
    yield Entrant("stack of 3", stack)
    bag = ensemble.BaggingClassifier(scaled(_logistic(1)), 20, random_state=0)
    yield Entrant("bagged logistic", bag)


def _hurried_classifiers() -> Iterator[Entrant]:
    for share in (0.08, 0.15, 0.3, 0.6):
        yield Entrant(f"logistic, {share} of the rows", scaled(_logistic(1)), share)
        forest = ensemble.RandomForestClassifier(50, random_state=0)
        yield Entrant(f"forest, {share} of the rows", forest, share)
        near = scaled(neighbors.KNeighborsClassifier(3))
        yield Entrant(f"3 neighbours, {share} of the rows", near, share)
        stump = tree.DecisionTreeClassifier(max_depth=2, random_state=0)
        yield Entrant(f"small tree, {share} of the rows", stump, share)


def regressors(columns: int) -> Iterator[Entrant]:
    """Models that give numbers."""
    yield from _constant_regressors()
    yield from _linear_regressors(columns)
    yield from _regressor_machines()
    yield from _regressor_forests()
    yield from _regressor_ensembles()
    yield from _hurried_regressors()


def _constant_regressors() -> Iterator[Entrant]:
    yield Entrant("mean", dummy.DummyRegressor())
    for quantile in (0.25, 0.4, 0.5, 0.6, 0.75):
        model = dummy.DummyRegressor(strategy="quantile", quantile=quantile)
        yield Entrant(f"quantile {quantile}", model)


def _linear_regressors(columns: int) -> Iterator[Entrant]:
    yield Entrant("least squares", linear_model.LinearRegression())
    for alpha in (0.1, 1, 5, 10, 30, 100, 300, 1000, 3000):
        yield Entrant(f"ridge {alpha}", scaled(linear_model.Ridge(alpha)))
    for alpha in (0.1, 0.5, 1, 2, 4, 8, 16):
        yield Entrant(f"lasso {alpha}", scaled(linear_model.Lasso(alpha)))
        yield Entrant(f"elastic net {alpha}", scaled(linear_model.ElasticNet(alpha / 4)))
    yield Entrant("Bayesian ridge", scaled(linear_model.BayesianRidge()))
    yield Entrant("Huber", scaled(linear_model.HuberRegressor()))
    yield Entrant("gamma", scaled(linear_model.GammaRegressor(alpha=0.1)))
    yield Entrant("Poisson", scaled(linear_model.PoissonRegressor(alpha=1)))
    for parts in (1, 2, 3, 4, 6):
        least_squares = linear_model.LinearRegression()
        yield Entrant(f"least squares on {parts} components", scaled(least_squares, PCA(parts)))
        yield Entrant(f"partial least squares {parts}", PLSRegression(parts))
        chosen = SelectKBest(f_regression, k=min(parts, columns))
        yield Entrant(f"least squares on the best {parts}", make_pipeline(chosen, least_squares))
    for alpha in (1, 30, 100, 300):
        squares = PolynomialFeatures(2, include_bias=False)
        yield Entrant(f"squares, ridge {alpha}", scaled(linear_model.Ridge(alpha), squares))
    lasso = scaled(linear_model.Lasso(3), PolynomialFeatures(2, include_bias=False))
    yield Entrant("squares, lasso 3", lasso)


def _regressor_machines() -> Iterator[Entrant]:
    for k in (1, 2, 4, 8, 15, 25, 50):
        yield Entrant(f"{k} neighbours", neighbors.KNeighborsRegressor(k))
        yield Entrant(f"{k} neighbours, scaled", scaled(neighbors.KNeighborsRegressor(k)))
    for c in (1, 10, 30, 100):
        for kernel in ("rbf", "linear"):
            yield Entrant(f"{kernel} SVM C={c}", scaled(svm.SVR(C=c, kernel=kernel)))
    for gamma in (0.003, 0.01, 0.03):
        model = kernel_ridge.KernelRidge(alpha=1, kernel="rbf", gamma=gamma)
        yield Entrant(f"kernel ridge {gamma}", scaled(model))
    kernel = gaussian_process.kernels.DotProduct() + gaussian_process.kernels.WhiteKernel()
    process = gaussian_process.GaussianProcessRegressor(kernel, normalize_y=True)
    yield Entrant("Gaussian process", scaled(process))
    for layers in ((3,), (10,), (30,), (50, 20)):
        for alpha in (1.0, 30.0):
            model = neural_network.MLPRegressor(
                hidden_layer_sizes=layers, alpha=alpha, solver="lbfgs", max_iter=300, random_state=0
            )
            yield Entrant(f"network {layers} alpha={alpha}", scaled(model))


def _regressor_forests() -> Iterator[Entrant]:
    for depth in (1, 2, 3, 5, None):
        model = tree.DecisionTreeRegressor(max_depth=depth, random_state=0)
        yield Entrant(f"tree of depth {depth}", model)
    for leaf in (5, 10, 25):
        model = tree.DecisionTreeRegressor(min_samples_leaf=leaf, random_state=0)
        yield Entrant(f"tree, {leaf} a leaf", model)
    for count in (5, 20, 100, 400):
        for leaf in (1, 10):
            for kind in (ensemble.RandomForestRegressor, ensemble.ExtraTreesRegressor):
                model = kind(count, min_samples_leaf=leaf, random_state=0)
                yield Entrant(f"{kind.__name__} {count}, {leaf} a leaf", model)
    for rounds in (10, 40, 100, 300):
        model = ensemble.HistGradientBoostingRegressor(
            max_iter=rounds, learning_rate=0.05, random_state=0
        )
        yield Entrant(f"histogram boosting {rounds}", model)
        model = ensemble.GradientBoostingRegressor(
            n_estimators=rounds, learning_rate=0.05, max_depth=2, subsample=0.7, random_state=0
        )
        yield Entrant(f"boosting {rounds}", model)
    for rounds in (5, 50):
        model = ensemble.AdaBoostRegressor(n_estimators=rounds, random_state=0)
        yield Entrant(f"AdaBoost {rounds}", model)


def _regressor_ensembles() -> Iterator[Entrant]:
    members = [
        ("ridge", scaled(linear_model.Ridge(30))),
        ("trees", ensemble.ExtraTreesRegressor(200, min_samples_leaf=5, random_state=0)),
        ("svm", scaled(svm.SVR(C=30))),
        ("neighbours", scaled(neighbors.KNeighborsRegressor(15))),
    ]
    for count in (2, 3, 4):
        yield Entrant(f"mean of {count}", ensemble.VotingRegressor(members[:count]))
    yield Entrant("stack of 3", ensemble.StackingRegressor(members[:3], linear_model.RidgeCV()))


def _hurried_regressors() -> Iterator[Entrant]:
    for share in (0.08, 0.15, 0.3, 0.6):
        yield Entrant(f"least squares, {share} of the rows", linear_model.LinearRegression(), share)
        forest = ensemble.RandomForestRegressor(50, random_state=0)
        yield Entrant(f"forest, {share} of the rows", forest, share)
        near = scaled(neighbors.KNeighborsRegressor(5))
        yield Entrant(f"5 neighbours, {share} of the rows", near, share)
        stump = tree.DecisionTreeRegressor(max_depth=2, random_state=0)
        yield Entrant(f"small tree, {share} of the rows", stump, share)
