"""Digests of prepared folders: a hash per file, one for a folder of many."""

from __future__ import annotations

import hashlib
import json
import tarfile
import zipfile
from pathlib import Path
from typing import Any

MANY = 20
IGNORED = {"public/description.md"}


def digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def members(archive: Path) -> dict[str, str]:
    """Content of an archive made by preparation, whose own bytes depend on library versions."""
    if archive.suffix == ".zip":
        with zipfile.ZipFile(archive) as opened:
            return {i.filename: digest(opened.read(i)) for i in opened.infolist() if not i.is_dir()}
    if archive.suffix == ".7z":
        import tempfile

        import py7zr

        with tempfile.TemporaryDirectory() as folder, py7zr.SevenZipFile(archive) as opened:
            opened.extractall(folder)
            root = Path(folder)
            return {
                p.relative_to(root).as_posix(): digest(p.read_bytes())
                for p in root.rglob("*")
                if p.is_file()
            }
    found = {}
    with tarfile.open(archive) as opened_tar:
        for member in opened_tar.getmembers():
            stream = opened_tar.extractfile(member) if member.isfile() else None
            if stream:
                found[member.name] = digest(stream.read())
    return found


def table(parquet: Path) -> dict[str, Any]:
    import pandas as pd

    frame = pd.read_parquet(parquet)
    return {
        "rows": len(frame),
        "dtypes": {c: str(t) for c, t in frame.dtypes.items()},
        "csv_sha256": digest(frame.to_csv(index=False).encode()),
    }


def tree(
    prepared: Path, archives: list[str], tables: list[str], ignored: list[str]
) -> dict[str, Any]:
    """Every file below public and private with what stands for its content."""
    found: dict[str, Any] = {}
    for file in sorted(prepared.rglob("*")):
        name = file.relative_to(prepared).as_posix()
        if not file.is_file() or name in IGNORED or not name.startswith(("public/", "private/")):
            continue
        if name in ignored:
            found[name] = "any"
        elif name in archives:
            found[name] = digest(json.dumps(members(file), sort_keys=True).encode())
        elif name in tables:
            found[name] = digest(json.dumps(table(file), sort_keys=True).encode())
        else:
            found[name] = digest(file.read_bytes())
    return fold(found)


def fold(files: dict[str, str]) -> dict[str, Any]:
    """One digest for every folder with many files."""
    folders: dict[str, dict[str, str]] = {}
    for name, value in files.items():
        folders.setdefault(name.rpartition("/")[0], {})[name] = value
    folded: dict[str, Any] = {}
    for folder, content in sorted(folders.items()):
        if len(content) <= MANY:
            folded |= content
        else:
            text = json.dumps(content, sort_keys=True)
            folded[f"{folder}/*"] = [len(content), digest(text.encode())]
    if len(folded) > 200:
        text = json.dumps(folded, sort_keys=True)
        return {"*": [len(files), digest(text.encode())]}
    return folded
