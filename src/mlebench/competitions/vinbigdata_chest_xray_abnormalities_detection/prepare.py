"""Pictures are split; of the readers' boxes one per picture and class becomes the answer."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from mlebench.archives.copying import copy_split
from mlebench.archives.raw import Raw
from mlebench.tables import read_table, split_rows, write_table

if TYPE_CHECKING:
    import pandas as pd

NO_FINDING = 14
CORNERS = ["x_min", "y_min", "x_max", "y_max"]


def prepare(raw: Raw, public: Path, private: Path) -> None:
    boxes = read_table(raw / "train.csv")
    train, test = split_rows(list(boxes["image_id"].unique()), test_size=0.1)
    is_test = boxes["image_id"].isin(test)
    write_table(boxes[~is_test], public / "train.csv")
    answers = one_box_per_class(boxes[is_test])
    write_table(answers, private / "answers.csv")
    write_table(as_submission(answers), private / "gold_submission.csv")
    write_table(sample_submission(test), public / "sample_submission.csv")
    copy_split(raw, "train/{}.dicom", public, train=train, test=test)


def one_box_per_class(boxes: pd.DataFrame) -> pd.DataFrame:
    """The first box of each picture and class; no finding is a box of one pixel."""
    answers = boxes.groupby(["image_id", "class_id"]).first().reset_index()
    answers[CORNERS] = answers[CORNERS].fillna(0)
    answers.loc[answers["class_id"] == NO_FINDING, ["x_max", "y_max"]] = 1
    return answers


def as_submission(answers: pd.DataFrame) -> pd.DataFrame:
    """The answers as a submission with full confidence."""
    corners = answers[CORNERS].astype(float).to_numpy().tolist()
    groups = [
        " ".join(map(str, [label, 1.0, *box]))
        for label, box in zip(answers["class_id"].tolist(), corners, strict=True)
    ]
    lists = answers[["image_id"]].assign(PredictionString=groups).groupby("image_id")
    return lists["PredictionString"].agg(" ".join).reset_index()


def sample_submission(images: list[str]) -> pd.DataFrame:
    """No finding anywhere."""
    import pandas as pd

    return pd.DataFrame({"image_id": images, "PredictionString": f"{NO_FINDING} 1 0 0 1 1"})
