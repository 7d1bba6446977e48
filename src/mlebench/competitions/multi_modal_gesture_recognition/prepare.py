"""One of four archives of labelled recordings is the test set; all archives stay as they are."""

from __future__ import annotations

import random
import tarfile
from collections.abc import Callable
from pathlib import Path, PurePosixPath

from mlebench.archives.copying import copy_file, copy_files
from mlebench.archives.raw import Raw
from mlebench.tables import read_table, write_table

TEST_ARCHIVE = "training4.tar.gz"
COPIED = (
    *(f"training{part}.tar.gz" for part in (1, 2, 3)),
    *(f"validation{part}.tar.gz" for part in (1, 2, 3)),
    "devel01-40.7z",
    "valid_all_files_combined.7z",
    "sample_code_mmrgc.zip",
)
SIGNS = range(1, 21)


def prepare(
    raw: Raw,
    public: Path,
    private: Path,
    *,
    write_test: Callable[[Raw, Path], None] = copy_file,
) -> None:
    import pandas as pd

    ids = recorded_ids(raw / TEST_ARCHIVE)
    rows = read_table(raw / "training.csv", dtype=str)
    is_test = rows["Id"].isin(ids)
    write_table(rows[~is_test], public / "training.csv")
    write_table(rows[is_test], private / "test.csv")
    test = pd.DataFrame({"Id": ids})
    write_table(test, public / "test.csv")
    draw = random.Random(0)
    guesses = [" ".join(map(str, draw.sample(SIGNS, len(SIGNS)))) for _ in ids]
    write_table(test.assign(Sequence=guesses), public / "randomPredictions.csv")
    copy_files({name: raw / name for name in COPIED}, public)
    write_test(raw / TEST_ARCHIVE, public / "test.tar.gz")


def recorded_ids(archive: Raw) -> list[str]:
    """The last four digits of each recording in an archive, without unpacking it."""
    with archive.open() as stream, tarfile.open(fileobj=stream, mode="r|gz") as members:
        names = [PurePosixPath(member.name) for member in members]
    return sorted(
        name.stem[-4:] for name in names if name.suffix == ".zip" and len(name.parts) == 1
    )
