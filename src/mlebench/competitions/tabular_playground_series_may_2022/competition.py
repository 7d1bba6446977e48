"""Tabular Playground, May 2022: the state of a simulated machine from 31 anonymous features."""

from pathlib import Path

from mlebench.archives.raw import Raw
from mlebench.definition import CompetitionDefinition, Fault
from mlebench.formats import RowPerId
from mlebench.formats.values import probabilities
from mlebench.metrics import roc_auc
from mlebench.recipes import TableSplit
from mlebench.tables import read_table, split_rows, write_table

rows = RowPerId(id="id", target="target", values=probabilities)
tables = TableSplit(rows, sample_value=0.5)


def prepare(raw: Raw, public: Path, private: Path) -> None:
    table = read_table(raw / "train.csv")
    train, test = split_rows(table, test_size=100_000)
    train = train.assign(id=range(len(train)))
    test = test.assign(id=range(len(train), len(table)))
    tables.write((train, test), public, private)
    write_table(test[["id", "target"]], private / "gold_submission.csv")


competition = CompetitionDefinition(
    id="tabular-playground-series-may-2022",
    title="Tabular Playground Series - May 2022",
    category="Tabular",
    complexity="low",
    dataset_gb=0.57,
    prepare=prepare,
    submission=rows,
    metric=roc_auc,
    gold_submission="private/gold_submission.csv",
    official_sample_score=0.5,
    faults=(Fault("the board is crowded: top and median scores hardly differ"),),
)
