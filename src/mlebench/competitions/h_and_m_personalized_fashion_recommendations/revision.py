"""Revision v1.1: a test week of seven days, and article ids as Kaggle writes them."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from mlebench.archives.copying import copy_file, copy_folder
from mlebench.archives.raw import Raw
from mlebench.competitions.h_and_m_personalized_fashion_recommendations.format import (
    CustomersCovered,
)
from mlebench.competitions.h_and_m_personalized_fashion_recommendations.prepare import (
    PURCHASES,
    TYPES,
)
from mlebench.formats import Aligned
from mlebench.formats.values import refuse
from mlebench.revision import Changes, Fix
from mlebench.tables import TableWriter, read_pieces, read_table, write_table

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd
    from numpy.typing import NDArray

TEST_DAYS = 7


def prepare(raw: Raw, public: Path, private: Path) -> None:
    import pandas as pd

    days = read_pieces(raw / PURCHASES, usecols=["t_dat"], dtype=str)
    last = max(piece["t_dat"].max() for piece in days)
    first_test_day = (date.fromisoformat(last) - timedelta(days=TEST_DAYS - 1)).isoformat()
    bought = []
    with TableWriter(public / PURCHASES) as train:
        for piece in read_pieces(raw / PURCHASES, dtype=TYPES | {"article_id": str}):
            is_test = piece["t_dat"] >= first_test_day
            train.write(piece[~is_test])
            bought.append(piece.loc[is_test, ["customer_id", "article_id"]])
    # An article bought twice is one to recommend.
    test = pd.concat(bought).drop_duplicates()
    answers = test.groupby("customer_id")["article_id"].agg(" ".join).rename("prediction")
    write_table(answers.reset_index(), private / "answers.csv")
    for name in ("articles.csv", "customers.csv", "sample_submission.csv"):
        copy_file(raw / name, public / name)
    copy_folder(raw / "images", public / "images")
    sample = read_table(raw / "sample_submission.csv", dtype=str)
    guesses = sample.set_index("customer_id")["prediction"]
    gold = answers.reindex(guesses.index).fillna(guesses)
    write_table(gold.reset_index(), private / "gold_submission.csv")


class CustomersByNumber(CustomersCovered):
    """As in v1, but article ids are numbers, which match with and without leading zeros."""

    def check(self, submission: pd.DataFrame, keys: None) -> None:
        super().check(submission, keys)
        self._require_articles(submission)

    def align(self, submission: pd.DataFrame, answers: pd.DataFrame) -> Aligned:
        found = super().align(submission, answers)
        self._require_articles(submission)
        return found._replace(
            truth=without_zeros(found.truth), prediction=without_zeros(found.prediction)
        )

    def _require_articles(self, submission: pd.DataFrame) -> None:
        is_list = submission[self.target].astype(str).str.fullmatch("[0-9 ]*")
        refuse(submission[[self.target]], ~is_list.to_numpy(dtype=bool), "article ids")


def without_zeros(texts: NDArray[np.object_]) -> NDArray[np.object_]:
    """Lists of article ids without the zeros in front."""
    import numpy as np

    plain = [" ".join(word.lstrip("0") for word in text.split()) for text in texts.ravel()]
    return np.array(plain, dtype=object).reshape(texts.shape)


changes = Changes(
    fixes=(
        Fix(
            "article ids with a leading zero, as the sample has them, never match",
            "all tables and the answers have ids of ten digits, and leading zeros do not count",
        ),
        Fix("the test window has eight days", "it has the last seven days"),
        Fix(
            "the answers repeat an article as often as it was bought, so that they score below 1",
            "an article counts once for a customer",
        ),
        Fix(
            "one empty cell turns a column of single articles into floats, which never match, and"
            " words are guesses",
            "predictions are read as texts, and each is a list of article ids",
        ),
    ),
    comparability="new",
    prepare=prepare,
    texts=("prediction",),
    submission=CustomersByNumber(id="customer_id", target="prediction"),
    gold_submission="private/gold_submission.csv",
    passages={
        "An empty prediction is allowed and scores 0 for its customer.": (
            "An empty prediction is allowed and scores 0 for its customer; words that are not"
            " article ids are refused."
        ),
        "from 2018-09-20 to 2020-09-14 |": "from 2018-09-20 to 2020-09-15 |",
        "- `article_id`: an integer **without leading zero**, for example `706016001`": (
            "- `article_id`: ten digits, for example `0706016001`; read it as text"
        ),
        "`articles.csv` is keyed by `article_id`, here **with a leading zero**"
        " (`0706016001`): convert both to numbers before joining.": (
            "`articles.csv` is keyed by `article_id`, spelled as in the purchases."
        ),
        "best first, separated by **single** blanks.": "best first, separated by blanks.",
        "**Write article ids as `transactions_train.csv` has them, … scores 0.": (
            "Leading zeros of article ids do not count: `0706016001` and `706016001` are the"
            " same article."
        ),
        "or superfluous, a customer is listed twice, or a customer who is counted is missing."
        " Rows of other customers are ignored.": (
            "or superfluous, or the customers are not those of the sample submission, each once."
        ),
        "Guesses behind the twelfth are ignored; repeats and empty guesses (two blanks in a"
        " row) take up a place. The test days directly follow the training data: 2020-09-15"
        " to 2020-09-22, eight days.": (
            "Guesses behind the twelfth are ignored, and repeats take up a place. The test"
            " days directly follow the training data: 2020-09-16 to 2020-09-22, seven days."
        ),
        "`article_id` (integer, no leading zero),": "`article_id` (ten digits; read it as text),",
        "Its `article_id` is written with ten characters, … to join them.": (
            "Its `article_id` is spelled as in the purchases."
        ),
        "best first, one blank between them:": "best first, blanks between them:",
        "Ids are compared as text with the form that the purchases have: … or lacks a"
        " customer who counts.": (
            "Leading zeros of article ids do not count. A file is refused if it has other"
            " columns, or if its customers are not those of the sample, each once."
        ),
        "Wrong, repeated and empty guesses (from doubled blanks) keep their rank.": (
            "Wrong and repeated guesses keep their rank."
        ),
        "cover the eight days that follow": "cover the seven days that follow",
    },
)
