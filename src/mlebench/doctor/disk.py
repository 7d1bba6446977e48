"""Compares the disk space that preparing competitions takes with the free space."""

from __future__ import annotations

import heapq
import shutil
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from mlebench.doctor.check import Check
from mlebench.preparing.on_disk import is_prepared
from mlebench.records.manifest import walk_files

if TYPE_CHECKING:
    from mlebench.catalogue import LocatedCompetition

GB = 1e9
UNPACKED = 1.15
"""Prepared data and scratch space, as a multiple of the unpacked archive."""

EXPANSION = {"Tabular": 4.0, "Text": 4.0, "Forecasting": 4.0, "Seq": 4.0, "Training": 4.0}
"""Unpacked size as a multiple of the archive's, by the category's first word."""

EXPANSION_OF_MEDIA = 1.2


@dataclass(frozen=True)
class Need:
    """Bytes that preparing a competition will write."""

    archive: float
    prepared: float
    is_measured: bool
    """Whether both are known from existing files or from Kaggle, not estimated."""

    @property
    def total(self) -> float:
        return self.archive + self.prepared


def disk_checks(
    competitions: Sequence[LocatedCompetition],
    data_dir: Path,
    archive_sizes: Mapping[str, int],
    *,
    keep_raw: bool,
    jobs: int,
) -> list[Check]:
    """One check for each competition, then one for all that fit.

    Args:
        archive_sizes: bytes of archives according to Kaggle, if it was asked.
        keep_raw: whether archives are kept after preparation.
        jobs: how many archives may be on disk at once.
    """
    place = data_dir.absolute()
    existing = next(folder for folder in (place, *place.parents) if folder.exists())
    free = shutil.disk_usage(existing).free
    checks: list[Check] = []
    fitting: list[Need] = []
    for competition in competitions:
        need = disk_need(competition, archive_sizes.get(competition.id))
        if need is None:
            remedy = "with credentials, Kaggle states the size of the archive"
            found = Check("disk", "warn", "its size is unknown", remedy, competition.id)
        elif peak([*fitting, need], keep_raw=keep_raw, jobs=jobs) <= free:
            fitting.append(need)
            found = Check("disk", "ok", _reason(need), competition_id=competition.id)
        else:
            reason = f"{_reason(need)}, more than is free"
            remedy = "free some space, or put the data elsewhere: --data-dir"
            found = Check("disk", "fail", reason, remedy, competition.id)
        checks.append(found)
    wanted = peak(fitting, keep_raw=keep_raw, jobs=jobs) / GB
    fit = f"{len(fitting)} of {len(competitions)} fit and need {wanted:,.1f} GB at most; "
    left = f"{free / GB:,.1f} GB are free in {data_dir}"
    return [*checks, Check("disk", "ok", (fit if competitions else "") + left)]


def peak(needs: Sequence[Need], *, keep_raw: bool, jobs: int) -> float:
    """The most bytes that are on disk at any time."""
    archives = [need.archive for need in needs]
    at_once = sum(archives) if keep_raw else sum(heapq.nlargest(jobs, archives))
    return at_once + sum(need.prepared for need in needs)


def disk_need(competition: LocatedCompetition, archive_size: int | None) -> Need | None:
    """What preparing will write; None if it cannot even be estimated."""
    folder, definition = competition.folder, competition.definition
    if is_prepared(competition):
        return Need(0, 0, is_measured=True)
    if folder.raw.is_dir():
        unpacked = sum(file.stat().st_size for file in walk_files(folder.raw))
        return Need(0, unpacked * UNPACKED, is_measured=True)
    if folder.archive.is_file():
        return Need(0, _unpacked_size(folder.archive) * UNPACKED, is_measured=True)
    expansion = EXPANSION.get(definition.category.split()[0].split("-")[0], EXPANSION_OF_MEDIA)
    if archive_size is not None:
        return Need(archive_size, archive_size * expansion * UNPACKED, is_measured=False)
    if definition.dataset_gb is None:
        return None
    size = definition.dataset_gb * GB
    archive = 0 if definition.make_raw else size
    return Need(archive, size * expansion * UNPACKED, is_measured=False)


def _unpacked_size(archive: Path) -> int:
    try:
        with zipfile.ZipFile(archive) as opened:
            return sum(member.file_size for member in opened.infolist())
    except (zipfile.BadZipFile, OSError):
        # Preparing will report what is wrong with it; here its packed size is good enough.
        return archive.stat().st_size


def _reason(need: Need) -> str:
    if not need.total:
        return "prepared already"
    parts = f"archive {need.archive / GB:,.3f}, prepared {need.prepared / GB:,.3f}"
    about = "" if need.is_measured else "about "
    return f"needs {about}{need.total / GB:,.3f} GB ({parts})"
