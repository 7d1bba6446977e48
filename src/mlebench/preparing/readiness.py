"""Is what lies there what was asked for? If not, it is prepared; either way the outcome is told."""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal

from mlebench.errors import BenchError, DataError, UsageError
from mlebench.preparing.checksums import official_checksums, require_official
from mlebench.preparing.finishing import describe_files
from mlebench.preparing.options import PrepareOptions, Report, silent
from mlebench.preparing.prepare import describe, prepare_locked
from mlebench.preparing.staging import clear_leftovers, explained, locked
from mlebench.records.manifest import Manifest, read_manifest, write_manifest

if TYPE_CHECKING:
    from mlebench.catalogue import LocatedCompetition

State = Literal["ok", "skipped", "failed"]


@dataclass(frozen=True)
class PreparationOutcome:
    """What became of one competition."""

    competition_id: str
    state: State
    message: str | None = None
    """Why it was skipped or failed."""

    hint: str | None = None
    files: int = 0
    bytes: int = 0
    rows: int | None = None
    """Of the largest public table and the answers together: about what the raw table had."""

    is_rehearsal: bool = False
    seconds: float = 0.0
    warnings: list[str] = field(default_factory=list)


def ensure_prepared(
    competition: LocatedCompetition, options: PrepareOptions, report: Report = silent
) -> PreparationOutcome:
    """Prepare a competition unless it is prepared already; what goes wrong is told, not raised."""
    start = time.monotonic()
    try:
        manifest, message = make_ready(competition, options, report)
    except BenchError as error:
        return PreparationOutcome(
            competition.id, "failed", str(error), error.hint, seconds=_since(start)
        )
    return PreparationOutcome(
        competition.id,
        "skipped" if message else "ok",
        message,
        files=manifest.file_count,
        bytes=manifest.total_bytes,
        rows=None if message else _rows(competition, manifest),
        is_rehearsal=manifest.is_rehearsal,
        seconds=_since(start),
        warnings=manifest.warnings,
    )


def make_ready(
    competition: LocatedCompetition, options: PrepareOptions, report: Report = silent
) -> tuple[Manifest, str | None]:
    """Prepare a competition unless it is prepared already, in which case a note says so."""
    with explained(competition.folder), locked(competition.folder, report):
        clear_leftovers(competition.folder)
        manifest, message = _ready(competition, options)
        if manifest is None:
            manifest, message = prepare_locked(competition, options, report), None
    return manifest, message


def _since(start: float) -> float:
    return round(time.monotonic() - start, 3)


def _rows(competition: LocatedCompetition, manifest: Manifest) -> int | None:
    rows = {name: facts["rows"] for name, facts in manifest.files.items() if "rows" in facts}
    public = [count for name, count in rows.items() if name.startswith("public/")]
    if not public:
        return None
    return int(max(public) + rows.get(competition.definition.answers, 0))


def _ready(
    competition: LocatedCompetition, options: PrepareOptions
) -> tuple[Manifest | None, str | None]:
    """The manifest of what may stay, and the note to give; nothing where it must be made."""
    manifest = _usable_manifest(competition, options)
    if manifest is None or options.force:
        return None, None
    if options.rehearsal:
        asked = (options.rehearsal.seed, options.rehearsal.scale)
        if not manifest.is_rehearsal:
            raise UsageError(
                f"{competition.id} is prepared from real data, which a rehearsal would replace",
                hint="use another folder (--data-dir), or replace it with --force",
            )
        if (manifest.seed, manifest.scale) != asked:
            return None, None
    elif manifest.is_rehearsal or (options.unpack and not manifest.unpacked):
        return None, None
    if manifest.description != options.description:
        return redescribe(competition, manifest, options), "the description was replaced"
    return manifest, "prepared already"


def _usable_manifest(competition: LocatedCompetition, options: PrepareOptions) -> Manifest | None:
    try:
        manifest = read_manifest(competition.folder)
    except DataError:
        return None
    if manifest is None and not options.force and not options.rehearsal:
        return adopt(competition)
    return manifest


def adopt(competition: LocatedCompetition) -> Manifest | None:
    """Give a manifest to data that another tool has prepared, if it is officially right."""
    folder = competition.folder
    is_listed = official_checksums(competition).keys() - {"zip"}
    if not (is_listed and competition.answers.is_file() and folder.public.is_dir()):
        return None
    try:
        warnings = require_official(competition, folder.prepared, ())
    except DataError:
        return None
    manifest = Manifest(
        competition_id=competition.id,
        files=describe_files(folder.prepared),
        source={"kind": "adopted"},
        warnings=warnings,
    )
    return write_manifest(manifest, folder.prepared)


def redescribe(
    competition: LocatedCompetition, manifest: Manifest, options: PrepareOptions
) -> Manifest:
    """Put another description into prepared data."""
    from mlebench.archives.write_log import WriteLog
    from mlebench.preparing.finishing import finish_file

    path = competition.folder.public / "description.md"
    part = path.with_name(".description.part")
    part.write_text(describe(competition, options.description), "utf-8")
    facts = finish_file(str(part), 0o644, WriteLog())
    part.rename(path)
    files = dict(manifest.files) | {"public/description.md": facts}
    changed = replace(manifest, files=files, description=options.description)
    return write_manifest(changed, competition.folder.prepared)
