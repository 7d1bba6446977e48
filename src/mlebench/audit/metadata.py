"""Check that no field inside public files of the test part contains or tells the answers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Any

from mlebench.audit.audited import Audited
from mlebench.audit.containers import LARGEST, READERS, content_of, keys_of, missing_library
from mlebench.audit.fields import IMAGES, TABLES, field_names
from mlebench.audit.files import PublicFile
from mlebench.audit.leaks import find_leaks
from mlebench.audit.record import Observation
from mlebench.audit.telling import exceptional_fields, telling_fields
from mlebench.records.audit import Status

SEPARATED = 0.95
COPIED = 0.995
"""For a column that the description names as a feature: only a copy of the labels exceeds it."""

USUAL_NAMES = {"label", "labels", "target", "targets", "answer", "ground_truth", "diagnosis"}
GENERIC = {"id", "value", "x", "y", "x_pos", "y_pos", "predicted", "prediction", "predictionstring"}
TEXTS = (".json", ".jsonl", ".txt", ".xml", ".log", ".nmea", ".yaml", ".mat", ".html", ".md")
OUTLINES = {"geometry", "coordinates", "polygon", "segmentation", "bbox", "annotations", "mask"}
MOST_ANSWERS, SHORTEST, DECIMALS = 300, 12, 6
FOUND_SHARE = 0.2


def check_metadata(audited: Audited) -> Iterator[Observation]:
    """No public field is named as the target, contains answers or separates the labels."""
    yield from (Observation("fail", text) for text in find_leaks(audited))
    files = [file for file in audited.files if is_test_file(audited, file)]
    yield from _named_fields(audited, files)
    yield from _answer_strings(audited, files)
    yield from _separating_fields(audited)
    for name in exceptional_fields(audited):
        text = f"{name}: rows with another value than the most frequent one have one label"
        yield Observation("warn", text)
    yield from _annotations(audited, files)
    if lacking := missing_library({file.suffix for file in audited.files}):
        yield Observation("warn", lacking)
    yield Observation("pass", f"no field of {len(files):,} files of the test part tells answers")


def is_test_file(audited: Audited, file: PublicFile) -> bool:
    is_sample = file.name == audited.competition.sample_submission.name
    is_sample |= "submission" in file.name.lower()
    return audited.part_of(file) == "test" and not is_sample


def _separating_fields(audited: Audited) -> Iterator[Observation]:
    """Fields that tell the labels; features that are described are left to the check `baseline`."""
    for field in telling_fields(audited, SEPARATED):
        text = f"{field} separates {field.target!r}"
        if not field.is_feature or field.separation > COPIED:
            yield Observation("fail", text, field.separation, SEPARATED)
        elif not audited.with_baseline:
            yield Observation("warn", text, field.separation, COPIED)


def _named_fields(audited: Audited, files: list[PublicFile]) -> Iterator[Observation]:
    """Fields with the name of a target, or a usual name of one, inside files of the test part."""
    wanted = ({name.lower() for name in audited.targets} - GENERIC) | USUAL_NAMES
    wanted -= {audited.id_name.lower()}
    tabled = set(audited.test_tables)
    for file in files:
        for name in sorted(field_names(file)):
            # Columns of tables by id are judged by their values.
            is_table = file.path.endswith(TABLES)
            if name.lower() in wanted and not (is_table and file.path in tabled):
                status: Status = "warn" if is_table else "fail"
                yield Observation(status, f"{file.path} has a field {name!r}")


def _answer_strings(audited: Audited, files: list[PublicFile]) -> Iterator[Observation]:
    """Long answers that occur word for word in files of the test part."""
    if audited.competition.answers.suffix != ".csv":
        return
    has_ids = audited.id_name in audited.answers.columns
    answers = audited.answers.set_index(audited.id_name) if has_ids else audited.answers
    for target in audited.targets:
        if target not in answers.columns:
            continue
        known = answers[target].dropna().drop_duplicates()[:MOST_ANSWERS]
        sought = {text: k for k, v in enumerate(known) for text in _spellings(v)}
        items: set[int] = set()
        places: set[str] = set()
        for file in files if sought else ():
            if file.suffix in TEXTS and file.raw.size() <= LARGEST:
                content = file.raw.read_bytes()
                hits = {k for text, k in sought.items() if text in content}
                items |= hits
                places |= {file.path} if hits else set()
        if items and len(items) >= len(known) * FOUND_SHARE:
            text = (
                f"{len(items)} of {len(known)} answers of {target!r} occur in {sorted(places)[0]}"
                f" and {len(places) - 1} more files, as that of {known.index[min(items)]}"
            )
            yield Observation("fail", text, len(items) / len(known), FOUND_SHARE)


def _spellings(value: Any) -> Iterator[bytes]:
    """A long text, or a number with many decimals: plain, and as degrees with minutes in NMEA."""
    if isinstance(value, str):
        if len(value) >= SHORTEST:
            yield value.encode()
    elif isinstance(value, float) and len(repr(value).rpartition(".")[2]) >= DECIMALS:
        yield from _beginnings(value, DECIMALS)
        size = abs(value)
        yield from _beginnings(int(size) * 100 + size % 1 * 60, DECIMALS - 2)


def _beginnings(value: float, decimals: int) -> Iterator[bytes]:
    """A number rounded to some decimals, and cut there: more of them may follow in a file."""
    yield f"{value:.{decimals}f}".encode()
    yield f"{value:.{decimals + 4}f}"[:-4].encode()


def _annotations(audited: Audited, files: list[PublicFile]) -> Iterator[Observation]:
    """Outlines of objects in a container that has the name of a test image, beside the image."""
    images = {f.stem for f in files if f.suffix in IMAGES}
    wanted = images & {PurePosixPath(name).stem for name in audited.sample_ids}
    found = [
        file.path
        for file in files
        if file.suffix in READERS
        and file.stem in wanted
        and OUTLINES & set(keys_of(content_of(file)))
    ]
    if found:
        text = f"{len(found)} of {len(wanted)} test images have outlines beside them, as {found[0]}"
        yield Observation("fail", text, len(found), 0)
