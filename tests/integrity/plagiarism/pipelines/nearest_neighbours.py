import numpy as np
import pandas as pd
from scipy.spatial import cKDTree

MONEY = "RoomService FoodCourt ShoppingMall Spa VRDeck".split()


def embed(df, scale=None):
    out = {}
    for m in MONEY:
        out[m] = np.log1p(df[m].fillna(0))
    out["age"] = df["Age"].fillna(df["Age"].median()) / 20
    out["asleep"] = 3.0 * (df["CryoSleep"] == True)  # noqa: E712
    for p in ("Earth", "Europa", "Mars"):
        out[p] = 2.0 * (df["HomePlanet"] == p)
    cabin = df["Cabin"].fillna("Z/0/P").str
    out["starboard"] = 1.5 * (cabin[-1] == "S")
    out["deck"] = cabin[0].map({d: i / 2 for i, d in enumerate("ABCDEFGTZ")})
    return pd.DataFrame(out).to_numpy(float)


tr, te = (pd.read_csv(f"/home/data/{n}.csv") for n in ("train", "test"))
points, truth = embed(tr), tr["Transported"].to_numpy(float)
tree = cKDTree(points)
best = None
for k in (5, 11, 21, 41, 81):
    distance, index = tree.query(points, k + 1)
    weight = 1 / (0.1 + distance[:, 1:])
    estimate = (weight * truth[index[:, 1:]]).sum(1) / weight.sum(1)
    right = ((estimate > 0.5) == truth).mean()
    print(k, right)
    if best is None or right > best[0]:
        best = right, k
distance, index = tree.query(embed(te), best[1])
weight = 1 / (0.1 + distance)
vote = (weight * truth[index]).sum(1) / weight.sum(1)
np.savetxt(
    "/home/submission/submission.csv",
    np.column_stack([te["PassengerId"], vote > 0.5]),
    fmt="%s",
    delimiter=",",
    header="PassengerId,Transported",
    comments="",
)
