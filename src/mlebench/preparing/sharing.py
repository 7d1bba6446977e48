"""Two revisions on one disk: equal files of the train part are stored once.

Files of test items stay apart: the order of their inodes would tell the order of the other
revision.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from mlebench.errors import DataError
from mlebench.preparing.order import read_rows
from mlebench.records.manifest import FileFacts, Manifest, read_manifest
from mlebench.version import REVISIONS

if TYPE_CHECKING:
    from mlebench.catalogue import LocatedCompetition
    from mlebench.records.folders import CompetitionFolder

SMALLEST = 4096
"""Bytes; a smaller file takes no less space as a link."""


def share_files(
    competition: LocatedCompetition, prepared: Path, files: Mapping[str, FileFacts]
) -> int:
    """Replace files that another revision has, too, with hard links; returns how many."""
    test_ids = _test_ids(competition, prepared)
    count = 0
    for folder in _other_revisions(competition):
        try:
            manifest = read_manifest(folder)
        except DataError:
            continue
        known = _hashes(manifest) if manifest else {}
        for name, digest in known.items():
            is_equal = name in files and files[name]["sha256"] == digest
            if is_equal and not is_of_test(name, test_ids):
                count += _link(folder.prepared / name, prepared / name)
    return count


def _hashes(manifest: Manifest) -> dict[str, str]:
    """The SHA-256 of the public files that are worth sharing, by name."""
    return {
        name: facts["sha256"]
        for name, facts in manifest.files.items()
        if name.startswith("public/") and facts["size"] >= SMALLEST
    }


def is_of_test(name: str, test_ids: Collection[str]) -> bool:
    """Whether a public file belongs to a test item, by the folders and ids in its path."""
    parts = PurePosixPath(name).parts[1:]
    return any(
        part.lower().startswith("test") or part in test_ids or part.split(".")[0] in test_ids
        for part in parts
    )


def _test_ids(competition: LocatedCompetition, prepared: Path) -> set[str]:
    definition = competition.definition
    sample = prepared / definition.sample_submission
    header, rows = read_rows(sample) if sample.is_file() else ([], [])
    if definition.submission.id not in header:
        return set()
    place = header.index(definition.submission.id)
    return {row[place] for row in rows}


def _other_revisions(competition: LocatedCompetition) -> Iterator[CompetitionFolder]:
    for revision in REVISIONS:
        if revision != competition.revision:
            yield replace(competition.folder, revision=revision)


def _link(source: Path, target: Path) -> bool:
    """Whether the target is now a link to the source, whose bytes are the same."""
    place = target.with_name(f"{target.name}.link")
    try:
        place.hardlink_to(source)
    except OSError:
        # Another file system, or one without links.
        return False
    os.replace(place, target)  # noqa: PTH105 (a rename that replaces)
    return True
