"""Files that scripts generate: written, or with `--check` only compared."""

from __future__ import annotations

import sys
from pathlib import Path


def write_or_check(files: dict[Path, str]) -> int:
    """The exit code of a script: 1 if `--check` found a file that is out of date."""
    stale = [f for f, text in files.items() if not f.exists() or f.read_text("utf-8") != text]
    is_check = "--check" in sys.argv
    for file in stale:
        if is_check:
            print(f"{file.name} is out of date; run: python {sys.argv[0]}")
        else:
            file.write_text(files[file], "utf-8")
            print(f"wrote {file.name}")
    return int(is_check and bool(stale))
