"""Decides whether prepared data can be reused; adopts data that another tool has prepared."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from mlebench.archives.write_log import WriteLog
from mlebench.errors import DataError, UsageError
from mlebench.preparing.options import PrepareOptions
from mlebench.preparing.prepared_files import describe_files, finish_file
from mlebench.preparing.verify import official_checksums, require_official
from mlebench.records.manifest import Manifest, read_manifest, write_manifest
from mlebench.system.files import write_atomically

if TYPE_CHECKING:
    from mlebench.catalogue import LocatedCompetition


def reusable(
    competition: LocatedCompetition, options: PrepareOptions
) -> tuple[Manifest, str] | None:
    """The manifest of prepared data that matches the options, and a note about it; else None.

    Raises:
        UsageError: if a rehearsal would replace real data.
    """
    manifest = _usable_manifest(competition, options)
    if manifest is None or options.force:
        return None
    if options.rehearsal:
        asked = (options.rehearsal.seed, options.rehearsal.scale)
        if not manifest.is_rehearsal:
            raise UsageError(
                f"{competition.id} is prepared from real data, which rehearsal data would replace",
                hint="use another folder (--data-dir), or replace it with --force",
            )
        if (manifest.seed, manifest.scale) != asked:
            return None
    elif manifest.is_rehearsal or (options.unpack and not manifest.unpacked):
        return None
    if manifest.description != options.description:
        return _redescribe(competition, manifest, options), "the description was replaced"
    return manifest, "prepared already"


def describe(competition: LocatedCompetition, kind: str) -> str:
    """The description that the agent reads."""
    if kind == "official":
        from mlebench.kaggle.pages import fetch_official_description

        return fetch_official_description(competition)
    return competition.obfuscated_description if kind == "obfuscated" else competition.description


def _usable_manifest(competition: LocatedCompetition, options: PrepareOptions) -> Manifest | None:
    try:
        manifest = read_manifest(competition.folder)
    except DataError:
        return None
    if manifest is None and not options.force and not options.rehearsal:
        return _adopt(competition)
    return manifest


def _adopt(competition: LocatedCompetition) -> Manifest | None:
    """Write a manifest for data that another tool has prepared, if it matches the checksums."""
    folder = competition.folder
    is_listed = official_checksums(competition).keys() - {"zip"}
    if not (is_listed and competition.answers.is_file() and folder.public.is_dir()):
        return None
    try:
        warnings = require_official(competition, folder.prepared)
    except DataError:
        return None
    manifest = Manifest(
        competition_id=competition.id,
        revision=competition.revision,
        files=describe_files(folder.prepared),
        source={"kind": "adopted"},
        warnings=warnings,
    )
    return write_manifest(manifest, folder.prepared)


def _redescribe(
    competition: LocatedCompetition, manifest: Manifest, options: PrepareOptions
) -> Manifest:
    """Replace the description in prepared data."""
    path = competition.folder.public / "description.md"
    write_atomically(path, describe(competition, options.description))
    facts = finish_file(str(path), 0o644, WriteLog())
    files = dict(manifest.files) | {"public/description.md": facts}
    changed = replace(manifest, files=files, description=options.description)
    return write_manifest(changed, competition.folder.prepared)
