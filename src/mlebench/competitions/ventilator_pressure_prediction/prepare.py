"""One table of time series, split by breath and renumbered."""

from pathlib import Path

from mlebench.archives.raw import Raw
from mlebench.tables import read_table, split_sorted_groups, write_table

TYPES = {
    "id": "int32",
    "breath_id": "int32",
    "R": "int8",
    "C": "int8",
    "time_step": "float64",
    "u_in": "float64",
    "u_out": "int8",
    "pressure": "float64",
}
TEN_DIGITS = "%.10g"


def prepare(raw: Raw, public: Path, private: Path) -> None:
    parts = split_sorted_groups(
        read_table(raw / "train.csv", dtype=TYPES), "breath_id", test_size=0.1
    )
    train, test = (part.assign(id=range(1, len(part) + 1)) for part in parts)
    write_table(train, public / "train.csv", float_format=TEN_DIGITS)
    write_table(test.drop(columns="pressure"), public / "test.csv", float_format=TEN_DIGITS)
    write_table(test, private / "test.csv", float_format=TEN_DIGITS)
    write_table(test[["id"]].assign(pressure=0), public / "sample_submission.csv")
