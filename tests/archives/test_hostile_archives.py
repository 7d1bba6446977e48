"""Each row of the threat list about archives: refused with a reason, and nothing is left behind."""

from __future__ import annotations

import gzip
import io
import stat
import tarfile
import time
import zipfile
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path

import pytest

from mlebench.archives.limits import UnpackingBudget
from mlebench.archives.raw import RawFolder
from mlebench.archives.unpacking import extract_archive, unpacked
from mlebench.catalogue import Catalogue
from mlebench.errors import DataError
from mlebench.preparing.prepare import PrepareOptions, prepare
from tests.archives.hostile import Member, seven_zip_of, tar_of, tar_special, zip_of

BAD_NAMES = {
    "parent": "../evil",
    "absolute": "/abs",
    "inner parent": "a/../../b",
    "backslash": "..\\evil",
    "drive": "C:\\x",
    "drive without slash": "C:x",
    "dot": ".",
    "dot dot": "..",
    "empty part": "a//b",
    "newline": "a\nb",
    "escape": "a\x1b[2Jb",
    "right to left": "a\u202egpj.exe",
    "trailing dot": "a./b",
    "trailing blank": "a /b",
    "long": "x" * 300,
    "long path": "/".join(["y" * 200] * 6),
    "deep": "/".join("z" * 40),
}


@pytest.fixture
def refuse(tmp_path: Path) -> Callable[..., str]:
    """Write an archive, try to unpack it, and give the reason why it was refused."""

    def refusing(name: str, data: bytes | Callable[[Path], object]) -> str:
        source = tmp_path / "source"
        source.mkdir(exist_ok=True)
        archive = source / name
        if isinstance(data, bytes):
            archive.write_bytes(data)
        else:
            data(archive)
        goal = tmp_path / "goal"
        with pytest.raises(DataError) as raised:
            extract_archive(archive, goal, recursive=True)
        assert not any(goal.rglob("*"))
        assert sorted(path.name for path in tmp_path.iterdir() if path != goal) == ["source"]
        reason = str(raised.value)
        assert reason.isprintable()
        return reason

    return refusing


def archive_of(kind: str, *names: str) -> bytes | Callable[[Path], None]:
    """Plain files of these names, or a function that writes them where bytes are not enough."""
    if kind == "7z":
        return lambda path: seven_zip_of(path, *names)
    return zip_of(*names) if kind == "zip" else tar_of(*names)


@pytest.mark.parametrize("name", BAD_NAMES.values(), ids=BAD_NAMES.keys())
@pytest.mark.parametrize("kind", ["zip", "tar", "7z"])
def test_z01_z08_names(kind: str, name: str, refuse: Callable[..., str]) -> None:
    reason = refuse(f"a.{kind}", archive_of(kind, "fine", name))
    assert "a." in reason
    assert "has a member named" in reason


def test_z01_empty_name(refuse: Callable[..., str]) -> None:
    assert "is empty" in refuse("a.zip", zip_of(Member("")))


def test_z08_nul_and_not_utf8(refuse: Callable[..., str]) -> None:
    assert "control" in refuse("a.zip", zip_of(Member(b"a.csv\0../../evil")))
    assert "not UTF-8" in refuse("a.zip", zip_of(Member(b"\xff\xfe.csv")))
    info = tarfile.TarInfo("caf\udce9.csv")
    assert "not UTF-8" in refuse("a.tar", tar_of(info))


def test_tar_of_the_folder_itself_is_fine(tmp_path: Path) -> None:
    (tmp_path / "a.tar").write_bytes(tar_of(tar_special("./", tarfile.DIRTYPE), "./b/c.csv"))
    extract_archive(tmp_path / "a.tar", tmp_path / "goal")
    assert (tmp_path / "goal" / "b" / "c.csv").read_text() == "text"


@pytest.mark.parametrize(
    "mode", [stat.S_IFLNK, stat.S_IFIFO, stat.S_IFCHR, stat.S_IFBLK, stat.S_IFSOCK]
)
def test_z02_links_and_specials_in_zip_and_7z(mode: int, refuse: Callable[..., str]) -> None:
    link = Member("ln", data=b"../", mode=mode | 0o777)
    assert "expected files only" in refuse("a.zip", zip_of(link, "ln/evil"))
    reason = refuse("a.7z", lambda path: seven_zip_of(path, "ln", mode=mode | 0o777))
    assert "expected files only" in reason


