"""The saved index: a file in the user's cache folder that makes the next start faster.

Everything in it is read from the runs folder, so a damaged file is ignored and written again.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

from mlebench.system.files import write_atomically
from mlebench.viewer.rows import Row
from mlebench.viewer.scan import Group

SCHEMA = 3
MAX_BYTES = 256 << 20


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
        data = json.loads(file.read_bytes())
        if data["schema"] != SCHEMA:
            return {}
        return {g["id"]: _group(g) for g in data["groups"]}
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return {}


def _group(data: dict[str, Any]) -> Group:
    planned = [
        (str(run_id), str(competition), int(seed)) for run_id, competition, seed in data["planned"]
    ]
    rows = [Row(*row) for row in data["rows"]]
    if any(not isinstance(row.outcome, str) or len(row.outcome) != 1 for row in rows):
        raise ValueError("a row without an outcome")
    facts = dict(data["facts"])
    return Group(str(data["id"]), list(data["mark"]), facts, planned, rows, dict(data["keys"]))


def save_groups(groups: Iterable[Group], file: Path) -> None:
    """Write the file atomically; a failure is ignored, because it is only a cache."""
    data = {"schema": SCHEMA, "groups": [vars(group) for group in groups]}
    with suppress(OSError):
        file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        text = json.dumps(data, separators=(",", ":"))
        write_atomically(file, text, mode=0o600, is_durable=False)
