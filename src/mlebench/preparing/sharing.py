"""Two revisions on one disk: equal files of the train part are stored once.

Files of test items are never shared: the order of their inodes would reveal the order of the other
revision.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Collection, Container, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from mlebench.archives.write_log import WriteLog
from mlebench.errors import DataError
from mlebench.preparing.order import read_ids
from mlebench.records.manifest import FileFacts, read_manifest
from mlebench.version import REVISIONS

if TYPE_CHECKING:
    from mlebench.catalogue import LocatedCompetition
    from mlebench.records.folders import CompetitionFolder

LINKED_EARLY = frozenset(
    "7z aif aiff bmp csv dcm flac gif gz jpeg jpg mp3 mp4 npy npz parquet png tar tgz tif tiff txt"
    " wav zip".split()
)
"""Suffixes of files that a preparation may link instead of copying them. No later step changes
them in place: a table that is sorted is written again, and its link removed (`open_output`)."""


class Sharing:
    """The files of other revisions; a preparation links those that are equal to its own."""

    def __init__(self, competition: LocatedCompetition) -> None:
        self.definition = competition.definition
        self.is_later = competition.revision != REVISIONS[0]
        folders = (
            replace(competition.folder, revision=revision)
            for revision in REVISIONS
            if revision != competition.revision
        )
        self.known = {folder.prepared: _hashes(folder) for folder in folders}

    def offer(self, prepared: Path, log: WriteLog) -> None:
        """Let the preparation link files instead of writing equal ones."""
        for other, known in self.known.items():
            for name in known:
                # The sample submission, read later, shows which others belong to test items.
                if name.rpartition(".")[2] in LINKED_EARLY and not is_of_test(name, ()):
                    log.offered[f"{prepared}/{name}"] = known[name], f"{other}/{name}"

    def link(
        self,
        prepared: Path,
        files: Mapping[str, FileFacts],
        log: WriteLog,
        *,
        test_ids: Collection[bytes] | None = None,
    ) -> None:
        """Replace the remaining files that another revision also has with hard links.

        A file that was linked before it was known to belong to a test item becomes a copy.

        Args:
            test_ids: the ids in the sample submission, if they have been read.
        """
        for other, known in self.known.items():
            equal = self._equal_files(files, known)
            if test_ids is None:
                test_ids = read_ids(prepared, self.definition) if equal else set()
            for name, source in equal.items():
                target = f"{prepared}/{name}"
                is_linked = target in log.linked
                if not is_of_test(name, test_ids):
                    if not is_linked:
                        _replace(f"{other}/{source}", target, os.link)
                elif is_linked:
                    _replace(target, target, shutil.copy2)

    def _equal_files(
        self, files: Mapping[str, FileFacts], known: Mapping[str, str]
    ) -> dict[str, str]:
        """The public files that the other revision has, and their names there.

        Only a revision after v1 looks for other names: its train files may be test files of v1,
        but links of its own test files would reveal which of them are in the train part of v1.
        """
        names = {digest: name for name, digest in known.items()} if self.is_later else {}
        found = {}
        for name in files:
            digest = files[name]["sha256"]
            source = name if known.get(name) == digest else names.get(digest)
            if source and name.startswith("public/"):
                found[name] = source
        return found


def _hashes(folder: CompetitionFolder) -> dict[str, str]:
    """The SHA-256 of the public files by name, without empty ones, which take no space."""
    try:
        manifest = read_manifest(folder)
    except DataError:
        return {}
    return {
        name: facts["sha256"]
        for name, facts in (manifest.files if manifest else {}).items()
        if name.startswith("public/") and facts["size"]
    }


def is_of_test(name: str, test_ids: Container[bytes]) -> bool:
    """Whether a public file belongs to a test item, by the folders and ids in its path.

    In one of the train part or for validation it does not, although the items of all of them may
    be numbered from 0.
    """
    *folders, file = name.encode(errors="surrogateescape").split(b"/")[1:]
    if file[:4].lower() == b"test" or any(part[:4].lower() == b"test" for part in folders):
        return True
    if any(part.lower().startswith((b"train", b"val")) for part in folders):
        return False
    return any(part in test_ids or part.partition(b".")[0] in test_ids for part in (*folders, file))


def _replace(source: str, target: str, make: Callable[[str, str], object]) -> None:
    """Put a link or copy of the source in the place of the target."""
    place = f"{target}.new"
    try:
        make(source, place)
    except OSError:
        # Another file system, or one without links.
        return
    os.replace(place, target)  # noqa: PTH105 (strings: there may be millions of files)
