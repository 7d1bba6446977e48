#!/usr/bin/env python
"""A short list of rules that is searched greedily."""

import itertools
import operator

import polars as pl

frame = pl.read_csv("/home/data/train.csv")
test = pl.read_csv("/home/data/test.csv")
OPS = {"<=": operator.le, ">": operator.gt}


def conditions(data):
    for name in ("Age", "RoomService", "FoodCourt", "ShoppingMall", "Spa", "VRDeck"):
        column = data[name].drop_nulls()
        for quantile in (0.1, 0.25, 0.5, 0.75, 0.9):
            for sign in OPS:
                yield name, sign, column.quantile(quantile)
    for name in ("HomePlanet", "Destination", "CryoSleep", "VIP"):
        for value in data[name].drop_nulls().unique():
            yield name, "=", value


def holds(data, rule):
    name, sign, value = rule
    if sign == "=":
        return (data[name] == value).fill_null(False)
    return OPS[sign](data[name], value).fill_null(False)


def gain(data, rules):
    mask = holds(data, rules[0])
    for rule in rules[1:]:
        mask = mask & holds(data, rule)
    inside = data.filter(mask)["Transported"]
    if inside.len() < 60:
        return 0.0, None, mask
    share = inside.mean()
    return abs(share - 0.5) * inside.len() ** 0.5, share > 0.5, mask


chosen = []
left = frame
while left.height > 400 and len(chosen) < 25:
    every = list(conditions(left))
    ranked = sorted(every, key=lambda rule: -gain(left, [rule])[0])[:12]
    pairs = [[r] for r in ranked] + [list(p) for p in itertools.combinations(ranked, 2)]
    winner = max(pairs, key=lambda rules: gain(left, rules)[0])
    value, verdict, mask = gain(left, winner)
    if verdict is None:
        break
    chosen.append((winner, verdict))
    left = left.filter(~mask)
    print(winner, verdict, round(value, 2), left.height)

answers = []
for row in test.iter_rows(named=True):
    single = pl.DataFrame([row])
    for rules, verdict in chosen:
        if all(holds(single, rule)[0] for rule in rules):
            answers.append(verdict)
            break
    else:
        answers.append(left["Transported"].mean() > 0.5)
test.select("PassengerId").with_columns(Transported=pl.Series(answers)).write_csv(
    "/home/submission/submission.csv"
)
