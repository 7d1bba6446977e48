"""Spooky Author Identification: which of three horror writers wrote a sentence."""

from pathlib import Path

from mlebench.archives.raw import Raw
from mlebench.archives.unpacking import unpacked
from mlebench.definition import CompetitionDefinition, Fault
from mlebench.formats import LeadingColumns
from mlebench.formats.values import probability_rows
from mlebench.metrics import multi_class_log_loss
from mlebench.tables import one_hot, read_table, split_rows, write_table

SAMPLE = {"EAP": 0.403493538995863, "HPL": 0.287808366106543, "MWS": 0.308698094897594}


def prepare(raw: Raw, public: Path, private: Path) -> None:
    with unpacked(raw / "train.zip") as content:
        train, test = split_rows(read_table(content / "train.csv"), test_size=0.1)
    write_table(train, public / "train.csv")
    write_table(test.drop(columns="author"), public / "test.csv")
    ids = test[["id"]]
    write_table(ids.assign(**one_hot(test["author"], list(SAMPLE))), private / "test.csv")
    write_table(ids.assign(**SAMPLE), public / "sample_submission.csv")


competition = CompetitionDefinition(
    id="spooky-author-identification",
    title="Spooky Author Identification",
    category="Text Classification",
    complexity="low",
    dataset_gb=0.0019,
    prepare=prepare,
    submission=LeadingColumns(id="id", target=tuple(SAMPLE), values=probability_rows),
    metric=multi_class_log_loss,
    rounding="python",
    official_sample_score=1.08468,
    faults=(Fault("a file whose id column is not the first is refused"),),
)
