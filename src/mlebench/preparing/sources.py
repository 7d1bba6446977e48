"""Where raw data comes from: the user, `raw/`, the archive, a library, a rehearsal, Kaggle."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mlebench.archives.raw import Raw, RawFolder, RawPacked
from mlebench.archives.raw_layers import RawLayers
from mlebench.errors import UsageError
from mlebench.preparing.brought import find_brought, has_raw, missing_files, not_brought

if TYPE_CHECKING:
    from mlebench.catalogue import LocatedCompetition
    from mlebench.preparing.options import PrepareOptions, Rehearsal, Report


@dataclass
class Source:
    """The raw data and what the manifest says of it."""

    raw: Raw
    facts: dict[str, Any] = field(default_factory=dict)
    md5: Future[str] | None = None
    """Of the archive, computed while preparation reads it; nothing where nobody will compare it."""


@contextmanager
def opened_source(
    competition: LocatedCompetition, options: PrepareOptions, staging: Path, report: Report
) -> Iterator[Source]:
    """The raw data of a competition, open for reading."""
    scratch = staging / "scratch"
    scratch.mkdir()
    if options.rehearsal:
        yield _made_up(competition, options.rehearsal, staging / "raw", scratch)
        return
    place = options.archive or _place(competition)
    with _opened_place(competition, options, place, staging, report) as source:
        _add_brought(competition, source, options.archive, staging / "brought")
        yield source


@contextmanager
def _opened_place(
    competition: LocatedCompetition,
    options: PrepareOptions,
    place: Path | None,
    staging: Path,
    report: Report,
) -> Iterator[Source]:
    folder, scratch = competition.folder, staging / "scratch"
    if place is None and competition.definition.make_raw:
        made = staging / "raw"
        made.mkdir()
        competition.definition.make_raw(made)
        facts = {"kind": "library", "note": "answers are public: a demonstration"}
        yield Source(RawFolder(made, scratch=scratch), facts)
    elif place is not None and place.is_dir():
        facts = {"kind": "folder", "name": place.name}
        yield Source(RawFolder(place, scratch=scratch), facts)
    else:
        file = place or _downloaded(competition, options, report)
        with _archive(file, scratch, is_compared=options.verify) as source:
            if has_raw(competition) and not options.archive:
                source.raw = RawLayers((RawFolder(folder.raw, scratch=scratch), source.raw))
                source.facts["with"] = "raw"
            yield source


def _add_brought(
    competition: LocatedCompetition, source: Source, place: Path | None, brought: Path
) -> None:
    """Lay what the user brought over the raw data."""
    found = find_brought(competition, place)
    for file in missing_files(competition, found):
        if not (source.raw / file.name).is_file():
            raise not_brought(competition, file)
    if found:
        brought.mkdir()
        for name, path in found.items():
            shutil.copyfile(path, brought / name)
        source.raw = RawLayers((RawFolder(brought, scratch=source.raw.scratch), source.raw))
        source.facts["brought"] = sorted(found)


def _made_up(
    competition: LocatedCompetition, rehearsal: Rehearsal, made: Path, scratch: Path
) -> Source:
    made.mkdir()
    competition.make_rehearsal(made, rehearsal.seed, rehearsal.scale)
    return Source(RawFolder(made, scratch=scratch), {"kind": "rehearsal"})


def _place(competition: LocatedCompetition) -> Path | None:
    """What lies in the competition's folder."""
    folder = competition.folder
    if folder.archive.is_file():
        return folder.archive
    return folder.raw if has_raw(competition) else None


def _downloaded(competition: LocatedCompetition, options: PrepareOptions, report: Report) -> Path:
    from mlebench.kaggle.download import download_archive

    # Told before hours of downloading, not after.
    for file in missing_files(competition, find_brought(competition)):
        raise not_brought(competition, file)

    def progress(done: int, total: int) -> None:
        report("downloading", done, total)

    return download_archive(competition, progress, verify=options.verify)


@contextmanager
def _archive(file: Path, scratch: Path, *, is_compared: bool) -> Iterator[Source]:
    raw = RawPacked.of_zip(file, scratch)
    facts = {"kind": "archive", "name": file.name, "size": file.stat().st_size}
    with ThreadPoolExecutor(1) as pool:
        try:
            yield Source(raw, facts, pool.submit(_md5, file) if is_compared else None)
        finally:
            raw.close()


def _md5(file: Path) -> str:
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, lambda: hashlib.md5(usedforsecurity=False)).hexdigest()


def own_archive(place: Path, competition_id: str, *, is_only: bool) -> Path:
    """What the user's own archive or folder means for one of the competitions asked for.

    Args:
        is_only: whether no other competition was asked for; then a folder may be its raw data.
    """
    if place.is_file() and is_only:
        return place
    candidates = (place / f"{competition_id}.zip", place / competition_id / f"{competition_id}.zip")
    for file in candidates:
        if file.is_file():
            return file
    for folder in (place / competition_id / "raw", place / competition_id):
        if folder.is_dir():
            return folder
    if place.is_dir() and is_only:
        return place
    if not place.exists():
        raise UsageError(f"{place} does not exist")
    raise UsageError(
        f"{place} has neither {competition_id}.zip nor a folder {competition_id};"
        " one of the two is expected when several competitions are prepared"
    )
