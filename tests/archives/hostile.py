"""Archives that lie, made byte by byte: what Python's own writers would refuse to write."""

from __future__ import annotations

import io
import stat
import struct
import tarfile
import zlib
from dataclasses import dataclass, field
from pathlib import Path


@dataclass
class Member:
    """A member of a zip and whatever it claims to be."""

    name: str | bytes
    data: bytes = b"text"
    method: int = 0
    mode: int = stat.S_IFREG | 0o644
    flags: int = 0x800
    disk: int = 0
    declared_size: int | None = None
    declared_packed: int | None = None
    local_name: bytes | None = None
    at: int | None = None
    """Share the local header at this offset instead of having one."""

    raw_name: bytes = field(init=False)

    def __post_init__(self) -> None:
        self.raw_name = self.name.encode() if isinstance(self.name, str) else self.name


def zip_of(*members: Member | str, tail: bytes = b"", count: int | None = None) -> bytes:
    """A zip of the members as they are; a text stands for a plain file of that name."""
    body, table = bytearray(), bytearray()
    for member in [Member(m) if isinstance(m, str) else m for m in members]:
        packed = _deflate(member.data) if member.method == 8 else member.data
        size = len(member.data) if member.declared_size is None else member.declared_size
        told = len(packed) if member.declared_packed is None else member.declared_packed
        offset = len(body) if member.at is None else member.at
        if member.at is None:
            name = member.local_name or member.raw_name
            body += struct.pack(
                "<4s5H3L2H", b"PK\x03\x04", 20, member.flags, member.method, 0, 33,
                zlib.crc32(member.data), told, size, len(name), 0,
            )  # fmt: skip
            body += name + packed
        table += struct.pack(
            "<4s6H3L5H2L", b"PK\x01\x02", 0x0314, 20, member.flags, member.method, 0, 33,
            zlib.crc32(member.data), told, size, len(member.raw_name), 0, 0, member.disk, 0,
            member.mode << 16, offset,
        )  # fmt: skip
        table += member.raw_name
    lines = len(members) if count is None else count
    end = struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, lines, lines, len(table), len(body), 0)
    return bytes(body + table + end + tail)


def _deflate(data: bytes) -> bytes:
    deflater = zlib.compressobj(9, zlib.DEFLATED, -15)
    return deflater.compress(data) + deflater.flush()


def tar_of(*members: tarfile.TarInfo | str, fmt: int = tarfile.GNU_FORMAT) -> bytes:
    """A tar of the members; a text stands for a plain file of that name."""
    out = io.BytesIO()
    for member in members:
        info = tarfile.TarInfo(member) if isinstance(member, str) else member
        data = b"text" if info.isfile() and not info.pax_headers.get("size") else b""
        if data:
            info.size = len(data)
        out.write(info.tobuf(fmt, "utf-8", "surrogateescape"))
        out.write(data + b"\0" * (-len(data) % 512))
    out.write(b"\0" * 1024)
    return out.getvalue()


def tar_special(name: str, kind: bytes, target: str = "") -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.type, info.linkname = kind, target
    return info


def seven_zip_of(path: Path, *names: str, mode: int = stat.S_IFREG | 0o644) -> None:
    """A 7z whose members are called this and are of this kind."""
    import py7zr

    with py7zr.SevenZipFile(path, "w", filters=[{"id": py7zr.FILTER_LZMA2, "preset": 1}]) as new:
        for number in range(len(names)):
            new.writestr(b"text", f"member{number}")
        for name, facts in zip(names, new.header.files_info.files, strict=True):
            facts["filename"] = name
            facts["attributes"] = 0x8000 | mode << 16
