"""Opens the raw data: from the user's archive, `raw/`, the archive on disk, a library, a rehearsal
or a download from Kaggle."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mlebench.archives.raw import Raw, RawFolder, RawPacked
from mlebench.archives.raw_layers import RawLayers
from mlebench.errors import UsageError
from mlebench.preparing.on_disk import find_supplied, has_raw, missing_supplied
from mlebench.preparing.verify import official_checksums
from mlebench.system.files import md5_of

if TYPE_CHECKING:
    from mlebench.catalogue import LocatedCompetition
    from mlebench.preparing.options import OnProgress, PrepareOptions, Rehearsal


@dataclass
class RawSource:
    """The raw data and what the manifest records about it."""

    raw: Raw
    facts: dict[str, Any] = field(default_factory=dict)
    md5: Future[str] | None = None
    """MD5 of the archive, computed while preparation reads it; None if it is not compared."""


@contextmanager
def opened_raw_data(
    competition: LocatedCompetition, options: PrepareOptions, staging: Path, on_progress: OnProgress
) -> Iterator[RawSource]:
    """The raw data of a competition, open for reading."""
    scratch = staging / "scratch"
    scratch.mkdir()
    if options.rehearsal:
        with _opened_rehearsal(competition, options.rehearsal, staging / "raw", scratch) as raw:
            yield RawSource(raw, {"kind": "rehearsal"})
        return
    with _opened_real_data(competition, options, staging, on_progress) as source:
        _add_supplied(competition, source, options.archive, staging / "supplied")
        yield source


@contextmanager
def _opened_rehearsal(
    competition: LocatedCompetition, rehearsal: Rehearsal, made: Path, scratch: Path
) -> Iterator[Raw]:
    """Made in one archive where possible: disks take long to write and remove many files."""
    if competition.pack_rehearsal(made, rehearsal.seed, rehearsal.scale):
        with closing(RawPacked.of_zip(made, scratch)) as packed:
            yield packed
    else:
        made.mkdir()
        competition.make_rehearsal(made, rehearsal.seed, rehearsal.scale)
        yield RawFolder(made, scratch=scratch)


@contextmanager
def _opened_real_data(
    competition: LocatedCompetition, options: PrepareOptions, staging: Path, on_progress: OnProgress
) -> Iterator[RawSource]:
    folder, scratch = competition.folder, staging / "scratch"
    on_disk = folder.archive if folder.archive.is_file() else folder.raw
    place = options.archive or (on_disk if on_disk.is_file() or has_raw(competition) else None)
    if place is None and competition.definition.make_raw:
        made = staging / "raw"
        made.mkdir()
        competition.definition.make_raw(made)
        facts = {"kind": "library", "note": "answers are public: a demonstration"}
        yield RawSource(RawFolder(made, scratch=scratch), facts)
    elif place is not None and place.is_dir():
        facts = {"kind": "folder", "name": place.name}
        yield RawSource(RawFolder(place, scratch=scratch), facts)
    else:
        md5 = None
        if place is None:
            place, md5 = _download(competition, options, on_progress)
        with _opened_archive(place, scratch, md5, is_compared=options.verify) as source:
            if has_raw(competition) and not options.archive:
                source.raw = RawLayers((RawFolder(folder.raw, scratch=scratch), source.raw))
                source.facts["with"] = "raw"
            yield source


def _add_supplied(
    competition: LocatedCompetition, source: RawSource, place: Path | None, copies: Path
) -> None:
    """Let the files supplied by the user replace those of the raw data."""
    found = find_supplied(competition, place)
    in_raw = {e.name for e in competition.definition.elsewhere if (source.raw / e.name).is_file()}
    for error in missing_supplied(competition, found.keys() | in_raw):
        raise error
    if found:
        copies.mkdir()
        for name, path in found.items():
            shutil.copyfile(path, copies / name)
        source.raw = RawLayers((RawFolder(copies, scratch=source.raw.scratch), source.raw))
        # The key is part of the manifest's format.
        source.facts["brought"] = sorted(found)


def _download(
    competition: LocatedCompetition, options: PrepareOptions, on_progress: OnProgress
) -> tuple[Path, str | None]:
    """The downloaded archive and its MD5."""
    from mlebench.kaggle.download import fetch_archive

    # Hours of downloading would be wasted without these files.
    for error in missing_supplied(competition, find_supplied(competition).keys()):
        raise error
    md5 = official_checksums(competition).get("zip") if options.verify else None
    archive = fetch_archive(
        competition.id,
        competition.folder.archive,
        md5=md5,
        on_progress=lambda done, total: on_progress("downloading", done, total),
    )
    return archive.path, archive.md5


@contextmanager
def _opened_archive(
    file: Path, scratch: Path, md5: str | None, *, is_compared: bool
) -> Iterator[RawSource]:
    """The content of an archive, whose MD5 is computed unless it is known."""
    facts = {"kind": "archive", "name": file.name, "size": file.stat().st_size}
    with closing(RawPacked.of_zip(file, scratch)) as raw, ThreadPoolExecutor(1) as pool:
        hashing = pool.submit(lambda: md5 or md5_of(file)) if is_compared else None
        yield RawSource(raw, facts, hashing)


def own_archive(place: Path, competition_id: str, *, is_only: bool) -> Path:
    """The archive or folder of one competition below the path of `--archive`.

    Args:
        is_only: whether no other competition was requested; then a folder may be its raw data.
    """
    if place.is_file() and is_only:
        return place
    inside, name = place / competition_id, f"{competition_id}.zip"
    files = (file for file in (place / name, inside / name) if file.is_file())
    folders = (folder for folder in (inside / "raw", inside) if folder.is_dir())
    if found := next(files, None) or next(folders, None):
        return found
    if place.is_dir() and is_only:
        return place
    if not place.exists():
        raise UsageError(f"{place} does not exist")
    raise UsageError(
        f"{place} has neither {competition_id}.zip nor a folder {competition_id};"
        " one of the two is expected when several competitions are prepared"
    )
