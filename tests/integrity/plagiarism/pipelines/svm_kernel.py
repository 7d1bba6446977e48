import numpy as np
import pandas as pd
from sklearn import model_selection, pipeline, preprocessing, svm

t = pd.read_csv("/home/data/train.csv")
s = pd.read_csv("/home/data/test.csv")
every = pd.concat([t.drop(columns=["Transported"]), s], keys=["t", "s"])
every = every.assign(
    Deck=every["Cabin"].str.get(0), Side=every["Cabin"].str.get(-1), Cabin=None, Name=None
).dropna(axis="columns", how="all")
ids = every.pop("PassengerId")
num = every.select_dtypes("number")
num = np.sqrt(num.fillna(num.mean()))
cat = pd.get_dummies(every.select_dtypes("object").astype(str))
design = pd.concat([num, cat], axis="columns")
grid = model_selection.GridSearchCV(
    pipeline.make_pipeline(preprocessing.RobustScaler(), svm.SVC(kernel="rbf", cache_size=2000)),
    {"svc__C": np.logspace(-1, 2, 7), "svc__gamma": ["scale", 0.01, 0.03]},
    scoring="accuracy",
    cv=model_selection.ShuffleSplit(3, test_size=0.25, random_state=99),
    verbose=2,
)
grid.fit(design.loc["t"], t["Transported"])
report = pd.DataFrame(grid.cv_results_).sort_values("rank_test_score")
print(report[["params", "mean_test_score", "std_test_score"]].head(10).to_string())
answer = grid.best_estimator_.predict(design.loc["s"])
pd.DataFrame(dict(PassengerId=ids.loc["s"].values, Transported=answer.astype(bool))).to_csv(
    "/home/submission/submission.csv", index=None
)
