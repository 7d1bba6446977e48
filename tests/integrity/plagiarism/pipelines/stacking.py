import pandas as pd
from sklearn.calibration import CalibratedClassifierCV
from sklearn.ensemble import (
    ExtraTreesClassifier,
    HistGradientBoostingClassifier,
    StackingClassifier,
)
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_score
from sklearn.preprocessing import OrdinalEncoder

raw = pd.read_csv("/home/data/train.csv")
final = pd.read_csv("/home/data/test.csv")
encoder = OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=-1)
words = ["HomePlanet", "CryoSleep", "Destination", "VIP"]
encoder.fit(raw[words].astype(str))


def matrix(table):
    coded = pd.DataFrame(encoder.transform(table[words].astype(str)), columns=words)
    rest = table[["Age", "RoomService", "FoodCourt", "ShoppingMall", "Spa", "VRDeck"]]
    return pd.concat([coded, rest.reset_index(drop=True).fillna(-1)], axis=1)


layers = [
    ("hist", HistGradientBoostingClassifier(max_iter=300, l2_regularization=2.0)),
    ("extra", ExtraTreesClassifier(500, min_samples_leaf=4, n_jobs=2)),
    ("flat", CalibratedClassifierCV(LogisticRegression(max_iter=5000), cv=3)),
]
stack = StackingClassifier(layers, final_estimator=LogisticRegression(C=0.3), cv=5)
print("cv:", cross_val_score(stack, matrix(raw), raw.Transported, cv=3).mean())
stack.fit(matrix(raw), raw.Transported)
final.assign(Transported=stack.predict(matrix(final)))[["PassengerId", "Transported"]].to_csv(
    "/home/submission/submission.csv", index=False
)
