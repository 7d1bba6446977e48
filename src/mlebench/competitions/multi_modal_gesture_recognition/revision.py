"""Revision v1.1: the test recordings are rewritten without their labels."""

import gzip
import io
import tarfile
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import cast

from mlebench.archives.copying import CONSTANT_DATE
from mlebench.archives.raw import Raw
from mlebench.archives.writing import CONSTANT_TIME, open_output
from mlebench.competitions.multi_modal_gesture_recognition.prepare import (
    LABELLED,
    ids_of,
    write_all_but_test,
)
from mlebench.recipes.mat import is_mat, keep_fields
from mlebench.revision import Changes, Fix

SHOWN = ("_audio.wav", "_color.mp4", "_data.mat", "_depth.mp4", "_user.mp4")
FIELDS = ("NumFrames", "FrameRate", "MaxDepth", "Frames")
LABELS = ("Labels", "Label")


def prepare(raw: Raw, public: Path, private: Path, *, test_part: int = 4) -> None:
    """As v1, but the archive of the test recordings is read once, and written with less."""
    names = write_shown(raw / LABELLED.format(test_part), public / "test.tar.gz")
    write_all_but_test(raw, public, private, ids=ids_of(names), test_part=test_part)


def write_shown(source: Raw, target: Path) -> list[str]:
    """An archive of recordings, with listed files and fields only; returns the source's names."""
    names = []
    with (
        source.open() as stream,
        tarfile.open(fileobj=stream, mode="r|gz") as members,
        open_output(target) as goal,
        # No compression: the zips inside do not shrink, and the bytes depend on no library.
        gzip.GzipFile("", "wb", 0, cast(io.BytesIO, goal), CONSTANT_TIME) as packed,
        tarfile.open(fileobj=packed, mode="w|") as archive,
    ):
        for member in members:
            names.append(member.name)
            content = members.extractfile(member) if member.name.endswith(".zip") else None
            if content is None:
                continue
            data = shown_recording(content.read())
            entry = tarfile.TarInfo(member.name)
            entry.size, entry.mtime = len(data), CONSTANT_TIME
            archive.addfile(entry, io.BytesIO(data))
    return names


def shown_recording(data: bytes) -> bytes:
    """The zip of one recording with the listed files only, stored without compression."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as goal:
        for name, content in shown_files(data):
            goal.writestr(zipfile.ZipInfo(name, CONSTANT_DATE), content)
    return out.getvalue()


def shown_files(data: bytes) -> Iterator[tuple[str, bytes]]:
    with zipfile.ZipFile(io.BytesIO(data)) as source:
        for name in sorted(source.namelist()):
            if not name.endswith(SHOWN):
                continue
            content = source.read(name)
            if not name.endswith(".mat"):
                yield name, content
            elif is_mat(content):
                yield name, keep_fields(content, FIELDS, never=LABELS)
            # A file of another kind cannot be searched for labels and is left out.


changes = Changes(
    fixes=(
        Fix(
            "the .mat files of the test recordings contain the labels",
            "test recordings have sound, three videos and a .mat file without labels, nothing else",
            "#77",
            traces=(
                "loadmat labels test",
                "loadmat labels validation",
            ),
        ),
    ),
    comparability="near",
    flags=("edited: 35 of the board's 54 rows were removed, so that gold is the best human score",),
    prepare=prepare,
)
