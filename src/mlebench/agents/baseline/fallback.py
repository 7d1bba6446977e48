"""The first thing to do: put the sample submission where the submission belongs.

Whatever goes wrong later, a valid file is there.
"""

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
    """Write a file so that a reader never sees half of it."""
    out.parent.mkdir(parents=True, exist_ok=True)
    part = out.with_name(f".{out.name}.part")
    part.write_bytes(data)
    part.replace(out)


def find_test_table(files: Sequence[Found]) -> Found | None:
    """A test table with ids: where there is no sample, a submission often looks like it."""
    for file in files:
        if file.suffix in (".csv", ".txt") and is_of_test(file.path):
            with file.open() as stream:
                if HEADER.match(stream.readline()):
                    return file
    return None


def copy_sample(files: Sequence[Found], out: Path) -> bool:
    """Copy the sample submission, or a substitute; returns whether there is one."""
    sample = find_sample(files) or find_test_table(files)
    if sample is None:
        return False
    write_whole(sample.read(), out)
    return True
