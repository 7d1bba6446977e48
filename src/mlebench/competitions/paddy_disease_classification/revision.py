"""Revision v1.1: the test part is drawn by the names of the images."""

from pathlib import Path

from mlebench.archives.raw import Raw
from mlebench.competitions.paddy_disease_classification.competition import rows, write
from mlebench.recipes.hashes import split_by_hash
from mlebench.revision import Changes, Fix
from mlebench.tables import read_table


def prepare(raw: Raw, public: Path, private: Path, *, test_size: float = 0.25) -> None:
    # By name: the order of the source tells the disease.
    table = read_table(raw / "train.csv").sort_values(rows.id, kind="stable")
    write(raw, split_by_hash(table, rows.id, test_size=test_size), public, private)


changes = Changes(
    fixes=(
        Fix(
            "a public seed shuffles a table that is sorted by disease, so membership and order of"
            " the test images tell the disease",
            "test images are drawn by the hashes of their names, and both tables are sorted by"
            " name",
        ),
    ),
    comparability="new",
    prepare=prepare,
)
