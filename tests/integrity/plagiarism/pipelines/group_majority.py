# Families mostly share their fate: vote inside a group, fall back to a small model.
import re
import sqlite3

import pandas as pd
from sklearn.linear_model import SGDClassifier

base = sqlite3.connect(":memory:")
for name in ("train", "test"):
    table = pd.read_csv(f"/home/data/{name}.csv")
    table["grp"] = [re.match(r"(\d{4})_", pid).group(1) for pid in table["PassengerId"]]
    table.to_sql(name, base)

base.executescript(
    """
    create table fate as
        select grp, avg(Transported) as share, count(*) as members from train group by grp;
    create table cabins as
        select substr(Cabin, 1, 1) as deck, substr(Cabin, -1) as side,
               avg(Transported) as share from train where Cabin is not null group by 1, 2;
    """
)
query = """
    select t.PassengerId, coalesce(f.share, 0.5) as fate, coalesce(f.members, 0) as members,
           coalesce(c.share, 0.5) as cabin, coalesce(t.CryoSleep, 0) as asleep,
           coalesce(t.RoomService, 0) + coalesce(t.Spa, 0) + coalesce(t.VRDeck, 0) as cost,
           t.HomePlanet = 'Europa' as europa, t.HomePlanet = 'Earth' as earth
    from {0} t left join fate f on f.grp = t.grp
    left join cabins c on c.deck = substr(t.Cabin, 1, 1) and c.side = substr(t.Cabin, -1)
"""
learn = pd.read_sql(query.format("train"), base).set_index("PassengerId")
apply = pd.read_sql(query.format("test"), base).set_index("PassengerId")
learn["cost"], apply["cost"] = learn["cost"] ** 0.25, apply["cost"] ** 0.25
labels = pd.read_sql("select Transported from train", base)["Transported"]
columns = ["cabin", "asleep", "cost", "europa", "earth"]
model = SGDClassifier(loss="log_loss", alpha=1e-3, max_iter=3000, random_state=0)
model.fit(learn[columns].fillna(0), labels)
print("train accuracy:", model.score(learn[columns].fillna(0), labels))
chance = pd.Series(model.predict_proba(apply[columns].fillna(0))[:, 1], apply.index)
known = apply["members"] >= 2
chance[known] = 0.6 * chance[known] + 0.4 * apply.loc[known, "fate"]
chance.gt(0.5).rename("Transported").reset_index().to_csv(
    "/home/submission/submission.csv", index=False
)
