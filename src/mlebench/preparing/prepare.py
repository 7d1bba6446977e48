"""Preparing one competition: into a staging folder, then renamed into place with its manifest."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from mlebench.archives.write_log import OutputPath, WriteLog
from mlebench.preparing.checksums import archive_warning, require_official
from mlebench.preparing.finishing import finish_files, unpack_public
from mlebench.preparing.options import PrepareOptions, Rehearsal, Report, silent
from mlebench.preparing.sources import Source, opened_source
from mlebench.preparing.staging import explained, locked, publish, remove, staging_folder
from mlebench.records.manifest import Manifest, write_manifest

if TYPE_CHECKING:
    from mlebench.archives.raw import Raw
    from mlebench.catalogue import LocatedCompetition

__all__ = ["PrepareOptions", "Rehearsal", "prepare", "run_preparation"]


def prepare(
    competition: LocatedCompetition,
    rehearsal: Rehearsal | None = None,
    *,
    options: PrepareOptions | None = None,
    report: Report = silent,
) -> Manifest:
    """Make `prepared/` from the raw data that lies in the competition's folder, or a rehearsal.

    Without options nothing is compared with the official checksums; `make_ready` does.
    """
    options = options or PrepareOptions(rehearsal=rehearsal, verify=False)
    with explained(competition.folder), locked(competition.folder, report):
        return prepare_locked(competition, options, report)


def prepare_locked(
    competition: LocatedCompetition, options: PrepareOptions, report: Report
) -> Manifest:
    """The same for a caller that holds the lock."""
    folder = competition.folder
    with staging_folder(folder) as staging:
        log = WriteLog()
        prepared = OutputPath.of(staging / "prepared", log)
        with opened_source(competition, options, staging, report) as source:
            report("preparing")
            run_preparation(competition, source.raw, prepared, description=options.description)
            unpacked = unpack_public(prepared / "public") if options.unpack else []
            files = finish_files(prepared, log)
            report("verifying")
            facts, warnings = _judge(competition, options, prepared, source, unpacked)
        manifest = write_manifest(
            Manifest(
                competition_id=competition.id,
                files=files,
                source=facts,
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


def describe(competition: LocatedCompetition, kind: str) -> str:
    """The description that the agent reads."""
    if kind == "official":
        from mlebench.kaggle.pages import fetch_official_description

        return fetch_official_description(competition)
    return competition.obfuscated_description if kind == "obfuscated" else competition.description


def _judge(
    competition: LocatedCompetition,
    options: PrepareOptions,
    prepared: Path,
    source: Source,
    unpacked: list[str],
) -> tuple[dict[str, Any], list[str]]:
    """Compare with what the benchmark was published with: facts and warnings for the manifest."""
    if not options.verify or options.rehearsal:
        return source.facts, []
    warnings = []
    facts = source.facts
    if source.md5:
        facts = facts | {"md5": source.md5.result()}
        warnings += archive_warning(competition, facts["md5"])
    warnings += require_official(competition, prepared, unpacked)
    return facts, warnings
