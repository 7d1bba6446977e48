"""Spooky Author Identification: which of three horror writers wrote a sentence."""

from pathlib import Path

from mlebench.archives.raw import Raw
from mlebench.definition import CompetitionDefinition, Fault
from mlebench.formats import LeadingColumns
from mlebench.formats.values import probability_rows
from mlebench.metrics import multi_class_log_loss
from mlebench.recipes import ClassSplit
from mlebench.tables import read_zipped_table, split_rows

SAMPLE = {"EAP": 0.403493538995863, "HPL": 0.287808366106543, "MWS": 0.308698094897594}
rows = LeadingColumns(id="id", target=tuple(SAMPLE), values=probability_rows)
tables = ClassSplit(rows, label="author", sample_value=SAMPLE)


def prepare(raw: Raw, public: Path, private: Path) -> None:
    sentences = read_zipped_table(raw / "train.zip", "train.csv")
    tables.write(split_rows(sentences, test_size=0.1), public, private)


competition = CompetitionDefinition(
    id="spooky-author-identification",
    title="Spooky Author Identification",
    category="Text Classification",
    complexity="low",
    dataset_gb=0.0019,
    prepare=prepare,
    submission=rows,
    metric=multi_class_log_loss,
    rounding="python",
    official_sample_score=1.08468,
    faults=(Fault("a file whose id column is not the first is refused"),),
)
