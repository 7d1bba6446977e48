"""A new competition: the files of a working one, with the id filled in."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from mlebench.catalogue import Catalogue, folder_name
from mlebench.catalogue.loading import ID_PATTERN
from mlebench.errors import UsageError
from mlebench.system.files import atomic_folder

TEMPLATES = Path(__file__).parent / "templates"
Example = Literal["table", "images"]


def write_skeleton(competition_id: str, folder: Path, *, example: Example = "table") -> Path:
    """Write the folder of a new competition in one step; returns its path.

    Args:
        example: a table with a metric of ours, or images with a metric of the competition's own.
    """
    if not ID_PATTERN.fullmatch(competition_id):
        raise UsageError(
            f"{competition_id[:80]!r} is not a valid id; expected letters, digits and hyphens"
        )
    if competition_id in Catalogue().list_competition_ids():
        raise UsageError(f"{competition_id} exists already")
    home = folder / folder_name(competition_id)
    if home.exists():
        raise UsageError(f"{home} exists already; nothing was changed")
    try:
        with atomic_folder(home) as staging:
            for part in ("common", example):
                for template in sorted((TEMPLATES / part).iterdir()):
                    _fill(template, staging, competition_id)
    except OSError as error:
        raise UsageError(f"{home} cannot be written: {error.strerror}") from None
    return home


def _fill(template: Path, goal: Path, competition_id: str) -> None:
    text = template.read_text("utf-8").replace("{id}", competition_id)
    text = text.replace("{title}", competition_id.replace("-", " ").capitalize())
    name = template.name.removesuffix(".in").replace("FOLDER", folder_name(competition_id))
    (goal / name).write_text(text, "utf-8")
