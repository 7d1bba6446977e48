"""A summary of the data: files, sizes, columns and examples, in a text of limited length."""

from __future__ import annotations

import csv
import os
import zipfile
from collections import Counter
from itertools import islice
from pathlib import Path

MAX_TEXT = 9_000
MAX_FILES = 20_000
MAX_TABLES = 12
MAX_ROWS = 2_000
MAX_COLUMNS = 40
TABLES = {".csv": ",", ".tsv": "\t"}


def preview(folder: Path) -> str:
    """The content of a folder, as text for the model."""
    files = _walk(folder)[:MAX_FILES]
    parts = [_listing(folder, files)]
    tables = [file for file in files if file.suffix.lower() in TABLES]
    tables.sort(key=lambda file: (len(file.relative_to(folder).parts), -file.stat().st_size))
    parts += [_table(folder, file) for file in tables[:MAX_TABLES]]
    archives = [file for file in files if file.suffix.lower() == ".zip"]
    parts += [_archive(folder, file) for file in archives[:MAX_TABLES]]
    heads = [file for file in files if file.suffix.lower() in (".json", ".jsonl", ".txt")]
    parts += [_head(folder, file) for file in heads[:4]]
    return _cut("\n\n".join(parts), MAX_TEXT)


def _walk(folder: Path) -> list[Path]:
    found = []
    for home, folders, names in os.walk(folder):
        folders.sort()
        found += [Path(home) / name for name in sorted(names)]
        if len(found) > MAX_FILES:
            break
    return found


def _listing(folder: Path, files: list[Path]) -> str:
    """Every file of a small folder; the number of files by kind for a large one."""
    by_folder: dict[Path, list[Path]] = {}
    for file in files:
        by_folder.setdefault(file.parent, []).append(file)
    lines = [f"Files in {folder}:"]
    for home, members in list(by_folder.items())[:40]:
        if len(members) <= 15:
            lines += [f"- {file.relative_to(folder)} ({_size(file)})" for file in members]
            continue
        kinds = Counter(file.suffix for file in members)
        counted = ", ".join(f"{count} {kind or 'without ending'}" for kind, count in kinds.items())
        names = ", ".join(file.name for file in members[:3])
        lines.append(f"- {home.relative_to(folder)}/: {counted}; such as {names}")
    if len(files) == MAX_FILES or len(by_folder) > 40:
        lines.append("- and more")
    return "\n".join(lines)


def _table(folder: Path, file: Path) -> str:
    """Columns with their kinds, gaps and examples, from the first rows."""
    try:
        with file.open(encoding="utf-8", errors="replace", newline="") as stream:
            reader = csv.reader(stream, delimiter=TABLES[file.suffix.lower()])
            header = next(reader, [])
            rows = list(islice(reader, MAX_ROWS))
    except (OSError, csv.Error) as error:
        return f"{file.relative_to(folder)}: cannot be read as a table ({error})"
    more = "the first " if len(rows) == MAX_ROWS else ""
    lines = [f"{file.relative_to(folder)}: {len(header)} columns; {more}{len(rows)} rows have:"]
    for index, name in enumerate(header[:MAX_COLUMNS]):
        lines.append(f"- {name}: {_column([row[index] for row in rows if index < len(row)])}")
    if len(header) > MAX_COLUMNS:
        lines.append(f"- and {len(header) - MAX_COLUMNS} more, such as {', '.join(header[-3:])}")
    return "\n".join(lines)


def _column(cells: list[str]) -> str:
    filled = [cell for cell in cells if cell.strip()]
    counts = Counter(filled)
    gaps = f", {len(cells) - len(filled)} empty" if len(filled) < len(cells) else ""
    examples = ", ".join(_cut(repr(value), 40) for value, _ in counts.most_common(4))
    numbers = [number for cell in filled if (number := _number(cell)) is not None]
    if filled and len(numbers) == len(filled):
        return (
            f"numbers from {min(numbers):g} to {max(numbers):g}, {len(counts)} different{gaps};"
            f" {examples}"
        )
    return f"text, {len(counts)} different{gaps}; {examples}"


def _number(cell: str) -> float | None:
    try:
        return float(cell)
    except ValueError:
        return None


def _archive(folder: Path, file: Path) -> str:
    try:
        with zipfile.ZipFile(file) as archive:
            names = archive.namelist()
    except (OSError, zipfile.BadZipFile) as error:
        return f"{file.relative_to(folder)}: cannot be opened ({error})"
    return f"{file.relative_to(folder)}: {len(names)} members, such as {', '.join(names[:4])}"


def _head(folder: Path, file: Path) -> str:
    with file.open(encoding="utf-8", errors="replace") as stream:
        return f"{file.relative_to(folder)} begins with: {stream.read(300)!r}"


def _size(file: Path) -> str:
    size = float(file.stat().st_size)
    for unit in ("B", "KB", "MB"):
        if size < 1000:
            return f"{size:.0f} {unit}"
        size /= 1000
    return f"{size:.1f} GB"


def _cut(text: str, limit: int) -> str:
    return text if len(text) <= limit else text[: limit - 4] + " ..."
