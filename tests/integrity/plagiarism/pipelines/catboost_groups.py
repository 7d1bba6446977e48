import os
import warnings

import pandas as pd
from catboost import CatBoostClassifier, Pool
from sklearn.model_selection import GroupKFold

warnings.filterwarnings("ignore")
SEED = int(os.environ.get("SEED", 1))
CAT = ["HomePlanet", "CryoSleep", "Destination", "VIP", "Deck", "Side", "Surname"]

df = pd.concat(
    [pd.read_csv("/home/data/train.csv"), pd.read_csv("/home/data/test.csv")], ignore_index=True
)
df["Group"] = df.PassengerId.str.split("_").str[0]
df["GroupSize"] = df.groupby("Group").PassengerId.transform("count")
df["Surname"] = df.Name.str.split().str[-1]
df["FamilySize"] = df.groupby("Surname").PassengerId.transform("count")
df["Deck"] = df.Cabin.str[0]
df["Side"] = df.Cabin.str[-1]
df["CabinNumber"] = pd.to_numeric(df.Cabin.str.extract(r"/(\d+)/")[0])
amounts = df[["RoomService", "FoodCourt", "ShoppingMall", "Spa", "VRDeck"]]
df["Spent"] = amounts.sum(axis=1)
df["NoSpend"] = (df.Spent == 0).astype(int)
df["Luxury"] = df.RoomService + df.Spa + df.VRDeck
df[CAT] = df[CAT].fillna("missing").astype(str)
known = df.Transported.notna()
X = df.drop(columns=["PassengerId", "Cabin", "Name", "Transported", "Group"])
y = df.Transported[known].astype(bool)
test_pool = Pool(X[~known], cat_features=CAT)
probability = 0
for fold, (a, b) in enumerate(GroupKFold(6).split(X[known], y, df.Group[known])):
    booster = CatBoostClassifier(
        iterations=1500, depth=6, learning_rate=0.04, random_seed=SEED + fold, verbose=False
    )
    booster.fit(
        Pool(X[known].iloc[a], y.iloc[a], cat_features=CAT),
        eval_set=Pool(X[known].iloc[b], y.iloc[b], cat_features=CAT),
        early_stopping_rounds=100,
    )
    print(fold, booster.best_score_["validation"])
    probability = probability + booster.predict_proba(test_pool)[:, 1]
submission = df.loc[~known, ["PassengerId"]].copy()
submission["Transported"] = probability > 3
submission.to_csv("/home/submission/submission.csv", index=False)
