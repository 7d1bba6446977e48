"""Finds what is on disk: prepared data, raw data, files that the user supplies.

Some competitions need a file that Kaggle does not serve; the user downloads it from its own page.
"""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING

from mlebench.errors import DataError
from mlebench.records.manifest import read_manifest

if TYPE_CHECKING:
    from mlebench.catalogue import LocatedCompetition


def has_prepared_files(competition: LocatedCompetition) -> bool:
    """Whether all files exist that are needed to run agents and to grade them."""
    files = (competition.answers, competition.gold_submission, competition.sample_submission)
    public = competition.public_dir
    return all(map(Path.is_file, files)) and public.is_dir() and any(public.iterdir())


def is_prepared(competition: LocatedCompetition) -> bool:
    """Whether the real data is prepared, by us or by the published package; a rehearsal is not."""
    if not has_prepared_files(competition):
        return False
    manifest = read_manifest(competition.folder)
    return manifest is None or not manifest.is_rehearsal


def has_raw(competition: LocatedCompetition) -> bool:
    """Whether `raw/` contains more than the files that the user must always supply."""
    raw = competition.folder.raw
    supplied = {file.name for file in competition.definition.elsewhere}
    return raw.is_dir() and any(child.name not in supplied for child in raw.iterdir())


def needs_download(competition: LocatedCompetition) -> bool:
    """Whether no prepared data, raw data, archive or library provides the data."""
    has_archive = competition.folder.archive.is_file()
    has_source = has_archive or has_raw(competition) or competition.definition.make_raw
    return not (has_source or is_prepared(competition))


def find_supplied(competition: LocatedCompetition, place: Path | None = None) -> dict[str, Path]:
    """The files supplied by the user, by name.

    It looks next to the user's own archive, in the competition's folder and in its `raw/`.

    Args:
        place: the user's own archive or folder.
    """
    folder = competition.folder
    beside = [place if place.is_dir() else place.parent] if place else []
    found: dict[str, Path] = {}
    for file in competition.definition.elsewhere:
        for home in (*beside, folder.path, folder.raw):
            if (home / file.name).is_file():
                found.setdefault(file.name, home / file.name)
    return found


def missing_supplied(competition: LocatedCompetition, found: Collection[str]) -> list[DataError]:
    """For each missing file that the user must supply: its name and where to get it."""
    return [
        DataError(
            f"{file.name}, which {competition.id} needs, is not on Kaggle",
            hint=f"download it from {file.page} and put it next to the archive, into"
            f" {competition.folder.path}",
        )
        for file in competition.definition.elsewhere
        if file.name not in found
    ]
