"""The official checksums: MD5s of the archive and of some prepared files, as published."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from mlebench.archives.contents import depends_on_library, library_of
from mlebench.errors import DataError

if TYPE_CHECKING:
    from mlebench.catalogue import LocatedCompetition


@dataclass(frozen=True)
class Mismatch:
    """A prepared file that is not as published."""

    name: str
    reason: str
    is_fatal: bool
    """Not so where the bytes depend on a library, so that they prove nothing."""


def official_checksums(competition: LocatedCompetition) -> dict[str, str]:
    """`zip` and `public/train.csv` → MD5; only the files listed are comparable."""
    try:
        known = json.loads(competition.checksums.read_text("utf-8"))
    except FileNotFoundError:
        return {}
    found = {"zip": known["zip"]} if known.get("zip") else {}
    for part in ("public", "private"):
        found |= {f"{part}/{name}": md5 for name, md5 in known.get(part, {}).items()}
    return found


def md5_of(file: Path) -> str:
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, lambda: hashlib.md5(usedforsecurity=False)).hexdigest()


def official_mismatches(
    competition: LocatedCompetition, prepared: Path, unpacked: Sequence[str] = ()
) -> Iterator[Mismatch]:
    """The files listed by the official checksums that are missing or differ.

    Args:
        unpacked: archives of the public data that were replaced by their content.
    """
    for name, md5 in official_checksums(competition).items():
        if name == "zip" or name.removeprefix("public/") in unpacked:
            continue
        file = prepared / name
        if not file.is_file():
            yield Mismatch(name, "is missing", is_fatal=True)
        elif (found := md5_of(file)) != md5:
            fatal = not depends_on_library(name)
            why = "" if fatal else f"; its bytes depend on the library ({library_of(name)} here)"
            yield Mismatch(name, f"has the MD5 {found}, officially {md5}{why}", is_fatal=fatal)


def require_official(
    competition: LocatedCompetition, prepared: Path, unpacked: Sequence[str]
) -> list[str]:
    """Refuse prepared data that differs from the published; gives what may differ as warnings."""
    warnings = []
    for mismatch in official_mismatches(competition, prepared, unpacked):
        if mismatch.is_fatal:
            raise DataError(
                f"{mismatch.name} of {competition.id} is not as published: it {mismatch.reason}",
                hint="the raw data is another version; to accept it: --skip-verification",
            )
        warnings.append(f"{mismatch.name} {mismatch.reason}")
    return warnings


def archive_warning(competition: LocatedCompetition, md5: str) -> list[str]:
    """Kaggle packs archives anew now and then: another MD5 alone is no error."""
    official = official_checksums(competition).get("zip")
    if official in (None, md5):
        return []
    return [f"the archive has the MD5 {md5}, officially {official}"]
