"""The files of a run, the content of one, and the submission compared with the sample."""

from __future__ import annotations

import csv
import io
import os
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Any

from mlebench.catalogue import Catalogue
from mlebench.errors import BenchError
from mlebench.records.folders import CompetitionFolder
from mlebench.records.run import SealedSubmission
from mlebench.viewer.index import Place
from mlebench.viewer.lines import LineIndex
from mlebench.viewer.logs import read_page
from mlebench.viewer.passages import find_passage
from mlebench.viewer.places import Absent, opened_file, pread, split_path, walk
from mlebench.viewer.previews import PreviewFailed, Previews, Readers
from mlebench.viewer.run_page import read_report_of, read_run_of, read_validations_of
from mlebench.viewer.text import clean, clean_all, one_line, show_text

ROOTS = ("code", "logs", "submission", "agent", "host")
MAX_ENTRIES = 5000
MAX_LIST_CHARACTERS = 500_000
GLIMPSE = 64 * 1024
HEAD_ROWS, TAIL_ROWS = 50, 20
MAX_COLUMNS = 100
MAX_SAMPLE = 1 << 30
IMAGES = {
    b"\x89PNG\r\n\x1a\n": "image/png",
    b"\xff\xd8\xff": "image/jpeg",
    b"GIF87a": "image/gif",
    b"GIF89a": "image/gif",
}
LANGUAGES = {name: name for name in "json yaml toml r sql c cpp html".split()} | {
    "py": "python",
    "sh": "shell",
    "jsonl": "json",
    "ipynb": "json",
    "yml": "yaml",
    "md": "markdown",
    "js": "javascript",
    "svg": "html",
    "xml": "html",
}


def list_files(place: Place) -> dict[str, Any]:
    """The entries of the run's folders, up to a limit."""
    found = list(walk(place.root, place.names, ROOTS, MAX_ENTRIES + 1))
    entries, left = [], MAX_LIST_CHARACTERS
    for entry in found[:MAX_ENTRIES]:
        left -= len(entry.path)
        if left < 0:
            break
        facts = {"path": entry.path, "size": entry.size, "kind": entry.kind}
        # The page requests the file by `path`, which may be unsafe to display.
        shown = clean(entry.path)
        entries.append(facts if shown == entry.path else facts | {"shown": shown})
    return {"entries": entries, "truncated": len(found) > len(entries)}


def file_names(place: Place, path: str) -> tuple[str, ...]:
    """The path of a file below the runs folder; only the folders `ROOTS` can be read."""
    names = split_path(path)
    if len(names) < 2 or names[0] not in ROOTS:
        raise Absent("there is no such file in the run's folders")
    return (*place.names, *names)


def image_type(start: bytes) -> str | None:
    """The media type of an image, by its first bytes."""
    if start[:4] == b"RIFF" and start[8:12] == b"WEBP":
        return "image/webp"
    return next((kind for mark, kind in IMAGES.items() if start.startswith(mark)), None)


def show_file(
    place: Place,
    path: str,
    readers: Readers,
    *,
    first: int,
    count: int,
    passage: tuple[int, int] | None = None,
) -> dict[str, Any]:
    """A file as text or as a table; only the facts of an image or a binary file.

    Args:
        passage: offset and length of bytes whose place in the text is wanted.
    """
    ending = path.rpartition(".")[2].lower() if "." in path else ""
    with opened_file(place.root, file_names(place, path)) as descriptor:
        size = os.fstat(descriptor).st_size
        start = pread(descriptor, GLIMPSE, 0)
        facts: dict[str, Any] = {"size": size, "language": LANGUAGES.get(ending)}
        if image_type(start):
            return {"kind": "image", **facts}
        if b"\0" in start:
            return {"kind": "binary", **facts, "note": f"{size:,} bytes, not text"}
        index = readers.lines.of(descriptor)
        if passage is not None:
            facts["passage"] = find_passage(descriptor, index, *passage)
        if ending in ("csv", "tsv"):
            separator = "\t" if ending == "tsv" else ","
            return {
                "kind": "csv",
                **facts,
                **read_table(readers.previews, descriptor, index, separator),
            }
        return {"kind": "text", **facts, **read_page(descriptor, index, first, count)}


