import argparse
import json
import logging

import pandas as pd
import xgboost as xgb

logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
log = logging.getLogger("xgb")


def parse_args():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=900)
    parser.add_argument("--eta", type=float, default=0.02)
    parser.add_argument("--out", default="/home/submission/submission.csv")
    return parser.parse_args()


def to_matrix(frame, label=None):
    frame = frame.join(frame.Cabin.str.extract(r"(?P<deck>\w)/(?P<num>\d+)/(?P<side>[PS])"))
    frame["num"] = frame["num"].astype("float32")
    frame["first"] = frame.Name.str.len()
    for col in frame.select_dtypes("object"):
        if col in ("PassengerId", "Name", "Cabin"):
            del frame[col]
        else:
            frame[col] = frame[col].astype("category")
    return xgb.DMatrix(frame, label=label, enable_categorical=True)


def main():
    args = parse_args()
    train = pd.read_csv("/home/data/train.csv")
    label = train.pop("Transported").astype("int8")
    params = dict(
        objective="binary:logistic",
        eta=args.eta,
        max_depth=5,
        subsample=0.8,
        colsample_bytree=0.6,
        eval_metric=["logloss", "error"],
        tree_method="hist",
    )
    dtrain = to_matrix(train, label)
    history = xgb.cv(params, dtrain, args.rounds, nfold=5, early_stopping_rounds=60, seed=8)
    rounds = len(history)
    log.info("rounds=%d error=%.4f", rounds, history["test-error-mean"].iloc[-1])
    booster = xgb.train(params, dtrain, rounds)
    log.info(json.dumps(booster.get_score(importance_type="gain"), indent=2))
    test = pd.read_csv("/home/data/test.csv")
    chance = booster.predict(to_matrix(test))
    pd.DataFrame({"PassengerId": test.PassengerId, "Transported": chance >= 0.5}).to_csv(
        args.out, index=False
    )


if __name__ == "__main__":
    main()
