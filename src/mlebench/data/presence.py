"""What of a competition lies on the disk already."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mlebench.data.brought import has_raw
from mlebench.data.drop_in import is_dataset_prepared
from mlebench.data.manifest import read_manifest

if TYPE_CHECKING:
    from mlebench.registry import Competition


def is_prepared(competition: Competition) -> bool:
    """Whether the real data is prepared, by us or by the published package; a rehearsal is not."""
    if not is_dataset_prepared(competition):
        return False
    manifest = read_manifest(competition.folder)
    return manifest is None or not manifest.is_rehearsal


def needs_download(competition: Competition) -> bool:
    """Whether neither prepared data, nor raw data, nor an archive, nor a library has it."""
    folder = competition.folder
    has_archive = folder.archive.is_file()
    has_source = has_archive or has_raw(competition) or competition.declaration.make_raw
    return not (has_source or is_prepared(competition))
