"""Sets neutral modes and times of prepared files, and describes every file."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from mlebench.archives.contents import content_digest, depends_on_library
from mlebench.archives.raw import RawFolder
from mlebench.archives.unpacking import ARCHIVES, extract_archive, unpacked
from mlebench.archives.write_log import WriteLog
from mlebench.archives.writing import CONSTANT_NS
from mlebench.errors import DataError
from mlebench.records.manifest import FileFacts, walk_files
from mlebench.system.files import sha256

MODES = {"public": (0o644, 0o755), "private": (0o600, 0o700)}
"""Of files and folders, whatever the umask."""


def finish_files(prepared: Path, log: WriteLog) -> dict[str, FileFacts]:
    """Set the mode and time of all files, and describe them, sorted by path."""
    described = {}
    for part, (file_mode, folder_mode) in MODES.items():
        for home, _, names in os.walk(prepared / part, topdown=False):
            for name in sorted(names):
                path = f"{home}/{name}"
                described[path[len(str(prepared)) + 1 :]] = finish_file(path, file_mode, log)
            os.chmod(home, folder_mode)  # noqa: PTH101 (a string of os.walk)
            os.utime(home, ns=CONSTANT_NS)
    return dict(sorted(described.items()))


def describe_files(prepared: Path) -> dict[str, FileFacts]:
    """Describe files that another tool has prepared, without changing them."""
    return {
        file.relative_to(prepared).as_posix(): {"size": file.stat().st_size, "sha256": sha256(file)}
        for part in MODES
        for file in walk_files(prepared / part)
    }


def finish_file(path: str, mode: int, log: WriteLog) -> FileFacts:
    """Set the mode and time of a file, and describe it."""
    status = os.lstat(path)
    is_link = status.st_nlink != 1 and path not in log.linked
    if not stat.S_ISREG(status.st_mode) or is_link:
        raise DataError(f"preparation made {path}, which is a link; expected regular files")
    noted = log.hashes.get(path)
    if noted and noted[0] == status.st_size and status.st_mtime_ns == CONSTANT_NS[1]:
        facts = FileFacts(size=status.st_size, sha256=noted[1])
        if path in log.rows:
            facts["rows"] = log.rows[path]
    else:
        facts = FileFacts(size=status.st_size, sha256=sha256(Path(path)))
        if depends_on_library(path):
            facts["content"] = log.contents.get(path) or content_digest(Path(path))
    if stat.S_IMODE(status.st_mode) != mode:
        os.chmod(path, mode)  # noqa: PTH101 (millions of files: no Path)
    if status.st_mtime_ns != CONSTANT_NS[1]:
        os.utime(path, ns=CONSTANT_NS)
    return facts


def unpack_public(public: Path) -> list[str]:
    """Replace each archive of the public data with its content; returns their names."""
    done = []
    for archive in [file for file in walk_files(public) if file.name.endswith(ARCHIVES)]:
        suffix = next(suffix for suffix in ARCHIVES if archive.name.endswith(suffix))
        goal = archive.with_name(archive.name.removesuffix(suffix))
        if goal.exists():
            continue
        is_wrapped = _top_names(archive) == {goal.name}
        extract_archive(archive, goal.parent if is_wrapped else goal)
        archive.unlink()
        done.append(archive.relative_to(public).as_posix())
    return done


def _top_names(archive: Path) -> set[str]:
    """The first parts of all members' paths: an archive `train.zip` may contain `train/…`."""
    with unpacked(RawFolder(archive.parent) / archive.name) as content:
        return {f"{member.path}/".partition("/")[0] for member in content.walk()}
