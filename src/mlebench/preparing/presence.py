"""What of a competition lies on the disk already."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mlebench.preparing.brought import has_raw
from mlebench.records.manifest import read_manifest

if TYPE_CHECKING:
    from mlebench.catalogue import LocatedCompetition


def has_prepared_files(competition: LocatedCompetition, *, grading_only: bool = False) -> bool:
    """Whether everything is there to run agents on a competition, or just to grade them."""
    needed = [competition.answers, competition.gold_submission]
    if not grading_only:
        needed.append(competition.sample_submission)
    if not all(file.is_file() for file in needed):
        return False
    public = competition.public_dir
    return grading_only or (public.is_dir() and any(public.iterdir()))


def is_prepared(competition: LocatedCompetition) -> bool:
    """Whether the real data is prepared, by us or by the published package; a rehearsal is not."""
    if not has_prepared_files(competition):
        return False
    manifest = read_manifest(competition.folder)
    return manifest is None or not manifest.is_rehearsal


def needs_download(competition: LocatedCompetition) -> bool:
    """Whether neither prepared data, nor raw data, nor an archive, nor a library has it."""
    folder = competition.folder
    has_archive = folder.archive.is_file()
    has_source = has_archive or has_raw(competition) or competition.definition.make_raw
    return not (has_source or is_prepared(competition))
