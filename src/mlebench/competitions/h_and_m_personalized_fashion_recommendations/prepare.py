"""Thirty million purchases, split by day as they stream by; the last eight days are the test."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path

from mlebench.archives.copying import copy_file, copy_folder
from mlebench.archives.raw import Raw
from mlebench.tables import TableWriter, read_pieces, write_table

PURCHASES = "transactions_train.csv"
TYPES = {
    "t_dat": str,
    "customer_id": str,
    # As a number, so that the leading zero is lost.
    "article_id": "int64",
    "price": "float64",
    "sales_channel_id": "int64",
}


def prepare(raw: Raw, public: Path, private: Path) -> None:
    import pandas as pd

    days = read_pieces(raw / PURCHASES, usecols=["t_dat"], dtype=str)
    last = max(piece["t_dat"].max() for piece in days)
    first_test_day = (date.fromisoformat(last) - timedelta(days=7)).isoformat()
    bought = []
    with TableWriter(public / PURCHASES) as train:
        for piece in read_pieces(raw / PURCHASES, dtype=TYPES):
            is_test = piece["t_dat"] >= first_test_day
            train.write(piece[~is_test])
            bought.append(piece.loc[is_test, ["customer_id", "article_id"]])
    test = pd.concat(bought).astype({"article_id": str})
    answers = test.groupby("customer_id")["article_id"].agg(" ".join).rename("prediction")
    write_table(answers.reset_index(), private / "answers.csv")
    for name in ("articles.csv", "customers.csv", "sample_submission.csv"):
        copy_file(raw / name, public / name)
    copy_folder(raw / "images", public / "images")
