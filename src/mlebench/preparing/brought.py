"""Files of the raw data that Kaggle does not serve: the user brings them, we find them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from mlebench.errors import DataError

if TYPE_CHECKING:
    from mlebench.catalogue import LocatedCompetition
    from mlebench.definition import Elsewhere


def has_raw(competition: LocatedCompetition) -> bool:
    """Whether `raw/` holds more than what the user had to bring anyway."""
    raw = competition.folder.raw
    brought = {file.name for file in competition.definition.elsewhere}
    return raw.is_dir() and any(child.name not in brought for child in raw.iterdir())


def find_brought(competition: LocatedCompetition, place: Path | None = None) -> dict[str, Path]:
    """Those that lie beside the archive, in the competition's folder or in its `raw/`.

    Args:
        place: the user's own archive or folder.
    """
    folder = competition.folder
    beside = [place if place.is_dir() else place.parent] if place else []
    found: dict[str, Path] = {}
    for file in competition.definition.elsewhere:
        for home in (*beside, folder.home, folder.raw):
            if (home / file.name).is_file():
                found.setdefault(file.name, home / file.name)
    return found


def missing_files(competition: LocatedCompetition, found: dict[str, Path]) -> list[Elsewhere]:
    """Those that nobody has brought yet."""
    return [file for file in competition.definition.elsewhere if file.name not in found]


def not_brought(competition: LocatedCompetition, file: Elsewhere) -> DataError:
    """The reason and the remedy."""
    return DataError(
        f"{file.name}, which {competition.id} needs, is not on Kaggle",
        hint=f"download it from {file.page} and put it beside the archive, into"
        f" {competition.folder.home}",
    )
