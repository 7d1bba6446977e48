"""Prepares one competition: into a staging folder, then renamed into place with its manifest."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

from mlebench.archives.write_log import OutputPath, WriteLog
from mlebench.preparing.options import OnProgress, PrepareOptions, Rehearsal, silent
from mlebench.preparing.order import put_in_order, write_gold
from mlebench.preparing.prepared_files import finish_files, unpack_public
from mlebench.preparing.raw_data import opened_raw_data
from mlebench.preparing.reuse import describe, reusable
from mlebench.preparing.sharing import Sharing
from mlebench.preparing.staging import (
    clear_leftovers,
    explained,
    locked,
    publish,
    remove,
    staging_folder,
)
from mlebench.preparing.tags import cleaner_of_pictures
from mlebench.preparing.verify import require_official
from mlebench.records.manifest import Manifest, write_manifest

if TYPE_CHECKING:
    from mlebench.archives.raw import Raw
    from mlebench.catalogue import LocatedCompetition

__all__ = ["PrepareOptions", "Rehearsal", "ensure_prepared", "prepare", "run_preparation"]

UNLIMITED: AbstractContextManager[object] = nullcontext()


def prepare(
    competition: LocatedCompetition,
    rehearsal: Rehearsal | None = None,
    *,
    options: PrepareOptions | None = None,
) -> Manifest:
    """Create `prepared/` from the raw data of a competition or from rehearsal data.

    Replaces existing prepared data. Without options nothing is compared with the official
    checksums; `ensure_prepared` does that.
    """
    options = options or PrepareOptions(rehearsal=rehearsal, verify=False)
    with explained(competition.folder), locked(competition.folder, silent):
        return _prepare(competition, options, silent, UNLIMITED)


def ensure_prepared(
    competition: LocatedCompetition,
    options: PrepareOptions,
    on_progress: OnProgress = silent,
    slot: AbstractContextManager[object] = UNLIMITED,
) -> tuple[Manifest, str | None]:
    """Prepare a competition unless it is prepared as requested.

    Args:
        slot: held while preparing, but not while downloading or waiting for another process; a
            semaphore limits how many processes prepare at once.

    Returns:
        The manifest, and a note if prepared data was reused.
    """
    with explained(competition.folder), locked(competition.folder, on_progress):
        clear_leftovers(competition.folder)
        if reused := reusable(competition, options):
            return reused
        return _prepare(competition, options, on_progress, slot), None


def _prepare(
    competition: LocatedCompetition,
    options: PrepareOptions,
    on_progress: OnProgress,
    slot: AbstractContextManager[object],
) -> Manifest:
    """Prepare a competition whose lock is held."""
    folder = competition.folder
    with staging_folder(folder) as staging:
        log = WriteLog()
        prepared = OutputPath.of(staging / "prepared", log)
        sharing = Sharing(competition)
        sharing.offer(prepared, log)
        if competition.changes:
            log.find_cleaner = cleaner_of_pictures(prepared, competition.definition)
        with opened_raw_data(competition, options, staging, on_progress) as source, slot:
            on_progress("preparing")
            run_preparation(competition, source.raw, prepared, description=options.description)
            test_ids = None
            if competition.changes:
                write_gold(prepared, competition.definition)
                test_ids = put_in_order(
                    prepared,
                    competition.definition,
                    has_drawn_sample=competition.changes.has_drawn_sample,
                )
            unpacked = unpack_public(prepared / "public") if options.unpack else []
            files = finish_files(prepared, log)
            on_progress("verifying")
            warnings = []
            if options.verify and not options.rehearsal:
                if source.md5:
                    source.facts["md5"] = source.md5.result()
                warnings = require_official(
                    competition, prepared, unpacked=unpacked, archive_md5=source.facts.get("md5")
                )
        sharing.link(prepared, files, log, test_ids=test_ids)
        manifest = write_manifest(
            Manifest(
                competition_id=competition.id,
                revision=competition.revision,
                files=files,
                source=source.facts,
                is_rehearsal=options.rehearsal is not None,
                seed=options.rehearsal.seed if options.rehearsal else None,
                scale=options.rehearsal.scale if options.rehearsal else None,
                description=options.description,
                unpacked=unpacked,
                warnings=warnings,
            ),
            prepared,
        )
        publish(prepared, folder)
    if not options.keep_raw and not options.rehearsal and not options.archive:
        remove(folder.raw)
        remove(folder.archive)
    return manifest


def run_preparation(
    competition: LocatedCompetition, raw: Raw, prepared: Path, *, description: str = "own"
) -> None:
    """Run the competition's own preparation and add the description."""
    public, private = prepared / "public", prepared / "private"
    public.mkdir(parents=True)
    private.mkdir(mode=0o700)
    competition.definition.prepare(raw, public, private)
    (public / "description.md").write_text(describe(competition, description), "utf-8")
