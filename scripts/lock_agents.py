"""Write the lock files of agents from PyPI: every package with its version and checksums.

    python scripts/lock_agents.py [AGENT...]

Versions stay as they are in `locked.txt`, where they may be edited before. Checksums are those of
the files that Linux can use, with the versions of Python that we support.
"""

from __future__ import annotations

import re
import sys
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import unquote

from packaging.utils import (
    InvalidSdistFilename,
    InvalidWheelFilename,
    canonicalize_name,
    parse_sdist_filename,
    parse_wheel_filename,
)
from packaging.version import Version

CODING = Path(__file__).parents[1] / "src" / "mlebench" / "agents" / "coding"
INDEX = "https://pypi.org/simple"
LINK = re.compile(r'href="(?:[^"#]*/)?([^/"#]+)#sha256=([0-9a-f]{64})"')
PINNED = re.compile(r"^([\w.-]+)==(\S+)", re.MULTILINE)
LINUX = re.compile(r"any|(?:many)?linux.*_(?:x86_64|aarch64)")
PYTHON = re.compile(r"py3|cp31[1-4]")


def main(names: list[str]) -> None:
    locks = [CODING / name / "locked.txt" for name in names]
    locks = locks or [CODING / "node.txt", *sorted(CODING.glob("*/locked.txt"))]
    for lock in locks:
        pinned = PINNED.findall(lock.read_text("utf-8"))
        with ThreadPoolExecutor(8) as pool:
            lines = list(pool.map(with_checksums, pinned))
        lock.write_text("".join(lines), "utf-8")


def with_checksums(package: tuple[str, str]) -> str:
    """The line of a package: its wheels that fit, or its source where none does."""
    name, version = package
    address = f"{INDEX}/{canonicalize_name(name)}/"
    with urllib.request.urlopen(address) as reply:
        files = dict(LINK.findall(unquote(reply.read().decode())))
    names = list(usable_wheels(files, Version(version)))
    names = names or [file for file in files if is_source(file, Version(version))]
    if not names:
        sys.exit(f"{name} {version}: no file that Linux can use")
    checksums = (f" --hash=sha256:{one}" for one in sorted(files[file] for file in names))
    return f"{name}=={version}{''.join(checksums)}\n"


def usable_wheels(files: dict[str, str], wanted: Version) -> Iterator[str]:
    for file in files:
        try:
            _, version, _, tags = parse_wheel_filename(file)
        except InvalidWheelFilename:
            continue
        if version == wanted and any(
            LINUX.fullmatch(tag.platform)
            and (PYTHON.fullmatch(tag.interpreter) or tag.abi == "abi3")
            and not tag.abi.endswith("t")
            for tag in tags
        ):
            yield file


def is_source(file: str, wanted: Version) -> bool:
    try:
        return parse_sdist_filename(file)[1] == wanted
    except InvalidSdistFilename:
        return False


if __name__ == "__main__":
    main(sys.argv[1:])
