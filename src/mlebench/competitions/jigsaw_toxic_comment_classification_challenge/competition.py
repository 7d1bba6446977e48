"""Toxic Comment Classification: six kinds of toxicity in comments on Wikipedia talk pages."""

from pathlib import Path

from mlebench.archives.raw import Raw
from mlebench.competitions.jigsaw_toxic_comment_classification_challenge.format import LabelledRows
from mlebench.definition import CompetitionDefinition, Fault
from mlebench.metrics import mean_column_roc_auc
from mlebench.tables import read_zipped_table, write_table

CLASSES = ("toxic", "severe_toxic", "obscene", "threat", "insult", "identity_hate")


def prepare(raw: Raw, public: Path, private: Path) -> None:
    write_table(read_zipped_table(raw / "train.csv.zip"), public / "train.csv")
    write_table(read_zipped_table(raw / "test.csv.zip"), public / "test.csv")
    write_table(read_zipped_table(raw / "test_labels.csv.zip"), private / "test.csv")
    sample = read_zipped_table(raw / "sample_submission.csv.zip")
    write_table(sample.assign(**dict.fromkeys(CLASSES, 0.5)), public / "sample_submission.csv")


competition = CompetitionDefinition(
    id="jigsaw-toxic-comment-classification-challenge",
    title="Toxic Comment Classification Challenge",
    category="Text Classification",
    complexity="low",
    awards_medals=True,
    prize_usd=35_000,
    dataset_gb=0.06,
    prepare=prepare,
    submission=LabelledRows(id="id", target=CLASSES),
    metric=mean_column_roc_auc,
    official_sample_score=0.5,
    faults=(
        Fault("columns are paired by position, whatever their names"),
        Fault("the board is crowded: top and median scores hardly differ"),
        Fault("missing values and words in rows that are not scored are accepted"),
    ),
    accepts=frozenset({"nan"}),
)