def test_z03_tar_links(refuse: Callable[..., str]) -> None:
    for kind, target in (
        (tarfile.SYMTYPE, "../"),
        (tarfile.SYMTYPE, "/etc"),
        (tarfile.LNKTYPE, "fine"),
        (tarfile.LNKTYPE, "missing"),
    ):
        reason = refuse("a.tar", tar_of("fine", tar_special("ln", kind, target), "ln/evil"))
        assert "link" in reason
    assert "link" in refuse(
        "a.tar.gz", gzip.compress(tar_of(tar_special("ln", tarfile.SYMTYPE, "/etc")))
    )


def test_z03_path_longer_than_the_kernel_allows(refuse: Callable[..., str]) -> None:
    """Sixteen long folders, each reached through a short link, as in CVE-2025-4517."""
    members, path = [], ""
    for step in "abcdefghijklmnop":
        members.append(tar_special(f"{path}{'d' * 247}", tarfile.DIRTYPE))
        members.append(tar_special(f"{path}{step}", tarfile.SYMTYPE, "d" * 247))
        path += f"{step}/"
    members.append(tar_special(f"{path}{'l' * 254}", tarfile.SYMTYPE, "../" * 16))
    members.append(tar_special("escape", tarfile.SYMTYPE, f"{path}{'l' * 254}/../../evil"))
    assert "link" in refuse("a.tar", tar_of(*members))


@pytest.mark.parametrize(
    "kind", [tarfile.FIFOTYPE, tarfile.CHRTYPE, tarfile.BLKTYPE, tarfile.GNUTYPE_SPARSE, b"Z"]
)
def test_z04_tar_specials(kind: bytes, refuse: Callable[..., str]) -> None:
    assert "expected files only" in refuse("a.tar", tar_of("fine", tar_special("odd", kind)))


def test_z04_sparse_by_extended_header(refuse: Callable[..., str]) -> None:
    info = tarfile.TarInfo("huge")
    info.pax_headers = {"GNU.sparse.major": "1", "GNU.sparse.realsize": str(2**40)}
    assert "sparse" in refuse("a.tar", tar_of(info, fmt=tarfile.PAX_FORMAT))


def test_z04_modes_and_owners_do_not_come_along(tmp_path: Path) -> None:
    info = tarfile.TarInfo("tool")
    info.mode, info.uid = 0o6777, 12345
    (tmp_path / "a.tar").write_bytes(tar_of(info))
    extract_archive(tmp_path / "a.tar", tmp_path / "goal")
    status = (tmp_path / "goal" / "tool").stat()
    assert stat.S_IMODE(status.st_mode) & 0o7133 == 0
    assert status.st_uid != 12345


def test_z05_bombs(refuse: Callable[..., str]) -> None:
    zeros = bytes(120 << 20)
    assert "bomb" in refuse("a.zip", zip_of(Member("zeros", zeros, method=8)))
    assert "bomb" in refuse("a.tar.gz", gzip.compress(zeros[: 100 << 20]))
    members = gzip.compress(zeros[: 1 << 20]) * 100
    assert "bomb" in refuse("a.gz", members)


def test_z05_seven_zip_bomb(refuse: Callable[..., str]) -> None:
    import py7zr

    def make(path: Path) -> None:
        with py7zr.SevenZipFile(path, "w") as new:
            new.writestr(bytes(120 << 20), "zeros")

    assert "bomb" in refuse("a.7z", make)


def test_z05_member_larger_than_it_declares(refuse: Callable[..., str]) -> None:
    lying = Member("zeros", bytes(50 << 20), method=8, declared_size=1000)
    assert "declared" in refuse("a.zip", zip_of(lying))


def test_z05_nested_ten_thousand_fold(refuse: Callable[..., str]) -> None:
    inner = zip_of(Member("zeros", bytes(100 << 20), method=8))
    outer = zip_of(Member("inner.zip", inner, method=8))
    assert 10_000 * len(outer) < 100 << 20
    assert "bomb" in refuse("a.zip", outer)


def test_z05_archives_of_one_name_count_each(refuse: Callable[..., str]) -> None:
    inner = zip_of(Member("zeros", bytes(40 << 20), method=8))
    members = [Member(f"{folder}/inner.zip", inner, method=8) for folder in "abc"]
    assert "bomb" in refuse("a.zip", zip_of(*members))
    outer = [Member(f"{name}.zip", zip_of(members[0])) for name in "abc"]
    assert "bomb" in refuse("a.zip", zip_of(*outer))


