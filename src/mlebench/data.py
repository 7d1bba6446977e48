"""What importers of the published package expect in `mlebench.data`."""

from __future__ import annotations

import hashlib
import inspect
import logging
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd

    from mlebench.registry import Competition

CHECKED_KINDS = ("csv", "json", "jsonl", "parquet", "bson")

log = logging.getLogger(__name__)


def download_and_prepare_dataset(
    competition: Competition,
    keep_raw: bool = True,
    overwrite_checksums: bool = False,
    overwrite_leaderboard: bool = False,
    skip_verification: bool = False,
) -> None:
    """Make a competition ready for use; prepared data, real or synthetic, is left as it is.

    Args:
        overwrite_checksums: same as `skip_verification`; official checksums are never changed.
    """
    from mlebench.catalogue.given import locate
    from mlebench.preparing.prepare import PrepareOptions, ensure_prepared

    ensure_leaderboard_exists(competition, force=overwrite_leaderboard)
    if is_dataset_prepared(competition):
        return
    verify = not (skip_verification or overwrite_checksums)
    ensure_prepared(locate(competition), PrepareOptions(keep_raw=keep_raw, verify=verify))


def create_prepared_dir(competition: Competition) -> None:
    """Make the public and the private folder."""
    Path(competition.public_dir).mkdir(parents=True, exist_ok=True)
    Path(competition.private_dir).mkdir(parents=True, exist_ok=True, mode=0o700)


def is_valid_prepare_fn(preparer_fn: Any) -> bool:
    """Whether a function has exactly the parameters raw, public and private."""
    try:
        names = list(inspect.signature(preparer_fn).parameters)
    except (TypeError, ValueError):
        return False
    return names == ["raw", "public", "private"]


def is_dataset_prepared(competition: Competition, grading_only: bool = False) -> bool:
    """Whether everything is there to run agents on a competition.

    Args:
        grading_only: only the answers have to be there.
    """
    if grading_only:
        return Path(competition.answers).is_file()
    needed = (competition.answers, competition.sample_submission)
    public = Path(competition.public_dir)
    has_files = all(Path(file).is_file() for file in needed)
    return has_files and public.is_dir() and any(public.iterdir())


def get_leaderboard(competition: Competition) -> pd.DataFrame:
    """The human board as a table with a column `score`, best first."""
    from mlebench.utils import read_csv

    board: pd.DataFrame = read_csv(ensure_leaderboard_exists(competition))
    return board


def ensure_leaderboard_exists(competition: Competition, force: bool = False) -> Path:
    """The file of the leaderboard; downloaded from Kaggle if there is none, or with `force`."""
    from mlebench.catalogue.given import locate

    located = locate(competition)
    if force or not located.leaderboard.is_file():
        from mlebench.kaggle.leaderboards import download_leaderboard

        return download_leaderboard(located).path
    return located.leaderboard


def download_dataset(
    competition_id: str, download_dir: Path, quiet: bool = False, force: bool = False
) -> Path:
    """Fetch the archive of any competition on Kaggle into a folder.

    Args:
        force: even if the file exists.
    """
    from mlebench.kaggle.download import fetch_archive

    target = Path(download_dir) / f"{competition_id}.zip"
    if not (force and target.exists()):
        fetch_archive(competition_id, target)
    else:
        # Replace the old file only when the new one is complete.
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
        exts: kinds of files, as in `csv`; by default tables.
    """
    kinds = {kind.lstrip(".").lower() for kind in exts or CHECKED_KINDS}
    left_out = {Path(path).resolve() for path in exclude or ()}
    return {
        file.name: get_checksum(file)
        for file in sorted(Path(target_dir).iterdir())
        if file.is_file() and file.suffix[1:].lower() in kinds and file.resolve() not in left_out
    }
