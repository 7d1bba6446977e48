"""Unpacking 7z into one scratch file, by a child process with limited time and memory.

Names, types and sizes are checked before anything is unpacked; no file is created by name.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from mlebench.archives.byte_range import ByteRange
from mlebench.archives.kinds import kind_of, wrong_kind
from mlebench.archives.limits import UnpackingBudget, require_space
from mlebench.archives.names import judge_names
from mlebench.archives.packed import StoredIndex
from mlebench.archives.spooling import scratch_file
from mlebench.errors import BenchError, DataError

MEMORY_BYTES = 4 << 30
BASE_SECONDS = 120
BYTES_PER_SECOND = 200_000
"""Of the packed archive; real archives are about a hundred times faster."""

DAMAGED = "is damaged or not a type of 7z that can be read"


def seven_zip_index(
    source: ByteRange, scratch: Path | None, budget: UnpackingBudget
) -> StoredIndex:
    """The members of a 7z, unpacked one after another into an unnamed file."""
    if kind_of(source) != "7z":
        raise wrong_kind(source, "7z")
    with scratch_file(scratch) as target:
        found = _unpack_in_child(source, target.fileno(), scratch, budget)
        places = {name: (offset, size) for name, offset, size in found["files"]}
        content = ByteRange.of_file(target, source.name, source.place)
        budget.admit(source, len(places), content.size)
    return StoredIndex(content, places, set(found["folders"]))


def _unpack_in_child(
    source: ByteRange, target: int, scratch: Path | None, budget: UnpackingBudget
) -> dict[str, Any]:
    handle = source.file.fileno()
    order = {
        "archive": [handle, source.start, source.size, source.name],
        "target": target,
        "scratch": str(scratch or tempfile.gettempdir()),
        "max_members": budget.max_members - budget.members,
        "max_bytes": budget.max_bytes - budget.bytes,
    }
    seconds = BASE_SECONDS + source.size / BYTES_PER_SECOND
    command = [sys.executable, "-m", "mlebench.archives.seven_zip", json.dumps(order)]
    try:
        done = subprocess.run(
            command, pass_fds=(handle, target), capture_output=True, timeout=seconds, check=False
        )
        found: dict[str, Any] = json.loads(done.stdout)
    except subprocess.TimeoutExpired:
        raise DataError(f"{source.name} was not unpacked after {seconds:.0f} s") from None
    except ValueError:
        raise DataError(
            f"{source.name} {DAMAGED}: unpacking ended with {done.returncode}"
        ) from None
    if "error" in found:
        raise DataError(found["error"], hint=found["hint"])
    return found


def _unpack(order: dict[str, Any]) -> dict[str, Any]:
    """Runs in the child process."""
    import lzma
    import zlib

    import py7zr

    handle, start, size, name = order["archive"]
    with os.fdopen(handle, "rb", closefd=False) as file:
        source = ByteRange(file, start, size, name)
        try:
            with py7zr.SevenZipFile(source.stream()) as archive:
                return _unpack_judged(archive, source, order)
        except (py7zr.Bad7zFile, lzma.LZMAError, zlib.error, EOFError, ValueError) as error:
            raise DataError(f"{name} {DAMAGED}: {error}") from None
        except (py7zr.UnsupportedCompressionMethodError, py7zr.PasswordRequired) as error:
            raise DataError(
                f"{name} is encrypted or packed with an unknown method: {error}"
            ) from None
        except MemoryError:
            raise DataError(f"{name} needs more than {MEMORY_BYTES >> 30} GB to unpack") from None


def _unpack_judged(archive: Any, source: ByteRange, order: dict[str, Any]) -> dict[str, Any]:
    folders = [f.filename.rstrip("/") for f in archive.files if f.is_directory]
    members = [f for f in archive.files if not f.is_directory]
    _judge(archive, members, source, order)
    every_folder = judge_names([f.filename for f in members], folders, source.name)
    places, offset = [], 0
    for member in members:
        places.append((member.filename, offset, member.uncompressed))
        offset += member.uncompressed
    require_space(Path(order["scratch"]), offset)
    os.truncate(order["target"], offset)
    archive.extractall(factory=_pieces(order["target"], places))
    return {"files": places, "folders": sorted(every_folder)}


def _judge(archive: Any, members: list[Any], source: ByteRange, order: dict[str, Any]) -> None:
    if archive.needs_password():
        raise DataError(f"{source.name} is encrypted; expected an unencrypted archive")
    for member in members:
        if not member.is_file or member.is_symlink or member.is_junction or member.is_socket:
            raise DataError(
                f"{source.name} has a link or special file named {member.filename!a};"
                " expected files only"
            )
    if len(members) > order["max_members"]:
        raise DataError(f"{source.name} has {len(members):,} members, which is too many")
    if (size := sum(member.uncompressed for member in members)) > order["max_bytes"]:
        raise DataError(
            f"{source.name} unpacks to {size:,} bytes, expected at most {order['max_bytes']:,}:"
            " refused as a decompression bomb"
        )


def _pieces(target: int, places: list[tuple[str, int, int]]) -> Any:
    """Writers that write each member to its own range of the one file."""
    from py7zr import Py7zIO, WriterFactory

    by_name = {name: (offset, size) for name, offset, size in places}

    class Piece(Py7zIO):
        def __init__(self, name: str) -> None:
            self.start, self.limit = by_name[name]
            self.written = 0

        def write(self, s: bytes | bytearray) -> int:
            if self.written + len(s) > self.limit:
                raise ValueError("a member is larger than it declares")
            view = memoryview(s)
            while view:
                count = os.pwrite(target, view, self.start + self.written)
                self.written += count
                view = view[count:]
            return len(s)

        def read(self, size: int | None = None) -> bytes:
            return b""

        def seek(self, offset: int, whence: int = 0) -> int:
            return 0

        def flush(self) -> None: ...

        def size(self) -> int:
            return self.written

    class Pieces(WriterFactory):
        def create(self, filename: str) -> Py7zIO:
            return Piece(filename)

    return Pieces()


def _main() -> None:
    import resource

    from mlebench.system.children import die_with_parent

    die_with_parent()
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    try:
        found = _unpack(json.loads(sys.argv[1]))
    except BenchError as error:
        found = {"error": str(error), "hint": error.hint}
    except OSError as error:
        found = {"error": f"unpacking failed: {error.strerror}", "hint": None}
    sys.stdout.write(json.dumps(found))


if __name__ == "__main__":
    _main()
