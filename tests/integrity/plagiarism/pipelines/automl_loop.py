import time
from contextlib import contextmanager

import optuna
import pandas as pd
from sklearn.feature_selection import SelectKBest, mutual_info_classif
from sklearn.linear_model import RidgeClassifier
from sklearn.model_selection import cross_validate
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler, PolynomialFeatures


@contextmanager
def timer(label):
    start = time.perf_counter()
    yield
    print(f"[{label}] {time.perf_counter() - start:.1f} s")


def features(path):
    df = pd.read_csv(path)
    y = df.pop("Transported") if "Transported" in df else None
    ident = df.pop("PassengerId")
    df["people"] = ident.str[:4].map(ident.str[:4].value_counts())
    cabin = df.pop("Cabin").str.partition("/")
    df["deck"] = cabin[0].rank(method="dense")
    df["last"] = df.pop("Name").str.len()
    codes = df.select_dtypes(exclude="number").apply(lambda s: s.astype("category").cat.codes)
    return ident, df.drop(columns=codes.columns).fillna(0).join(codes), y


def build(trial):
    kind = trial.suggest_categorical("kind", ["ridge", "knn"])
    if kind == "ridge":
        last = RidgeClassifier(alpha=trial.suggest_float("alpha", 1e-3, 1e3, log=True))
        degree = trial.suggest_int("degree", 1, 2)
    else:
        last = KNeighborsClassifier(trial.suggest_int("k", 3, 60), weights="distance")
        degree = 1
    keep = trial.suggest_int("keep", 4, 12)
    return make_pipeline(
        MinMaxScaler(),
        SelectKBest(mutual_info_classif, k=keep),
        PolynomialFeatures(degree, include_bias=False),
        last,
    )


with timer("reading"):
    _, x, y = features("/home/data/train.csv")
    ident, unseen, _ = features("/home/data/test.csv")
with timer("search"):
    study = optuna.create_study(direction="maximize")
    study.optimize(
        lambda trial: cross_validate(build(trial), x, y, cv=3)["test_score"].mean(), timeout=600
    )
print(study.best_value, study.best_params)
with timer("final"):
    winner = build(study.best_trial).fit(x, y)
    pd.concat([ident, pd.Series(winner.predict(unseen), name="Transported")], axis=1).to_csv(
        "/home/submission/submission.csv", index=False
    )
