"""Unintended Bias in Toxicity Classification: toxic comments without bias."""

from __future__ import annotations

from pathlib import Path

from mlebench.archives.copying import copy_file
from mlebench.archives.raw import Raw
from mlebench.competitions.jigsaw_unintended_bias_in_toxicity_classification.format import (
    PredictionRows,
)
from mlebench.definition import CompetitionDefinition, Fault
from mlebench.formats.values import numbers
from mlebench.metrics import bias_roc_auc
from mlebench.tables import read_table, write_table

IDENTITIES = (
    "male",
    "female",
    "homosexual_gay_or_lesbian",
    "christian",
    "jewish",
    "muslim",
    "black",
    "white",
    "psychiatric_or_mental_illness",
)


LABELLED = "test_private_expanded.csv"


def prepare(raw: Raw, public: Path, private: Path) -> None:
    copy_file(raw / "train.csv", public / "train.csv")
    copy_file(raw / LABELLED, private / "test.csv")
    comments = read_table(raw / LABELLED)[["id", "comment_text"]]
    write_table(comments, public / "test.csv")
    write_table(comments[["id"]].assign(prediction=0.0), public / "sample_submission.csv")


competition = CompetitionDefinition(
    id="jigsaw-unintended-bias-in-toxicity-classification",
    title="Jigsaw Unintended Bias in Toxicity Classification",
    category="Text Classification",
    complexity="medium",
    competition_type="code",
    awards_medals=True,
    prize_usd=65_000,
    prepare=prepare,
    submission=PredictionRows(
        id="id", target="prediction", truth=("toxicity", *IDENTITIES), values=numbers
    ),
    metric=bias_roc_auc,
    official_sample_score=0.5,
    faults=(
        Fault("predictions are cut to 0/1 at 0.5 before ranking; Kaggle ranks them"),
        Fault("a missing prediction counts as not toxic"),
    ),
    accepts=frozenset({"nan"}),
)
