"""The inner hold-out of a competition: what `split="train"` scores against.

It is a folder beside the prepared data with the same layout, cut from the public train part:

    <data>/<id>/holdout-v1.1/
      public/     what the policy sees: fewer train rows, held-out rows without labels
      private/    the labels of the held-out rows

The preparation of the revision makes it, with the public train part as its raw data. The answers
of the test part are never read.
"""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass, replace
from operator import itemgetter
from pathlib import Path

from mlebench.archives.raw import Raw, RawFolder
from mlebench.archives.raw_layers import RawLayers
from mlebench.archives.write_log import OutputPath, WriteLog
from mlebench.archives.writing import open_output
from mlebench.catalogue import LocatedCompetition, load_hold_out
from mlebench.errors import DataError, NotPreparedError, UsageError
from mlebench.preparing.options import silent
from mlebench.preparing.order import put_in_order, write_gold
from mlebench.preparing.prepare import run_preparation
from mlebench.preparing.prepared_files import finish_files
from mlebench.preparing.rows import ENCODING, ByteRows, read_header
from mlebench.preparing.staging import explained, locked, publish, staging_folder
from mlebench.preparing.tags import cleaner_of_pictures
from mlebench.recipes.holdouts import HoldOut, in_hold_out, pack, preparation_for
from mlebench.records.folders import CompetitionFolder
from mlebench.records.manifest import Manifest, read_manifest, write_manifest
from mlebench.version import REVISION

KIND = "hold-out"
"""Of the source, in the manifest: marks data that is not a test part of the benchmark."""


@dataclass(frozen=True)
class HoldoutFolder(CompetitionFolder):
    """The folder of a competition whose prepared data is its hold-out."""

    @property
    def prepared(self) -> Path:
        return self.path / f"holdout-{self.revision}"


def locate_holdout(competition: LocatedCompetition) -> LocatedCompetition:
    """The competition with the public folder, the answers and the format of its hold-out.

    A missing one is made now in another process: its answers must not be in the memory of the
    caller, which may be a policy.

    Raises:
        NotPreparedError: the competition itself is not prepared.
        UsageError: the competition allows none; the message says why.
    """
    found = _located(competition)
    _require_possible(competition)
    if _current_manifest(competition, found):
        return found
    if not competition.folder.manifest.is_file():
        raise NotPreparedError(
            f"{competition.id} is not prepared in revision {competition.revision}",
            hint=f"mlebench prepare -c {competition.id} --revision {competition.revision}",
        )
    _make_elsewhere(competition)
    return found


def ensure_holdout(competition: LocatedCompetition, *, force: bool = False) -> Manifest:
    """Make the hold-out of a prepared competition unless it exists.

    Raises:
        NotPreparedError: the competition itself is not prepared.
        UsageError: the competition allows none; the message says why.
    """
    hold_out = _require_possible(competition)
    source = read_manifest(competition.folder)
    if source is None:
        raise NotPreparedError(f"{competition.id} is not prepared")
    found = _located(competition)
    with explained(found.folder), locked(found.folder, silent):
        if not force and (manifest := _current_manifest(competition, found)):
            return manifest
        return _make(found, competition, hold_out, source)


def why_no_holdout(competition: LocatedCompetition) -> str:
    """Why a competition has no hold-out; empty if it has one."""
    if competition.revision == REVISION:
        return f"its faults are known in revision {REVISION}; hold-outs exist in v1.1"
    return load_hold_out(competition.home).reason


def _require_possible(competition: LocatedCompetition) -> HoldOut:
    if reason := why_no_holdout(competition):
        raise UsageError(f"{competition.id} has no hold-out to train on: {reason}")
    return load_hold_out(competition.home)


def _located(competition: LocatedCompetition) -> LocatedCompetition:
    folder = competition.folder
    return replace(competition, folder=HoldoutFolder(folder.root, folder.id, folder.revision))


def _current_manifest(
    competition: LocatedCompetition, found: LocatedCompetition
) -> Manifest | None:
    """The manifest of the hold-out if it was made from the data that is prepared now."""
    made, source = read_manifest(found.folder), read_manifest(competition.folder)
    if made is None or source is None or made.source.get("files") == source.file_list_sha256:
        return made
    return None


