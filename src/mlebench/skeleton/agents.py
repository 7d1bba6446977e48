"""A new agent: the files of one that runs at once, with its name filled in."""

from __future__ import annotations

import re
from pathlib import Path

from mlebench.errors import UsageError
from mlebench.system.files import atomic_folder

TEMPLATES = Path(__file__).parent / "agent_templates"
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}")


def write_agent_skeleton(name: str, folder: Path, *, with_model: bool) -> Path:
    """Write the folder of a new agent in one step; returns its path."""
    if not NAME.fullmatch(name):
        raise UsageError(
            f"{name[:80]!r} is not a valid name; expected letters, digits, hyphens, dots and _"
        )
    home = folder / name
    if home.exists():
        raise UsageError(f"{home} exists already; nothing was changed")
    kinds = ("common", "llm" if with_model else "plain")
    try:
        with atomic_folder(home) as staging:
            for template in (file for kind in kinds for file in (TEMPLATES / kind).iterdir()):
                text = template.read_text("utf-8").replace("{name}", name)
                (staging / template.name.removesuffix(".in")).write_text(text, "utf-8")
    except OSError as error:
        raise UsageError(f"{home} cannot be written: {error.strerror}") from None
    return home