def test_z06_overlap(refuse: Callable[..., str]) -> None:
    first = Member("kernel", bytes(1 << 20), method=8)
    shared = [Member(f"copy{n}", bytes(1 << 20), method=8, at=0) for n in range(300)]
    assert "overlap" in refuse("a.zip", zip_of(first, *shared))


def test_z06_quoted_overlap(refuse: Callable[..., str]) -> None:
    """One member's data is the next one's header and data."""
    inner = zip_of("inner")[:-50]
    quoting = Member("outer", inner)
    start = 30 + len("outer")
    assert "overlap" in refuse("a.zip", zip_of(quoting, Member("inner", at=start)))


def test_z06_forged_sizes(refuse: Callable[..., str]) -> None:
    huge = Member("huge", declared_packed=2**31, declared_size=2**31)
    assert "overlap" in refuse("a.zip", zip_of(huge))
    lying = Member("huge", b"x" * 100, method=8, declared_size=2**31)
    assert "impossible size" in refuse("a.zip", zip_of(lying))


COLLISIONS = {
    "twice": ("a.csv", "a.csv"),
    "case": ("A.csv", "a.csv"),
    "folder case": ("A/x.csv", "a/y.csv"),
    "Unicode form": ("caf\u00e9.csv", "cafe\u0301.csv"),
    "file and folder": ("a", "a/b"),
    "file and folder by case": ("A", "a/b"),
}


@pytest.mark.parametrize("names", COLLISIONS.values(), ids=COLLISIONS.keys())
@pytest.mark.parametrize("kind", ["zip", "tar", "7z"])
def test_z07_collisions(kind: str, names: tuple[str, ...], refuse: Callable[..., str]) -> None:
    reason = refuse(f"a.{kind}", archive_of(kind, *names))
    assert "two members" in reason or "ambiguous" in reason
    assert ascii(names[0].split("/")[0]).strip("'") in reason


def test_z09_depth(tmp_path: Path) -> None:
    data = zip_of("core.csv")
    for _ in range(3):
        data = zip_of(Member("inner.zip", data))
    (tmp_path / "a.zip").write_bytes(data)
    with pytest.raises(DataError, match="archives deep"):
        extract_archive(tmp_path / "a.zip", tmp_path / "goal", recursive=True)
    with (
        unpacked(RawFolder(tmp_path) / "a.zip") as one,
        unpacked(one / "inner.zip") as two,
        unpacked(two / "inner.zip") as three,
    ):
        assert (three / "inner.zip").is_file()


