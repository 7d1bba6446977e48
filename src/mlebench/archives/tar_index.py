"""The members of a tar, found by walking its headers; their data is read in place.

Nothing is extracted by name, so links, devices and paths are harmless.
"""

from __future__ import annotations

import tarfile
from collections.abc import Iterator

from mlebench.archives.byte_range import ByteRange
from mlebench.archives.kinds import kind_of, wrong_kind
from mlebench.archives.limits import UnpackingBudget
from mlebench.archives.names import judge_names
from mlebench.archives.packed import StoredIndex
from mlebench.errors import DataError

BLOCK = 512
MAX_HEADER_BYTES = 1 << 20
"""Long names and extended headers are far smaller."""

META = (tarfile.XHDTYPE, tarfile.XGLTYPE, tarfile.GNUTYPE_LONGNAME)
FILES = (tarfile.REGTYPE, tarfile.AREGTYPE, tarfile.CONTTYPE)
KINDS = {
    tarfile.LNKTYPE: "hard link",
    tarfile.SYMTYPE: "link",
    tarfile.GNUTYPE_LONGLINK: "link",
    tarfile.CHRTYPE: "device",
    tarfile.BLKTYPE: "device",
    tarfile.FIFOTYPE: "pipe",
    tarfile.GNUTYPE_SPARSE: "sparse file",
}


def tar_index(source: ByteRange, budget: UnpackingBudget) -> StoredIndex:
    """Check every member of an uncompressed tar."""
    if kind_of(source) != "tar":
        raise wrong_kind(source, "tar")
    places: dict[str, tuple[int, int]] = {}
    folders = set()
    for name, offset, size in _members(source):
        if offset is None:
            folders.add(name)
        elif name in places:
            raise DataError(f"{source.name} has two members named {name!a}")
        else:
            places[name] = (offset, size)
            if len(places) > budget.max_members:
                raise DataError(f"{source.name} has more than {budget.max_members:,} members")
    every_folder = judge_names(places, folders - {""}, source.name)
    budget.admit(source, len(places), sum(size for _, size in places.values()))
    return StoredIndex(source, places, every_folder)


def _members(source: ByteRange) -> Iterator[tuple[str, int | None, int]]:
    """Name, offset (None for a folder) and size of each member."""
    at = 0
    extended: dict[str, str] = {}
    while (header := _header(source, at)) is not None:
        at += BLOCK
        size = _size(source, header, extended)
        if at + size > source.size:
            raise source.damaged(f"the member {header.name!a} is cut short")
        if header.type in META:
            extended |= _extension(source, header, source.read_at(at, size))
        else:
            yield _member(source, header, extended, at, size)
            extended = {}
        at += -(-size // BLOCK) * BLOCK


def _header(source: ByteRange, at: int) -> tarfile.TarInfo | None:
    block = source.read_at(at, BLOCK)
    try:
        return tarfile.TarInfo.frombuf(block, "utf-8", "surrogateescape")
    # The types of the standard library do not list these two.
    except (tarfile.EOFHeaderError, tarfile.EmptyHeaderError):  # type: ignore[attr-defined]
        return None
    except (tarfile.HeaderError, ValueError) as error:
        raise source.damaged(f"a header of the tar is garbled: {error}") from None


def _size(source: ByteRange, header: tarfile.TarInfo, extended: dict[str, str]) -> int:
    declared = extended.get("size", str(header.size))
    is_meta = header.type in META
    size = header.size if is_meta else int(declared) if declared.isdecimal() else -1
    if size < 0 or (is_meta and size > MAX_HEADER_BYTES):
        raise source.damaged(f"the member {header.name!a} declares an impossible size")
    return size


def _extension(source: ByteRange, header: tarfile.TarInfo, data: bytes) -> dict[str, str]:
    """A long name, or the records `<length> <key>=<value>` of an extended header."""
    if header.type == tarfile.GNUTYPE_LONGNAME:
        return {"path": data.rstrip(b"\0").decode("utf-8", "surrogateescape")}
    records = {}
    while data:
        length, _, _ = data.partition(b" ")
        if not length.isdigit() or not 0 < int(length) <= len(data):
            break
        key, _, value = data[len(length) + 1 : int(length) - 1].partition(b"=")
        records[key.decode("utf-8", "replace")] = value.decode("utf-8", "surrogateescape")
        data = data[int(length) :]
    if any(key.startswith("GNU.sparse") for key in records):
        raise DataError(f"{source.name} has a sparse file; expected plain files only")
    if header.type == tarfile.XGLTYPE and records.keys() & {"path", "size"}:
        raise source.damaged("it declares one name or size for all its members")
    return records if header.type == tarfile.XHDTYPE else {}


def _member(
    source: ByteRange, header: tarfile.TarInfo, extended: dict[str, str], at: int, size: int
) -> tuple[str, int | None, int]:
    name = extended.get("path", header.name)
    # `tar` writes `./a` when it packs the current folder.
    plain = name.removeprefix("./")
    if header.type == tarfile.DIRTYPE:
        return "" if name in (".", "./") else plain.rstrip("/"), None, 0
    if header.type not in FILES:
        kind = KINDS.get(header.type, "special file")
        raise DataError(f"{source.name} has a {kind} named {name!a}; expected files only")
    return plain, at, size
