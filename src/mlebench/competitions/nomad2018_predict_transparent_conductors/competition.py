"""Nomad2018: formation energy and band gap of oxides that may become transparent conductors."""

from functools import partial
from pathlib import Path

from mlebench.archives.copying import copy_files
from mlebench.archives.raw import Raw
from mlebench.archives.unpacking import unpacked
from mlebench.competitions.nomad2018_predict_transparent_conductors.format import RowInOrder
from mlebench.definition import CompetitionDefinition, Fault
from mlebench.metrics import mean_column_root_mean_squared_log_error
from mlebench.recipes.hashes import rows_in_hash_order
from mlebench.tables import read_zipped_table, split_rows, write_table

SAMPLE = {"formation_energy_ev_natom": 0.1779, "bandgap_energy_ev": 1.8892}


def prepare(raw: Raw, public: Path, private: Path, *, numbered_by_hash: bool = False) -> None:
    parts = split_rows(read_zipped_table(raw / "train.csv.zip"), test_size=0.1)
    with unpacked(raw / "train.zip") as content:
        files = content / "train"
        if numbered_by_hash:
            parts = parts[0], rows_in_hash_order(parts[1], "id", partial(geometry, files))
        for part, folder in zip(parts, ("train", "test"), strict=True):
            geometries = {
                f"{folder}/{new}/geometry.xyz": geometry(files, old)
                for new, old in enumerate(part["id"], start=1)
            }
            copy_files(geometries, public)
    # Each part is numbered separately, from 1.
    train, test = (part.assign(id=range(1, len(part) + 1)) for part in parts)
    write_table(train, public / "train.csv")
    write_table(test.drop(columns=list(SAMPLE)), public / "test.csv")
    write_table(test, private / "test.csv")
    write_table(test[["id"]].assign(**SAMPLE), public / "sample_submission.csv")


def geometry(folder: Raw, number: int) -> Raw:
    return folder / str(number) / "geometry.xyz"


competition = CompetitionDefinition(
    id="nomad2018-predict-transparent-conductors",
    title="Nomad2018 Predicting Transparent Conductors",
    category="Tabular",
    complexity="low",
    prize_usd=5_616,
    dataset_gb=0.00624,
    prepare=prepare,
    submission=RowInOrder(tuple(SAMPLE)),
    metric=mean_column_root_mean_squared_log_error,
    official_sample_score=0.21174,
    faults=(
        Fault("rows are matched by position: ids are ignored"),
        Fault("train and test ids both count from 1"),
    ),
    accepts=frozenset({"foreign_id", "double_id", "renumbered"}),
)