def _make_elsewhere(competition: LocatedCompetition) -> None:
    folder = competition.folder
    facts = [str(competition.home), str(folder.root.absolute()), folder.id, folder.revision]
    program = [sys.executable, "-m", "mlebench.gym.make_holdout", *facts]
    made = subprocess.run(program, capture_output=True, text=True, check=False)
    if made.returncode:
        reason = made.stderr.strip().splitlines()[-1:] or ["its process was killed"]
        raise DataError(f"the hold-out of {competition.id} cannot be made: {reason[0]}")


def _make(
    found: LocatedCompetition,
    competition: LocatedCompetition,
    hold_out: HoldOut,
    source: Manifest,
) -> Manifest:
    """Make a hold-out whose folder is locked."""
    definition = competition.definition
    prepare = preparation_for(hold_out, definition.prepare)
    cutting = replace(found, definition=replace(definition, prepare=prepare))
    with staging_folder(found.folder) as staging:
        log = WriteLog()
        prepared = OutputPath.of(staging / "prepared", log)
        log.find_cleaner = cleaner_of_pictures(prepared, definition)
        raw = as_raw_data(competition.folder.public, hold_out, staging)
        run_preparation(cutting, raw, prepared, description=_description(source))
        write_gold(prepared, definition)
        is_drawn = competition.changes is not None and competition.changes.has_drawn_sample
        put_in_order(prepared, definition, has_drawn_sample=is_drawn)
        manifest = write_manifest(
            Manifest(
                competition_id=competition.id,
                revision=competition.revision,
                files=finish_files(prepared, log),
                source={"kind": KIND, "files": source.file_list_sha256},
                is_rehearsal=source.is_rehearsal,
                seed=source.seed,
                scale=source.scale,
                description=_description(source),
            ),
            prepared,
        )
        publish(prepared, found.folder)
    return manifest


def _description(source: Manifest) -> str:
    """An official page is not fetched again."""
    return "obfuscated" if source.description == "obfuscated" else "own"


def as_raw_data(public: Path, hold_out: HoldOut, staging: Path) -> Raw:
    """The public train part in the layout of the raw data; real files are linked, not copied."""
    scratch, layer = staging / "scratch", staging / "raw"
    scratch.mkdir()
    layer.mkdir()
    source = RawFolder(public, scratch=scratch)
    for name, column in hold_out.tables.items():
        if (source / name).is_file():
            write_in_hash_order(public / name, layer / name, column)
    front = RawFolder(layer, scratch=scratch)
    for name, public_name in hold_out.links.items():
        ordered, link = layer / public_name, layer / name
        link.parent.mkdir(parents=True, exist_ok=True)
        # A relative target would be one below the folder of the link.
        link.symlink_to((ordered if ordered.exists() else public / public_name).absolute())
    for name, members in hold_out.archives.items():
        pack(RawLayers((front, source)), members, layer / name)
    if hold_out.make_raw:
        hold_out.make_raw(RawLayers((front, source)), layer)
    return front if hold_out.is_whole else RawLayers((front, source))


def write_in_hash_order(table: Path, target: Path, column: str | None) -> None:
    """Write a table with its rows in the order of the hashes of a column, else of the first one.

    Rows with equal values keep their order, and their bytes.
    """
    header, start = read_header(table)
    if column is not None and column not in header:
        raise DataError(f"{table.name} has no column {column!r}, expected one of {header}")
    place = header.index(column) if column is not None else 0
    data = table.read_bytes()
    rows = ByteRows.divide(data[start:], [place])
    keys = [in_hold_out(cell.decode(ENCODING)) for cell in rows.columns[0]]
    keyed = sorted(zip(keys, rows.lines(), strict=True), key=itemgetter(0))
    target.parent.mkdir(parents=True, exist_ok=True)
    with open_output(target) as stream:
        stream.write(data[:start])
        stream.writelines(line for _, line in keyed)
