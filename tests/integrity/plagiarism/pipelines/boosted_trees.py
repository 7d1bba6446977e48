import lightgbm as lgb
import numpy as np
import pandas as pd
from sklearn.metrics import accuracy_score
from sklearn.model_selection import StratifiedKFold

train = pd.read_csv("/home/data/train.csv")
test = pd.read_csv("/home/data/test.csv")
spending = ["RoomService", "FoodCourt", "ShoppingMall", "Spa", "VRDeck"]


def enrich(frame):
    frame = frame.copy()
    frame[["deck", "number", "side"]] = frame["Cabin"].str.split("/", expand=True)
    frame["number"] = frame["number"].astype(float)
    frame["total"] = frame[spending].sum(axis=1)
    frame["group"] = frame["PassengerId"].str[:4].astype(int)
    for column in ["HomePlanet", "CryoSleep", "Destination", "VIP", "deck", "side"]:
        frame[column] = frame[column].astype("category")
    return frame.drop(columns=["PassengerId", "Cabin", "Name"])


features = enrich(train.drop(columns="Transported"))
target = train["Transported"].astype(int)
unseen = enrich(test)
votes = np.zeros(len(unseen))
scores = []
folds = StratifiedKFold(n_splits=5, shuffle=True, random_state=17)
for fitting, holding in folds.split(features, target):
    model = lgb.LGBMClassifier(n_estimators=700, learning_rate=0.03, num_leaves=24)
    model.fit(
        features.iloc[fitting],
        target.iloc[fitting],
        eval_set=[(features.iloc[holding], target.iloc[holding])],
        callbacks=[lgb.early_stopping(50, verbose=False)],
    )
    held = model.predict_proba(features.iloc[holding])[:, 1]
    scores.append(accuracy_score(target.iloc[holding], held > 0.5))
    votes += model.predict_proba(unseen)[:, 1] / folds.get_n_splits()
print("accuracy", np.mean(scores), np.std(scores))
pd.DataFrame({"PassengerId": test["PassengerId"], "Transported": votes > 0.5}).to_csv(
    "/home/submission/submission.csv", index=False
)