def test_z09_many_empty_members(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def small_budget(size: int) -> UnpackingBudget:
        return UnpackingBudget(size, max_members=1000)

    monkeypatch.setattr("mlebench.archives.unpacking.UnpackingBudget", small_budget)
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for number in range(1001):
            archive.writestr(f"{number}", b"")
    (tmp_path / "a.zip").write_bytes(stream.getvalue())
    with pytest.raises(DataError, match="1,001 members"), unpacked(RawFolder(tmp_path) / "a.zip"):
        pass


NOT_A_ZIP = {
    "empty": (b"", "is empty"),
    "page": (b"<!DOCTYPE html>\n<html><body>Log in</body></html>", "HTML page"),
    "page without doctype": (b"  \n<HTML><head>", "HTML page"),
    "pointer": (b"version https://git-lfs.github.com/spec/v1\noid sha256:1\n", "Git-LFS"),
    "text": (b"id,label\n1,0\n", "is not a zip archive"),
    "split": (b"PK\x07\x08" + bytes(50), "split zip"),
    "other kind": (b"7z\xbc\xaf\x27\x1c" + bytes(50), "is a 7z archive"),
    "gzip": (gzip.compress(b"x"), "is a gzip archive"),
    "truncated": (zip_of("a", "b")[:-10], "truncated"),
    "trailing bytes": (zip_of("a") + b"\0garbage", "bytes after its end"),
    "bytes in front": (b"MZ" + zip_of("a"), "is not a zip archive"),
    "encrypted": (zip_of(Member("a", flags=1)), "is encrypted"),
    "deflate64": (zip_of(Member("a", method=9)), "deflate64"),
    "unknown method": (zip_of(Member("a", method=77)), "number 77"),
    "multi-disk": (zip_of(Member("a", disk=3)), "split zip"),
    "count too high": (zip_of("a", count=2), "central directory"),
    "count too low": (zip_of("a", "b", count=1), "central directory"),
    "garbled table": (zip_of("a").replace(b"PK\x01\x02", b"PK\x01\x03"), "central directory"),
    "garbled header": (zip_of(Member("a", local_name=b"b")), "not where its directory says"),
    "garbled data": (zip_of(Member("a", b"\xff" * 50, method=8)).replace(b"\xfb", b"\xff", 1),
                     "damaged"),
    "wrong checksum": (zip_of(Member("a", b"some text")).replace(b"some", b"same"), "checksum"),
}  # fmt: skip


@pytest.mark.parametrize(("data", "expected"), NOT_A_ZIP.values(), ids=NOT_A_ZIP.keys())
def test_z10_not_what_it_says(data: bytes, expected: str, refuse: Callable[..., str]) -> None:
    assert expected in refuse("a.zip", data)


def test_z10_large_end_record_that_disagrees(refuse: Callable[..., str]) -> None:
    import struct

    plain = zip_of("a")
    at = len(plain) - 22
    size, offset = struct.unpack_from("<2L", plain, at + 12)
    large = struct.pack("<4sQ2H2L4Q", b"PK\x06\x06", 44, 45, 45, 0, 0, 9, 9, size, offset)
    locator = struct.pack("<4sLQL", b"PK\x06\x07", 0, at, 1)
    assert "disagree" in refuse("a.zip", plain[:at] + large + locator + plain[at:])


@pytest.mark.parametrize("name", ["a.7z", "a.tar", "a.gz"])
def test_z10_other_kinds_are_named_too(name: str, refuse: Callable[..., str]) -> None:
    assert "HTML page" in refuse(name, b"<!doctype html><html>")
    assert "Git-LFS" in refuse(name, b"version https://git-lfs.github.com/spec/v1\n")
    assert "empty" in refuse(name, b"")


def test_z10_cut_archives_of_other_kinds(tmp_path: Path, refuse: Callable[..., str]) -> None:
    seven_zip_of(tmp_path / "whole.7z", "a")
    whole = (tmp_path / "whole.7z").read_bytes()
    (tmp_path / "whole.7z").unlink()
    assert "damaged" in refuse("a.7z", whole[:-20])
    assert "cut short" in refuse("a.tar", tar_of("a")[:514])
    assert "cut short" in refuse("a.tar.gz", gzip.compress(tar_of("a"))[:-12])


@pytest.mark.parametrize("fmt", ["octal", "binary", "pax"])
def test_z11_negative_size_ends_at_once(fmt: str, refuse: Callable[..., str]) -> None:
    info = tarfile.TarInfo("a")
    if fmt == "pax":
        info.pax_headers = {"size": "-512"}
        data = tar_of(info, fmt=tarfile.PAX_FORMAT)
    else:
        block = bytearray(info.tobuf(tarfile.GNU_FORMAT))
        block[124:136] = b"-0000001000\0" if fmt == "octal" else b"\xff" * 11 + b"\x00"
        block[148:156] = b"%06o\0 " % (sum(block[:148]) + 256 + sum(block[156:]))
        data = bytes(block) + bytes(1024)
    start = time.monotonic()
    reason = refuse("a.tar", data)
    assert "impossible size" in reason or "garbled" in reason
    assert time.monotonic() - start < 10


def test_z11_library_is_new_enough() -> None:
    assert tuple(map(int, version("py7zr").split(".")[:3])) >= (1, 1, 3)


def test_nobody_uses_extractall_on_tar_or_zip() -> None:
    from mlebench.catalogue import PACKAGE

    uses = [
        file.relative_to(PACKAGE).as_posix()
        for file in PACKAGE.rglob("*.py")
        if "extractall(" in file.read_text("utf-8")
    ]
    # The one of 7z hands every byte to our own writer.
    assert set(uses) <= {"archives/seven_zip.py", "agents/baseline/files.py"}


def test_prepare_refuses_a_hostile_archive_and_leaves_nothing(tmp_path: Path) -> None:
    competition = Catalogue(tmp_path).get_competition("spaceship-titanic")
    competition.folder.path.mkdir()
    competition.folder.archive.write_bytes(zip_of("../evil", "train.csv"))
    with pytest.raises(DataError, match="evil"):
        prepare(competition, options=PrepareOptions(verify=False))
    left = sorted(path.name for path in competition.folder.path.iterdir())
    assert left == [".lock", "spaceship-titanic.zip"]
    assert [path.name for path in tmp_path.iterdir()] == ["spaceship-titanic"]
