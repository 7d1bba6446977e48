"""Published folders of competitions in the user's cache, generated on first use.

A folder is renamed into place as a whole, so that two processes may make it at once, and made
again when the competition has changed since.
"""

from __future__ import annotations

import contextlib
import hashlib
import logging
import shutil
import tempfile
from collections.abc import Iterable
from functools import cache
from pathlib import Path

import platformdirs

from mlebench.catalogue.catalogue import Catalogue
from mlebench.catalogue.layout import published_files, published_ids, write_files
from mlebench.errors import UsageError
from mlebench.version import __version__

STAMP = ".made-from"
LAYOUT = 1
"""Changes when folders made by an older version of this code must be made again."""

log = logging.getLogger(__name__)


def published_competitions(catalogue: Catalogue) -> Path:
    """A folder with one published folder for each of the 82 competitions, and nothing else."""
    return _in_cache(catalogue, published_ids())


def published_folder(catalogue: Catalogue, competition_id: str) -> Path:
    """The published folder of one competition."""
    return _in_cache(catalogue, [competition_id]) / competition_id


def _in_cache(catalogue: Catalogue, competition_ids: list[str]) -> Path:
    """The parent of the folders; a temporary one if the cache is not writable."""
    cache_dir = Path(platformdirs.user_cache_dir()) / "mle-bench" / "published"
    try:
        return _fill(cache_dir / __version__, catalogue, competition_ids)
    except OSError as error:
        problem = error
    try:
        folder = _temporary_dir()
        log.warning("%s cannot be written (%s); using %s instead", cache_dir, problem, folder)
        return _fill(folder, catalogue, competition_ids)
    except OSError as error:
        raise UsageError(
            f"neither the cache folder {cache_dir} nor a temporary folder can be written: {error}",
            hint="set XDG_CACHE_HOME to a folder that you can write to",
        ) from None


@cache
def _temporary_dir() -> Path:
    """One for this process, removed at its end."""
    import atexit

    folder = Path(tempfile.mkdtemp(prefix="mle-bench-published-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def _fill(root: Path, catalogue: Catalogue, competition_ids: Iterable[str]) -> Path:
    known = set(published_ids())
    parent = root
    for competition_id in competition_ids:
        # Keep the 82 published competitions apart from all others.
        parent = root / ("competitions" if competition_id in known else "others")
        stamp, folder = _stamp(catalogue.home_of(competition_id)), parent / competition_id
        if not _is_made_from(folder, stamp):
            files = published_files(catalogue.get_competition(competition_id))
            _put(folder, files | {STAMP: stamp})
    return parent


def _stamp(home: Path) -> str:
    """A digest of everything in the competition's own folder that the files are made from."""
    digest = hashlib.sha256(f"{__version__} {LAYOUT}".encode())
    for file in sorted(home.glob("*.json")) + sorted(home.glob("*.md")) + [home / "competition.py"]:
        digest.update(f"\n{file.name}\n".encode() + file.read_bytes())
    return digest.hexdigest()


def _is_made_from(folder: Path, stamp: str) -> bool:
    try:
        return (folder / STAMP).read_text("utf-8") == stamp
    except OSError:
        return False


def _put(folder: Path, files: dict[str, str]) -> None:
    """Create or replace a folder in one step; if another process was faster, its folder is kept."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent.parent, prefix=".making-") as scratch:
        made, old = Path(scratch) / "new", Path(scratch) / "old"
        write_files(made, files)
        with contextlib.suppress(FileNotFoundError):
            folder.rename(old)
        try:
            made.rename(folder)
        except OSError:
            if not _is_made_from(folder, files[STAMP]):
                raise


def is_made_by_us(file: Path) -> bool:
    """Whether a file belongs to a folder that this module made."""
    return (file.parent / STAMP).is_file()
