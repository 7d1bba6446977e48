"""Toxic Comment Classification: six kinds of toxicity in comments on Wikipedia talk pages."""

from pathlib import Path

from mlebench.archives.raw import Raw
from mlebench.archives.unpacking import unpacked
from mlebench.competitions.jigsaw_toxic_comment_classification_challenge.format import LabelledRows
from mlebench.definition import CompetitionDefinition, Fault
from mlebench.metrics import mean_column_roc_auc
from mlebench.tables import read_table, write_table
from mlebench.tables.frames import Frame

CLASSES = ("toxic", "severe_toxic", "obscene", "threat", "insult", "identity_hate")


def prepare(raw: Raw, public: Path, private: Path) -> None:
    write_table(read_zipped(raw, "train.csv"), public / "train.csv")
    write_table(read_zipped(raw, "test.csv"), public / "test.csv")
    write_table(read_zipped(raw, "test_labels.csv"), private / "test.csv")
    sample = read_zipped(raw, "sample_submission.csv")
    write_table(sample.assign(**dict.fromkeys(CLASSES, 0.5)), public / "sample_submission.csv")


def read_zipped(raw: Raw, name: str) -> Frame:
    """A table that lies alone in a zip of its name."""
    with unpacked(raw / f"{name}.zip") as content:
        return read_table(content / name)


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
    ),
)
