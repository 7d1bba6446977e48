"""Compares the disk space that preparing competitions takes with the free space."""

from __future__ import annotations

import heapq
import shutil
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from mlebench.catalogue.sizes import find_data_size
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
UNKNOWN_SIZE = "its size is unknown"


@dataclass(frozen=True)
class Need:
    """Bytes that preparing a competition will write, at most."""

    archive: float
    prepared: float
    is_measured: bool = False
    """Whether both are known from existing files, not estimated."""

    least: float | None = None
    """If only a range is known: its lower end, of both together."""

    why: str = ""
    """Where the figures come from, if they are not measured."""

    @property
    def total(self) -> float:
        return self.archive + self.prepared

    @property
    def share(self) -> float:
        """The lower end of the range as a share of the upper one."""
        return 1.0 if self.least is None or not self.total else self.least / self.total

    def at_least(self) -> Need:
        """The lower end of the range."""
        return Need(self.archive * self.share, self.prepared * self.share)


def disk_checks(
    competitions: Sequence[LocatedCompetition],
    data_dir: Path,
    archive_sizes: Mapping[str, int],
    *,
    keep_raw: bool,
    jobs: int,
) -> list[Check]:
    """One check for each competition, then one for all that fit; `ok` only over known sizes.

    Args:
        archive_sizes: bytes of archives according to Kaggle, if it was asked.
        keep_raw: whether archives are kept after preparation.
        jobs: how many archives may be on disk at once.
    """
    free = free_bytes(data_dir)
    at_peak = partial(peak, keep_raw=keep_raw, jobs=jobs)
    checks: list[Check] = []
    fitting: list[Need] = []
    for competition in competitions:
        need = disk_need(competition, archive_sizes.get(competition.id))
        needs = [one for one in (*fitting, need) if one]
        fits = at_peak([one.at_least() for one in needs]) <= free
        if need and fits:
            fitting.append(need)
        checks.append(_check(competition.id, need, fits=fits, surely=at_peak(needs) <= free))
    left = f"{_figure(free / GB)} GB are free in {data_dir}"
    if not checks:
        return [Check("disk", "ok", left)]
    least = at_peak([need.at_least() for need in fitting]) / GB
    return [*checks, _total(checks, len(fitting), least, at_peak(fitting) / GB, left)]


def free_bytes(place: Path) -> int:
    """Free bytes where a folder is, or will be created."""
    return shutil.disk_usage(nearest_folder(place)).free


def nearest_folder(place: Path) -> Path:
    """A folder, or the nearest one above it that exists."""
    place = place.absolute()
    return next(folder for folder in (place, *place.parents) if folder.exists())


def _check(competition_id: str, need: Need | None, *, fits: bool, surely: bool) -> Check:
    check = partial(Check, "disk", competition_id=competition_id)
    asked = "with credentials, Kaggle states the size of the archive"
    elsewhere = "free some space, or put the data elsewhere: --data-dir"
    if need is None:
        return check("warn", UNKNOWN_SIZE, asked)
    needed = describe_need(need)
    if not fits:
        return check("fail", f"{needed}, more than is free", elsewhere)
    if not surely:
        return check("warn", f"{needed}, perhaps more than is free", elsewhere)
    return check("ok", needed) if need.least is None else check("warn", needed, asked)


def _total(checks: Sequence[Check], fitting: int, least: float, most: float, left: str) -> Check:
    at_most = f"{_figure(most)} GB at most"
    span = f"{_figure(least)} to {_figure(most)} GB" if least < most else at_most
    unknown = sum(check.reason == UNKNOWN_SIZE for check in checks)
    more = f" and {unknown} of unknown size" if unknown else ""
    is_known = not unknown and least == most
    reason = f"{fitting} of {len(checks)} fit and need {span}{more}; {left}"
    return Check("disk", "ok" if is_known else "warn", reason)


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
        why = "size of the archive stated by Kaggle"
        return Need(archive_size, archive_size * expansion * UNPACKED, why=why)
    size = find_data_size(definition)
    if size is None:
        return None
    # The size is that of the unpacked files; the archive is not larger.
    archive = 0 if definition.make_raw else size.high
    least = None if size.is_stated else (size.low / expansion if archive else 0) + size.low
    return Need(archive, size.high * UNPACKED, least=least, why=size.why)


def _unpacked_size(archive: Path) -> int:
    try:
        with zipfile.ZipFile(archive) as opened:
            return sum(member.file_size for member in opened.infolist())
    except (zipfile.BadZipFile, OSError):
        # Preparing will report what is wrong with it; here its packed size is good enough.
        return archive.stat().st_size


def describe_need(need: Need) -> str:
    """`needs about 2.5 GB (archive 1.2, prepared 1.3; stated by Kaggle)`."""
    if not need.total:
        return "prepared already"
    if need.least is not None:
        return f"needs {need.least / GB:,.3f} to {need.total / GB:,.3f} GB ({need.why})"
    parts = f"archive {need.archive / GB:,.3f}, prepared {need.prepared / GB:,.3f}"
    if need.is_measured:
        return f"needs {need.total / GB:,.3f} GB ({parts})"
    return f"needs about {need.total / GB:,.3f} GB ({parts}; {need.why})"


def _figure(gigabytes: float) -> str:
    return f"{gigabytes:,.1f}" if gigabytes >= 1 else f"{gigabytes:.3f}"
