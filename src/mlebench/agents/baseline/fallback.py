"""Copy the sample submission first, so that a valid submission exists whatever happens later."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from .files import Found, is_of_test

HEADER = re.compile(rb'"?id"?,"?\w', re.I)
SAMPLE = re.compile(r"sample.?submission|submission.?sample|random.?predictions|submission.?format")


def find_sample(files: Sequence[Found]) -> Found | None:
    """The sample submission, under any of its usual names; the shortest path wins."""
    fitting = [f for f in files if f.suffix == ".csv" and SAMPLE.search(f.name.lower())]
    return min(fitting, key=lambda f: (len(f.path), f.path), default=None)


def write_whole(data: bytes, out: Path) -> None:
    """Write a file in one step, so that a reader never sees a part of it."""
    out.parent.mkdir(parents=True, exist_ok=True)
    part = out.with_name(f".{out.name}.part")
    part.write_bytes(data)
    part.replace(out)


def find_test_table(files: Sequence[Found]) -> Found | None:
    """A test table with ids, which a submission often resembles if there is no sample."""
    for file in files:
        if file.suffix in (".csv", ".txt") and is_of_test(file.path):
            with file.open() as stream:
                if HEADER.match(stream.readline()):
                    return file
    return None


def copy_sample(files: Sequence[Found], out: Path) -> bool:
    """Copy the sample submission or a substitute; false if there is neither."""
    sample = find_sample(files) or find_test_table(files)
    if sample is None:
        return False
    write_whole(sample.read(), out)
    return True
