"""Functions that programs written for the published package call; each points into a room.

Everything is imported inside, since every use of `mlebench.data` loads this file.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mlebench.registry import Competition
    from mlebench.tables.frames import Frame

CHECKED_KINDS = ("csv", "json", "jsonl", "parquet", "bson")

log = logging.getLogger(__name__)


def download_and_prepare_dataset(
    competition: Competition,
    keep_raw: bool = True,
    overwrite_checksums: bool = False,
    overwrite_leaderboard: bool = False,
    skip_verification: bool = False,
) -> None:
    """Make a competition ready for use; what is there already is not fetched or made again.

    Args:
        overwrite_checksums: as `skip_verification`; the official checksums are never changed.
    """
    from mlebench.preparing.prepare import PrepareOptions, ensure_prepared

    ensure_leaderboard_exists(competition, force=overwrite_leaderboard)
    verify = not (skip_verification or overwrite_checksums)
    ensure_prepared(competition, PrepareOptions(keep_raw=keep_raw, verify=verify))


def is_dataset_prepared(competition: Competition, grading_only: bool = False) -> bool:
    """Whether everything is there to run agents on a competition, or just to grade them."""
    from mlebench.preparing.on_disk import has_prepared_files

    return has_prepared_files(competition, grading_only=grading_only)


def get_leaderboard(competition: Competition) -> Frame:
    """The human board as a table with a column `score`, best first."""
    return competition.load_leaderboard().frame()


def ensure_leaderboard_exists(competition: Competition, force: bool = False) -> Path:
    """The file that holds the board; fetched from Kaggle if there is none, or if asked."""
    if force or not competition.leaderboard.exists():
        from mlebench.kaggle.leaderboards import download_leaderboard

        return download_leaderboard(competition).path
    return competition.leaderboard


def download_dataset(
    competition_id: str, download_dir: Path, quiet: bool = False, force: bool = False
) -> Path:
    """Fetch the archive of any competition on Kaggle into a folder.

    Args:
        force: also when it lies there already.
    """
    from mlebench.kaggle.download import fetch_archive

    target = Path(download_dir) / f"{competition_id}.zip"
    if not (force and target.exists()):
        fetch_archive(competition_id, target)
    else:
        # The old one goes when the new one is whole.
        fetch_archive(competition_id, target.with_suffix(".new.zip")).path.replace(target)
    if not quiet:
        log.info("downloaded %s", target)
    return target


def get_checksum(fpath: Path) -> str:
    """The MD5 of a file."""
    with Path(fpath).open("rb") as stream:
        return hashlib.file_digest(stream, "md5").hexdigest()


def generate_checksums(
    target_dir: Path, exts: Iterable[str] | None = None, exclude: Iterable[Path] | None = None
) -> dict[str, Any]:
    """MD5 of the data files directly inside a folder, by name.

    Args:
        exts: kinds of files, as in `csv`; tables where nothing is said.
    """
    kinds = {kind.lstrip(".").lower() for kind in exts or CHECKED_KINDS}
    left_out = {Path(path).resolve() for path in exclude or ()}
    return {
        file.name: get_checksum(file)
        for file in sorted(Path(target_dir).iterdir())
        if file.is_file() and file.suffix[1:].lower() in kinds and file.resolve() not in left_out
    }
