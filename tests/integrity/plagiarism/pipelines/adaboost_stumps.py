import numpy as np
import pandas as pd

A = pd.read_csv("/home/data/train.csv")
B = pd.read_csv("/home/data/test.csv")


def prep(d):
    X = []
    X.append(d["Age"].fillna(27).values)
    for c in "RoomService FoodCourt ShoppingMall Spa VRDeck".split():
        X.append(d[c].fillna(0).values)
    X.append((d["CryoSleep"] == True).values * 1)  # noqa: E712
    X.append((d["VIP"] == True).values * 1)  # noqa: E712
    X.append((d["HomePlanet"] == "Earth").values * 1)
    X.append((d["HomePlanet"] == "Mars").values * 1)
    X.append(d["Cabin"].fillna("X").apply(lambda s: ord(s[0])).values)
    return np.array(X, dtype=float).T


X = prep(A)
y = np.where(A["Transported"], 1, -1)
w = np.ones(len(y)) / len(y)
stumps = []
for t in range(150):
    best = (9, None)
    for j in range(X.shape[1]):
        for q in np.percentile(X[:, j], range(5, 100, 10)):
            h = np.where(X[:, j] > q, 1, -1)
            e = w[h != y].sum()
            if e > 0.5:
                e, h, s = 1 - e, -h, -1
            else:
                s = 1
            if e < best[0]:
                best = (e, (j, q, s), h)
    e, stump, h = best
    alpha = 0.5 * np.log((1 - e) / max(e, 1e-10))
    w = w * np.exp(-alpha * y * h)
    w /= w.sum()
    stumps.append((alpha, stump))
    if t % 25 == 0:
        print(t, e)
F = 0
Z = prep(B)
for alpha, (j, q, s) in stumps:
    F = F + alpha * s * np.where(Z[:, j] > q, 1, -1)
B["Transported"] = F > 0
B[["PassengerId", "Transported"]].to_csv("/home/submission/submission.csv", index=False)
