"""Revision v1.1: pictures of test items are cleaned while they are written."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from mlebench.preparing.order import read_ids
from mlebench.preparing.pictures import SUFFIXES, clean
from mlebench.preparing.sharing import is_of_test

if TYPE_CHECKING:
    from mlebench.archives.write_log import Clean
    from mlebench.definition import CompetitionDefinition


def cleaner_of_pictures(
    prepared: Path, definition: CompetitionDefinition
) -> Callable[[str], Clean | None]:
    """For the log of a preparation: what changes a file that it is about to write.

    Files of the train part stay as they are: they are links to those of v1.
    """
    ids, skipped = _WrittenIds(prepared, definition), len(f"{prepared}/")

    def find_cleaner(path: str) -> Clean | None:
        if path.rpartition(".")[2].lower() not in SUFFIXES:
            return None
        name = path[skipped:]
        return clean if name.startswith("public/") and is_of_test(name, ids) else None

    return find_cleaner


class _WrittenIds:
    """The ids in the sample submission, as soon as the preparation has written it.

    They are needed where no folder says that a picture is of a test item.
    """

    def __init__(self, prepared: Path, definition: CompetitionDefinition) -> None:
        self.prepared, self.definition = prepared, definition
        self.found: set[bytes] | None = None

    def __contains__(self, name: object) -> bool:
        if self.found is None and (self.prepared / self.definition.sample_submission).is_file():
            self.found = read_ids(self.prepared, self.definition)
        return self.found is not None and name in self.found