def read_table(
    previews: Previews, descriptor: int, index: LineIndex, separator: str = ","
) -> dict[str, Any]:
    """Columns, first and last rows of a CSV file; long cells are cut."""
    last = max(HEAD_ROWS + 1, index.total - TAIL_ROWS)
    windows = []
    for first, count in ((0, HEAD_ROWS + 1), (last, TAIL_ROWS)):
        bounds = index.bounds(descriptor, first, count)
        windows.append((bounds[0], bounds[-1], count) if len(bounds) > 1 else (0, 0, 0))
    facts = {"windows": windows, "separator": separator}
    head, tail = previews.ask("table", facts, [descriptor])
    return {
        "columns": head[0] if head else [],
        "head": head[1:],
        "tail": tail,
        "rows": max(0, index.total - 1),
    }


def describe_submission(place: Place, catalogue: Catalogue, readers: Readers) -> dict[str, Any]:
    """The sealed submission, else the current one, and its differences from the sample."""
    run, _ = read_run_of(place)
    sealed = run.submission if run else SealedSubmission()
    found: dict[str, Any] = {"exists": False, "size": None, "columns": [], "rows": 0}
    found |= {"head": [], "tail": [], "is_sealed": False}
    unreadable = None
    for folder in ("host", "submission"):
        names = [*place.names, folder, "submission.csv"]
        with suppress(Absent), opened_file(place.root, names) as descriptor:
            size = os.fstat(descriptor).st_size
            found |= {"exists": True, "size": size, "is_sealed": folder == "host"}
            try:
                found |= read_table(readers.previews, descriptor, readers.lines.of(descriptor))
            except PreviewFailed as error:
                unreadable = str(error)
            break
    expected = _expected(catalogue, place.row.competition)
    report = read_report_of(place)
    return found | {
        "sha256": sealed.sha256[:64] if sealed.sha256 else None,
        "problem": one_line(sealed.problem, 500) if sealed.problem else unreadable,
        "expected": expected,
        "differences": _differences(found, expected) if found["columns"] else [],
        "report": clean_all(report.to_dict()) if report else None,
        "validation": _last_validation(place),
    }


def _last_validation(place: Place) -> dict[str, Any] | None:
    calls = read_validations_of(place)
    if not calls:
        return None
    message = show_text(calls[-1].reason or "", 2000).text
    return {"valid": calls[-1].valid, "message": message or "Submission is valid."}


def _expected(catalogue: Catalogue, competition_id: str) -> dict[str, Any] | None:
    """Columns and rows of the public sample submission; no other file of the data is read."""
    # Checked first, because loading the definition takes a second.
    if not CompetitionFolder(catalogue.get_data_dir(), competition_id).public.is_dir():
        return None
    try:
        competition = catalogue.get_competition(competition_id)
    except (BenchError, ImportError):
        return None
    name = competition.definition.sample_submission
    if not name.startswith("public/") or not name.endswith(".csv"):
        return None
    try:
        found = competition.sample_submission.stat()
        if found.st_size > MAX_SAMPLE:
            return None
        return _sample_shape(competition.sample_submission, found.st_mtime_ns, found.st_size)
    except (OSError, csv.Error, StopIteration):
        return None


@lru_cache(maxsize=128)
def _sample_shape(sample: Path, _mtime: int, size: int) -> dict[str, Any]:
    with sample.open("rb") as stream:
        start = stream.read(GLIMPSE).decode("utf-8", "replace")
        columns = next(csv.reader(io.StringIO(start, newline="")))
        index = LineIndex()
        index.advance(stream.fileno(), seconds=60)
    return {"columns": columns[:MAX_COLUMNS], "rows": max(0, index.total - 1)}


def _differences(found: dict[str, Any], expected: dict[str, Any] | None) -> list[str]:
    if expected is None:
        return []
    sentences = []
    ours, theirs = found["columns"], expected["columns"]
    if missing := [name for name in theirs if name not in ours]:
        sentences.append(f"columns are missing: {', '.join(missing[:10])}")
    if unknown := [name for name in ours if name not in theirs]:
        sentences.append(f"columns were not expected: {', '.join(unknown[:10])}")
    if found["rows"] != expected["rows"]:
        sentences.append(f"{found['rows']:,} rows, {expected['rows']:,} in the sample")
    return sentences
