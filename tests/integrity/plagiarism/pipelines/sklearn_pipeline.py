from pathlib import Path

import pandas as pd
from sklearn.compose import ColumnTransformer, make_column_selector
from sklearn.ensemble import RandomForestClassifier
from sklearn.impute import SimpleImputer
from sklearn.model_selection import RandomizedSearchCV
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

DATA = Path("/home/data")


def main():
    table = pd.read_csv(DATA / "train.csv", index_col="PassengerId")
    answer = table.pop("Transported")
    table = table.drop(columns=["Name", "Cabin"])
    numeric = make_pipeline(SimpleImputer(strategy="median"), StandardScaler())
    named = make_pipeline(
        SimpleImputer(strategy="most_frequent"), OneHotEncoder(handle_unknown="ignore")
    )
    prepare = ColumnTransformer(
        [
            ("numeric", numeric, make_column_selector(dtype_include="number")),
            ("named", named, make_column_selector(dtype_include=object)),
        ]
    )
    whole = Pipeline([("prepare", prepare), ("forest", RandomForestClassifier(n_jobs=-1))])
    search = RandomizedSearchCV(
        whole,
        {
            "forest__n_estimators": [200, 400, 800],
            "forest__max_depth": [6, 10, 14, None],
            "forest__min_samples_leaf": [1, 3, 7],
        },
        n_iter=15,
        cv=4,
        random_state=3,
    )
    search.fit(table, answer)
    print(search.best_score_, search.best_params_)
    unseen = pd.read_csv(DATA / "test.csv", index_col="PassengerId")
    predicted = search.predict(unseen.drop(columns=["Name", "Cabin"]))
    pd.Series(predicted, index=unseen.index, name="Transported").to_csv(
        "/home/submission/submission.csv"
    )


if __name__ == "__main__":
    main()
