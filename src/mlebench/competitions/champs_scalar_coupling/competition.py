"""Predicting Molecular Properties: the magnetic interaction between two atoms of a molecule."""

from pathlib import Path

from mlebench.archives.copying import copy_files
from mlebench.archives.raw import Raw
from mlebench.definition import CompetitionDefinition, Fault
from mlebench.formats import RepeatableRows, with_group
from mlebench.formats.values import converted_numbers
from mlebench.metrics import log_mean_absolute_error_by_group
from mlebench.tables import read_table, split_sorted_groups, write_table

TARGET = "scalar_coupling_constant"
TABLES_BY_MOLECULE = (
    "dipole_moments.csv",
    "magnetic_shielding_tensors.csv",
    "mulliken_charges.csv",
    "potential_energy.csv",
    "scalar_coupling_contributions.csv",
    "structures.csv",
)


def prepare(raw: Raw, public: Path, private: Path) -> None:
    train, test = split_sorted_groups(read_table(raw / "train.csv"), "molecule_name", test_size=0.1)
    write_table(train, public / "train.csv")
    write_table(test.drop(columns=TARGET), public / "test.csv")
    write_table(test, private / "answers.csv")
    write_table(test[["id"]].assign(**{TARGET: 0}), public / "sample_submission.csv")
    molecules = train["molecule_name"].unique()
    for name in TABLES_BY_MOLECULE:
        table = read_table(raw / name)
        write_table(table[table["molecule_name"].isin(molecules)], public / name)
    geometries = [f"structures/{molecule}.xyz" for molecule in molecules]
    copy_files({name: raw / name for name in geometries}, public)


competition = CompetitionDefinition(
    id="champs-scalar-coupling",
    title="Predicting Molecular Properties",
    category="Tabular",
    complexity="medium",
    awards_medals=True,
    prize_usd=30_000,
    prepare=prepare,
    submission=RepeatableRows(
        id="id",
        target=TARGET,
        odd_values=converted_numbers,
        truth=with_group(TARGET, "type"),
    ),
    # Stands for the minus infinity that the published grader gives when a type is exactly right.
    metric=log_mean_absolute_error_by_group(floor=1e-9),
    answers="private/answers.csv",
    official_sample_score=1.99777,
    faults=(
        Fault("structures.csv and structures/ lack the test molecules", issue="#70"),
        Fault("an id that stands several times counts as often"),
        Fault("a type that is exactly right made the score minus infinity"),
    ),
)
