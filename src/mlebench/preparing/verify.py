"""Compares prepared data with its manifest and with the official checksums.

The official checksums are MD5s of the archive and of some prepared files, as published. There are
three verdicts: the bytes are the same; the bytes differ but the content does not (another version
of a library wrote them); the data is different.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from mlebench.archives.contents import content_digest, depends_on_library, library_of
from mlebench.errors import DataError, UsageError
from mlebench.records.manifest import FileFacts, Manifest, read_manifest, walk_files
from mlebench.system.files import md5_of, sha256

if TYPE_CHECKING:
    from mlebench.catalogue import LocatedCompetition

Agreement = Literal["same", "same content", "different"]
PARTS = ("public", "private")
THREADS = min(4, os.cpu_count() or 1)
CHUNK = 256


@dataclass(frozen=True)
class FileFinding:
    """A file whose bytes are not as expected."""

    name: str
    verdict: Agreement
    reason: str


@dataclass(frozen=True)
class Verification:
    """The result for one competition; differences come first."""

    competition_id: str
    findings: list[FileFinding] = field(default_factory=list)
    files: int = 0
    """The number of files in the manifest."""

    official: int = 0
    """How many files were compared with official checksums."""

    note: str | None = None
    """What could not be compared."""

    @property
    def verdict(self) -> Agreement:
        verdicts = {finding.verdict for finding in self.findings}
        if "different" in verdicts:
            return "different"
        return "same content" if verdicts else "same"


def verify(competition: LocatedCompetition) -> Verification:
    """Compare every prepared file with the manifest, and some with the official checksums."""
    prepared = competition.folder.prepared
    manifest = read_manifest(competition.folder)
    if manifest is None and not competition.answers.is_file():
        raise UsageError(f"{competition.id} is not prepared; run: {competition.prepare_command}")
    findings = {f.name: f for f in _against_manifest(prepared, manifest)} if manifest else {}
    note = None if manifest else "there is no manifest, so only official checksums were compared"
    official: dict[str, str] = {}
    if manifest and manifest.is_rehearsal:
        note = "rehearsal data: there are no official checksums"
    else:
        official = official_checksums(competition)
        for finding in _against_official(prepared, official, manifest.unpacked if manifest else ()):
            findings.setdefault(finding.name, finding)
    return Verification(
        competition.id,
        sorted(findings.values(), key=lambda f: (f.verdict != "different", f.name)),
        files=manifest.file_count if manifest else 0,
        official=len(official.keys() - {"zip"}),
        note=note,
    )


def _against_manifest(prepared: Path, manifest: Manifest) -> Iterator[FileFinding]:
    with ThreadPoolExecutor(THREADS) as pool:
        files = list(manifest.files.items())
        chunks = (files[start : start + CHUNK] for start in range(0, len(files), CHUNK))
        for found in pool.map(lambda chunk: list(_differences(prepared, manifest, chunk)), chunks):
            yield from found
    for part in PARTS:
        for file in walk_files(prepared / part):
            name = file.relative_to(prepared).as_posix()
            if name not in manifest.files:
                yield FileFinding(name, "different", "is not in the manifest")


def _differences(
    prepared: Path, manifest: Manifest, files: Iterable[tuple[str, FileFacts]]
) -> Iterator[FileFinding]:
    for name, facts in files:
        path = prepared / name
        if not path.is_file() or path.is_symlink():
            yield FileFinding(name, "different", "is missing")
            continue
        size, digest = path.stat().st_size, sha256(path)
        if digest == facts["sha256"]:
            continue
        if "content" in facts and _content(path) == facts["content"]:
            yield FileFinding(name, "same content", _library_note(name, manifest))
        elif size != facts["size"]:
            reason = f"has {size:,} bytes, the manifest says {facts['size']:,}"
            yield FileFinding(name, "different", reason)
        else:
            shown, expected = digest[:16], facts["sha256"][:16]
            reason = f"has the SHA-256 {shown}…, the manifest says {expected}…"
            yield FileFinding(name, "different", reason)


def _content(path: Path) -> str | None:
    try:
        return content_digest(path)
    except DataError:
        return None


def _library_note(name: str, manifest: Manifest) -> str:
    library, here = library_of(name).split()
    then = manifest.libraries.get(library, "unknown")
    return f"has other bytes but the same content: prepared with {library} {then}, now {here}"


def official_checksums(competition: LocatedCompetition) -> dict[str, str]:
    """`zip` and `public/train.csv` → MD5; only the files listed are comparable."""
    known = competition.load_checksums()
    found = {"zip": known["zip"]} if known.get("zip") else {}
    for part in PARTS:
        found |= {f"{part}/{name}": md5 for name, md5 in known.get(part, {}).items()}
    return found


def require_official(
    competition: LocatedCompetition,
    prepared: Path,
    *,
    unpacked: Sequence[str] = (),
    archive_md5: str | None = None,
) -> list[str]:
    """Raise if prepared data differs from the published.

    Args:
        unpacked: archives of the public data that were replaced with their content.
        archive_md5: of the archive, if it is to be compared.

    Returns:
        Warnings about differences that prove nothing: files whose bytes depend on the version of a
        library, and another MD5 of the archive, because Kaggle repacks archives from time to time.
    """
    official = official_checksums(competition)
    warnings = []
    if archive_md5 and official.get("zip", archive_md5) != archive_md5:
        warnings.append(f"the archive has the MD5 {archive_md5}, officially {official['zip']}")
    for finding in _against_official(prepared, official, unpacked):
        if finding.verdict == "different":
            raise DataError(
                f"{finding.name} of {competition.id} is not as published: it {finding.reason}",
                hint="the raw data is of another version; to accept it: --skip-verification",
            )
        warnings.append(f"{finding.name} {finding.reason}")
    return warnings


def _against_official(
    prepared: Path, official: Mapping[str, str], unpacked: Sequence[str]
) -> Iterator[FileFinding]:
    for name, md5 in official.items():
        if name == "zip" or name.removeprefix("public/") in unpacked:
            continue
        file = prepared / name
        if not file.is_file():
            yield FileFinding(name, "different", "is missing")
        elif (found := md5_of(file)) != md5:
            reason = f"has the MD5 {found}, officially {md5}"
            if depends_on_library(name):
                reason += f"; its bytes depend on the library ({library_of(name)} here)"
                yield FileFinding(name, "same content", reason)
            else:
                yield FileFinding(name, "different", reason)
