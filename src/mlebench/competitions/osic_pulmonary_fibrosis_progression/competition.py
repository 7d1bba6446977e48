"""OSIC Pulmonary Fibrosis Progression: how a patient's lung capacity will decline."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from mlebench.archives.raw import Raw
from mlebench.competitions.osic_pulmonary_fibrosis_progression.format import WeeklyForecast
from mlebench.definition import CompetitionDefinition, Fault
from mlebench.formats.clusters import Clusters
from mlebench.metrics import laplace_log_likelihood
from mlebench.recipes import Folders
from mlebench.tables import Splitting, read_table, split_sorted_groups, write_table

if TYPE_CHECKING:
    import pandas as pd


def prepare(
    raw: Raw, public: Path, private: Path, *, split: Splitting = split_sorted_groups
) -> None:
    """A table of visits and a folder of scans per patient, split by patient."""
    parts = split(read_table(raw / "train.csv"), "Patient", test_size=0.1)
    train, test = parts
    write_table(train, public / "train.csv")
    first_visits = test.sort_values("Weeks").groupby("Patient", as_index=False).first()
    write_table(first_visits[test.columns], public / "test.csv")
    grid = every_week(test)
    write_table(grid, private / "test.csv")
    sample = grid[["Patient_Week"]].assign(FVC=2000, Confidence=100)
    write_table(sample, public / "sample_submission.csv")
    Folders("train", "Patient")(raw, parts, public)


def every_week(visits: pd.DataFrame) -> pd.DataFrame:
    """All patients at all weeks between the first and the last visit of any patient."""
    import pandas as pd

    weeks = range(visits["Weeks"].min(), visits["Weeks"].max() + 1)
    cells = [(patient, week) for patient in visits["Patient"].unique() for week in weeks]
    grid = pd.DataFrame(cells, columns=["Patient", "Weeks"])
    grid = grid.merge(visits, on=["Patient", "Weeks"], how="left")
    names = grid["Patient"] + "_" + grid["Weeks"].astype(str)
    return grid.assign(Patient_Week=names, Confidence=100)


competition = CompetitionDefinition(
    id="osic-pulmonary-fibrosis-progression",
    title="OSIC Pulmonary Fibrosis Progression",
    category="Multimodal",
    complexity="medium",
    competition_type="code",
    awards_medals=True,
    prize_usd=55_000,
    prepare=prepare,
    submission=WeeklyForecast(),
    metric=laplace_log_likelihood(max_error=1000, min_deviation=70),
    clusters=Clusters("patient", "Patient"),
    official_sample_score=-14.9683,
    faults=(
        Fault("rows that are missing are not scored, so that hard weeks can be left out"),
        Fault("a missing confidence counts as the smallest one"),
    ),
    accepts=frozenset({"missing_row", "double_id", "nan", "ordered"}),
)
