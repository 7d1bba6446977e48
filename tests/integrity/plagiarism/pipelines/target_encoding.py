import numpy as np
import pandas as pd

rng = np.random.default_rng(2024)
train, test = pd.read_csv("/home/data/train.csv"), pd.read_csv("/home/data/test.csv")
train["y"] = train["Transported"].astype(float)
prior = train["y"].mean()

for part in (train, test):
    part["deck"] = part["Cabin"].fillna("?").str[0]
    part["side"] = part["Cabin"].fillna("?").str[-1]
    part["awake"] = np.where(part["CryoSleep"].fillna(False).astype(bool), "no", "yes")
    spent = part[["RoomService", "Spa", "VRDeck"]].sum(axis=1)
    part["comfort"] = pd.cut(spent, [-1, 0, 100, 1000, np.inf], labels=list("abcd")).astype(str)
    food = part["FoodCourt"].fillna(0) + part["ShoppingMall"].fillna(0)
    part["shop"] = pd.cut(food, [-1, 0, 500, 2000, np.inf], labels=list("abcd")).astype(str)
    part["young"] = (part["Age"] < 13).map({True: "child", False: "grown"})

keys = [
    ["HomePlanet", "awake"],
    ["deck", "side"],
    ["comfort", "shop"],
    ["Destination", "young"],
    ["HomePlanet", "comfort", "awake"],
    ["deck", "shop"],
]


def smooth(group, strength=30):
    return (group["y"].sum() + strength * prior) / (len(group) + strength)


def log_odds(p):
    return np.log(p / (1 - p))


total = np.zeros(len(test))
check = np.zeros(len(train))
fold = rng.integers(0, 5, len(train))
for key in keys:
    table = train.groupby(key, dropna=False).apply(smooth).rename("p").reset_index()
    total += log_odds(test.merge(table, "left", key)["p"].fillna(prior).to_numpy())
    for out in range(5):
        inner = train[fold != out].groupby(key, dropna=False).apply(smooth)
        inner = inner.rename("p").reset_index()
        joined = train[fold == out].merge(inner, "left", key)
        check[fold == out] += log_odds(joined["p"].fillna(prior).to_numpy())
offset = (len(keys) - 1) * log_odds(prior)
print("out of fold", ((check > offset) == train["Transported"]).mean())
test["Transported"] = total > offset
test.to_csv("/home/submission/submission.csv", columns=["PassengerId", "Transported"], index=False)
