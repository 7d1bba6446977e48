"""New competitions and agents: the files of a working one, with the name filled in."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

from mlebench.catalogue import Catalogue, folder_name
from mlebench.catalogue.loading import ID_PATTERN
from mlebench.errors import UsageError
from mlebench.system.files import atomic_folder

HERE = Path(__file__).parent
AGENT_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}")
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
    filled = {
        "{id}": competition_id,
        "{title}": competition_id.replace("-", " ").capitalize(),
        "{folder}": folder_name(competition_id),
    }
    return _write(folder / folder_name(competition_id), HERE / "templates", example, filled)


def write_agent_skeleton(name: str, folder: Path, *, with_model: bool) -> Path:
    """Write the folder of a new agent in one step; returns its path."""
    if not AGENT_NAME.fullmatch(name):
        raise UsageError(
            f"{name[:80]!r} is not a valid name; expected letters, digits, hyphens, dots and _"
        )
    kind = "llm" if with_model else "plain"
    return _write(folder / name, HERE / "agent_templates", kind, {"{name}": name})


def _write(home: Path, templates: Path, kind: str, filled: Mapping[str, str]) -> Path:
    """Fill in the names and contents of the common templates and of those of one kind."""
    if home.exists():
        raise UsageError(f"{home} exists already; nothing was changed")
    try:
        with atomic_folder(home) as staging:
            for template in (*(templates / "common").iterdir(), *(templates / kind).iterdir()):
                name, text = template.name.removesuffix(".in"), template.read_text("utf-8")
                for mark, value in filled.items():
                    name, text = name.replace(mark, value), text.replace(mark, value)
                (staging / name).write_text(text, "utf-8")
    except OSError as error:
        raise UsageError(f"{home} cannot be written: {error.strerror}") from None
    return home
