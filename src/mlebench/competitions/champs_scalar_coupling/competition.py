"""Predicting Molecular Properties: the magnetic interaction between two atoms of a molecule."""

from pathlib import Path

from mlebench.archives.copying import copy_files
from mlebench.archives.raw import Raw
from mlebench.definition import CompetitionDefinition, Fault
from mlebench.formats import RepeatableRows, with_group
from mlebench.formats.clusters import Clusters
from mlebench.formats.values import converted_numbers
from mlebench.metrics import log_mean_absolute_error_by_group
from mlebench.recipes import TableSplit, TrainRows
from mlebench.tables import Splitting, read_table, split_sorted_groups

TARGET = "scalar_coupling_constant"
MOLECULE = "molecule_name"
TABLES_BY_MOLECULE = (
    "dipole_moments.csv",
    "magnetic_shielding_tensors.csv",
    "mulliken_charges.csv",
    "potential_energy.csv",
    "scalar_coupling_contributions.csv",
)
rows = RepeatableRows(
    id="id",
    target=TARGET,
    odd_values=converted_numbers,
    truth=with_group(TARGET, "type"),
)
tables = TableSplit(rows, answers="answers.csv")


def prepare(
    raw: Raw,
    public: Path,
    private: Path,
    *,
    with_test_geometry: bool = False,
    split: Splitting = split_sorted_groups,
) -> None:
    import pandas as pd

    parts = split(read_table(raw / "train.csv"), MOLECULE, test_size=0.1)
    tables.write(parts, public, private)
    TrainRows(MOLECULE, TABLES_BY_MOLECULE)(raw, parts, public)
    shown = pd.concat(parts) if with_test_geometry else parts[0]
    TrainRows(MOLECULE, ("structures.csv",))(raw, (shown, shown), public)
    geometries = [f"structures/{molecule}.xyz" for molecule in shown[MOLECULE].unique()]
    copy_files({name: raw / name for name in geometries}, public)


competition = CompetitionDefinition(
    id="champs-scalar-coupling",
    title="Predicting Molecular Properties",
    category="Tabular",
    complexity="medium",
    awards_medals=True,
    prize_usd=30_000,
    prepare=prepare,
    submission=rows,
    # Represents the minus infinity that the published grader returns when a type is exactly right.
    metric=log_mean_absolute_error_by_group(floor=1e-9),
    clusters=Clusters("molecule", "molecule_name"),
    answers="private/answers.csv",
    official_sample_score=1.99777,
    faults=(
        Fault("structures.csv and structures/ lack the test molecules", issue="#70"),
        Fault("an id that occurs several times counts each time"),
        Fault("a type that is exactly right made the score minus infinity"),
    ),
)
