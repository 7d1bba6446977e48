"""Preparing one competition: into a staging folder, then renamed into place with its manifest."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mlebench.data.manifest import Manifest, describe_files, walk_files, write_manifest
from mlebench.data.raw import Raw, RawFolder, RawPacked
from mlebench.errors import UsageError

if TYPE_CHECKING:
    from mlebench.registry import Competition

CONSTANT_TIME = 1577836800
"""2020-01-01: one time for all, since times of a class-sorted archive would tell the labels."""


@dataclass(frozen=True)
class Rehearsal:
    """A synthetic archive made from a seed."""

    seed: int = 0
    scale: int = 1


def prepare(competition: Competition, rehearsal: Rehearsal | None = None) -> Manifest:
    """Make `prepared/` from the raw data that lies in the competition's folder, or a rehearsal."""
    home = competition.folder.home
    home.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=home, prefix=".staging-") as name:
        staging = Path(name)
        with _source(competition, staging, rehearsal) as (raw, source):
            prepared = staging / "prepared"
            run_preparation(competition, raw, prepared)
        manifest = Manifest(
            competition_id=competition.id,
            files=describe_files(prepared),
            source=source,
            is_rehearsal=rehearsal is not None,
            seed=rehearsal.seed if rehearsal else None,
            scale=rehearsal.scale if rehearsal else None,
        )
        write_manifest(manifest, prepared / "manifest.json")
        if competition.folder.prepared.exists():
            competition.folder.prepared.rename(staging / "replaced")
        prepared.rename(competition.folder.prepared)
    return manifest


def run_preparation(competition: Competition, raw: Raw, prepared: Path) -> None:
    """Run the competition's own preparation and make its files tell nothing but their content."""
    public, private = prepared / "public", prepared / "private"
    public.mkdir(parents=True)
    private.mkdir(mode=0o700)
    competition.declaration.prepare(raw, public, private)
    (public / "description.md").write_text(competition.description, "utf-8")
    for part in (public, private):
        for file in walk_files(part):
            os.utime(file, (CONSTANT_TIME, CONSTANT_TIME))


@contextmanager
def _source(
    competition: Competition, staging: Path, rehearsal: Rehearsal | None
) -> Iterator[tuple[Raw, dict[str, Any]]]:
    """The raw data: made up, unpacked in `raw/`, inside the archive, or from a library."""
    folder = competition.folder
    scratch = staging / "scratch"
    scratch.mkdir()
    if rehearsal:
        made = staging / "rehearsal"
        made.mkdir()
        competition.make_rehearsal(made, rehearsal.seed, rehearsal.scale)
        yield RawFolder(made, scratch=scratch), {"kind": "rehearsal"}
        shutil.rmtree(made)
    elif folder.raw.is_dir() and any(folder.raw.iterdir()):
        yield RawFolder(folder.raw, scratch=scratch), {"kind": "folder", "name": "raw"}
    elif folder.archive.is_file():
        raw = RawPacked.of_zip(folder.archive, scratch)
        size = folder.archive.stat().st_size
        yield raw, {"kind": "archive", "name": folder.archive.name, "size": size}
        raw.close()
    elif competition.declaration.make_raw:
        made = staging / "raw"
        made.mkdir()
        competition.declaration.make_raw(made)
        note = "answers are public: a demonstration"
        yield RawFolder(made, scratch=scratch), {"kind": "library", "note": note}
        shutil.rmtree(made)
    else:
        raise UsageError(
            f"there is no raw data for {competition.id}; put the archive at {folder.archive}"
        )
