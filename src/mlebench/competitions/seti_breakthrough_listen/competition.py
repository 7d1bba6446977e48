"""SETI Breakthrough Listen: does a radio-telescope snippet hold a simulated alien signal."""

from pathlib import Path

from mlebench.archives.copying import copy_folder
from mlebench.archives.raw import Raw
from mlebench.definition import CompetitionDefinition, Fault
from mlebench.formats import RowPerId
from mlebench.formats.values import probabilities
from mlebench.metrics import roc_auc
from mlebench.recipes import LabelledFiles

OLD_DATA = "old_leaky_data"
rows = RowPerId(id="id", target="target", values=probabilities)
split = LabelledFiles(
    rows, files="train/{0[0]}/{0}.npy", sample_value=0.5, table="train_labels.csv"
)


def prepare(raw: Raw, public: Path, private: Path) -> None:
    split(raw, public, private)
    copy_folder(raw / OLD_DATA, public / OLD_DATA)


competition = CompetitionDefinition(
    id="seti-breakthrough-listen",
    title="SETI Breakthrough Listen - E.T. Signal Search",
    category="Signal Processing",
    complexity="medium",
    awards_medals=True,
    prize_usd=15_000,
    prepare=prepare,
    submission=rows,
    metric=roc_auc,
    official_sample_score=0.5,
    faults=(Fault("the large data of the contest before its restart is handed over too"),),
)
