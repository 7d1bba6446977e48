"""SETI Breakthrough Listen: whether a radio snippet contains a simulated alien signal."""

from mlebench.definition import CompetitionDefinition, Fault
from mlebench.formats import RowPerId
from mlebench.formats.values import probabilities
from mlebench.metrics import roc_auc
from mlebench.recipes import Copies, Files, LabelSplit, Recipe

rows = RowPerId(id="id", target="target", values=probabilities)

competition = CompetitionDefinition(
    id="seti-breakthrough-listen",
    title="SETI Breakthrough Listen - E.T. Signal Search",
    category="Signal Processing",
    complexity="medium",
    awards_medals=True,
    prize_usd=15_000,
    prepare=Recipe(
        LabelSplit(rows, sample_value=0.5, table="train_labels.csv"),
        Files("train/{0[0]}/{0}.npy", rows.id),
        Copies("old_leaky_data"),
    ),
    submission=rows,
    metric=roc_auc,
    official_sample_score=0.5,
    faults=(
        Fault("the large data set from before the restart of the contest is delivered as well"),
    ),
)
