"""One of four archives of labelled recordings is the test set; all archives stay as they are."""

from __future__ import annotations

import random
import tarfile
from collections.abc import Iterable
from pathlib import Path, PurePosixPath

from mlebench.archives.copying import copy_file, copy_files
from mlebench.archives.raw import Raw
from mlebench.tables import read_table, write_table

LABELLED = "training{}.tar.gz"
COPIED = (
    *(f"validation{part}.tar.gz" for part in (1, 2, 3)),
    "devel01-40.7z",
    "valid_all_files_combined.7z",
    "sample_code_mmrgc.zip",
)
SIGNS = range(1, 21)


def prepare(raw: Raw, public: Path, private: Path) -> None:
    archive = raw / LABELLED.format(4)
    write_all_but_test(raw, public, private, ids=recorded_ids(archive))
    copy_file(archive, public / "test.tar.gz")


def write_all_but_test(
    raw: Raw, public: Path, private: Path, *, ids: list[str], test_part: int = 4
) -> None:
    """Tables and archives of recordings, except that of the test recordings."""
    import pandas as pd

    rows = read_table(raw / "training.csv", dtype=str)
    is_test = rows["Id"].isin(ids)
    write_table(rows[~is_test], public / "training.csv")
    write_table(rows[is_test], private / "test.csv")
    test = pd.DataFrame({"Id": ids})
    write_table(test, public / "test.csv")
    draw = random.Random(0)
    guesses = [" ".join(map(str, draw.sample(SIGNS, len(SIGNS)))) for _ in ids]
    write_table(test.assign(Sequence=guesses), public / "randomPredictions.csv")
    names = (*(LABELLED.format(part) for part in range(1, test_part)), *COPIED)
    copy_files({name: raw / name for name in names}, public)


def recorded_ids(archive: Raw) -> list[str]:
    """The last four digits of each recording in an archive, without unpacking it."""
    with archive.open() as stream, tarfile.open(fileobj=stream, mode="r|gz") as members:
        return ids_of(member.name for member in members)


def ids_of(members: Iterable[str]) -> list[str]:
    names = map(PurePosixPath, members)
    return sorted(
        name.stem[-4:] for name in names if name.suffix == ".zip" and len(name.parts) == 1
    )
