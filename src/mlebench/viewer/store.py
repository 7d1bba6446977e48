"""The saved index: a file in the user's cache folder that makes the next start faster.

Everything in it is read from the runs folder, so a damaged file is ignored and written again.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

import msgspec

from mlebench.records.codec import DAMAGE
from mlebench.system.files import write_atomically
from mlebench.viewer.scan import Group

SCHEMA = 3
MAX_BYTES = 256 << 20


class SavedIndex(msgspec.Struct, frozen=True):
    """The content of the file."""

    groups: tuple[Group, ...]
    schema: int = SCHEMA


def default_cache_dir() -> Path:
    """The viewer's folder in the user's cache folder; it is not created here."""
    import platformdirs

    return Path(platformdirs.user_cache_dir()) / "mle-bench" / "viewer"


def index_file(cache_dir: Path, root: Path) -> Path:
    """One file for each runs folder."""
    return cache_dir / f"{hashlib.sha256(os.fsencode(root)).hexdigest()[:24]}.json"


def load_groups(file: Path) -> dict[str, Group]:
    """The saved groups; none if the file cannot be read."""
    try:
        if file.stat().st_size > MAX_BYTES:
            return {}
        saved = msgspec.json.decode(file.read_bytes(), type=SavedIndex)
    except (OSError, *DAMAGE):
        return {}
    return {group.id: group for group in saved.groups} if saved.schema == SCHEMA else {}


def save_groups(groups: Iterable[Group], file: Path) -> None:
    """Write the file atomically; a failure is ignored, because it is only a cache."""
    data = msgspec.json.encode(SavedIndex(tuple(groups)))
    with suppress(OSError):
        file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        write_atomically(file, data, mode=0o600, is_durable=False)
