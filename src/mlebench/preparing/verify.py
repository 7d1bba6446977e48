"""Checking prepared data again: against its manifest and against the official checksums.

Three verdicts: the bytes are the same; the bytes differ but the content does not (another version
of a library wrote them); the data is different.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from mlebench.archives.contents import content_digest, library_of
from mlebench.errors import DataError, UsageError
from mlebench.preparing.checksums import official_checksums, official_mismatches
from mlebench.records.manifest import Facts, Manifest, read_manifest, walk_files
from mlebench.system.files import sha256

if TYPE_CHECKING:
    from mlebench.catalogue import LocatedCompetition

Verdict = Literal["same", "same content", "different"]
PARTS = ("public", "private")
THREADS = min(4, os.cpu_count() or 1)


@dataclass(frozen=True)
class Finding:
    """A file that is not byte for byte as it should be."""

    name: str
    verdict: Verdict
    reason: str


@dataclass(frozen=True)
class Verification:
    """What was found about one competition; differences come first."""

    competition_id: str
    findings: list[Finding] = field(default_factory=list)
    files: int = 0
    """How many the manifest lists."""

    official: int = 0
    """How many files were compared with official checksums."""

    note: str | None = None
    """What could not be compared."""

    @property
    def verdict(self) -> Verdict:
        verdicts = {finding.verdict for finding in self.findings}
        if "different" in verdicts:
            return "different"
        return "same content" if verdicts else "same"


def verify(competition: LocatedCompetition) -> Verification:
    """Compare every prepared file with the manifest, and some with the official checksums."""
    prepared = competition.folder.prepared
    manifest = read_manifest(competition.folder)
    if manifest is None and not competition.answers.is_file():
        raise UsageError(
            f"{competition.id} is not prepared; run: mlebench prepare -c {competition.id}"
        )
    findings = list(_against_manifest(prepared, manifest)) if manifest else []
    note = None if manifest else "there is no manifest, so only official checksums were compared"
    official = 0
    if manifest and manifest.is_rehearsal:
        note = "a rehearsal: nothing official to compare with"
    else:
        unpacked = manifest.unpacked if manifest else []
        official = len(official_checksums(competition).keys() - {"zip"})
        for wrong in official_mismatches(competition, prepared, unpacked):
            verdict: Verdict = "different" if wrong.is_fatal else "same content"
            if not any(finding.name == wrong.name for finding in findings):
                findings.append(Finding(wrong.name, verdict, wrong.reason))
    findings.sort(key=lambda finding: (finding.verdict != "different", finding.name))
    count = manifest.file_count if manifest else 0
    return Verification(competition.id, findings, count, official, note)


def require_answers_unchanged(competition: LocatedCompetition) -> None:
    """Refuse to grade on answers that are not those that were prepared."""
    manifest = read_manifest(competition.folder)
    if manifest is None:
        return
    for finding in _differences(competition.folder.prepared, manifest, manifest.private.items()):
        if finding.verdict == "different":
            raise DataError(
                f"{finding.name} of {competition.id} was changed after preparation:"
                f" it {finding.reason}",
                hint=f"prepare again: mlebench prepare -c {competition.id} --force",
            )


def _against_manifest(prepared: Path, manifest: Manifest) -> Iterator[Finding]:
    with ThreadPoolExecutor(THREADS) as pool:
        chunks = _chunks(list(manifest.files.items()))
        for found in pool.map(lambda chunk: list(_differences(prepared, manifest, chunk)), chunks):
            yield from found
    for part in PARTS:
        for file in walk_files(prepared / part):
            name = file.relative_to(prepared).as_posix()
            if name not in manifest.files:
                yield Finding(name, "different", "is not in the manifest")


def _chunks(files: list[tuple[str, Facts]], size: int = 256) -> Iterator[list[tuple[str, Facts]]]:
    return (files[start : start + size] for start in range(0, len(files), size))


def _differences(
    prepared: Path, manifest: Manifest, files: Iterable[tuple[str, Facts]]
) -> Iterator[Finding]:
    for name, facts in files:
        path = prepared / name
        if not path.is_file() or path.is_symlink():
            yield Finding(name, "different", "is missing")
            continue
        size, digest = path.stat().st_size, sha256(path)
        if digest == facts["sha256"]:
            continue
        if "content" in facts and _content(path) == facts["content"]:
            yield Finding(name, "same content", _library_note(name, manifest))
        elif size != facts["size"]:
            yield Finding(
                name, "different", f"has {size:,} bytes, the manifest says {facts['size']:,}"
            )
        else:
            shown, expected = digest[:16], facts["sha256"][:16]
            yield Finding(
                name, "different", f"has the SHA-256 {shown}…, the manifest says {expected}…"
            )


def _content(path: Path) -> str | None:
    try:
        return content_digest(path)
    except DataError:
        return None


def _library_note(name: str, manifest: Manifest) -> str:
    library, here = library_of(name).split()
    then = manifest.libraries.get(library, "unknown")
    return f"has other bytes but the same content: {library} decides ({then} then, {here} here)"
