"""Downloads survive cuts, busy servers and full disks; nothing half ever looks whole."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mlebench.catalogue import LocatedCompetition
from mlebench.errors import DataError, UsageError
from mlebench.kaggle import download
from mlebench.kaggle.download import OnBytes, fetch_archive
from mlebench.kaggle.partial import PartialFile
from mlebench.preparing.verify import official_checksums
from mlebench.system.retrying import RetryPolicy
from tests.kaggle_server import Contest, Cut, KaggleServer, Silence, Status
from tests.kaggle_server.fixtures import make_zip

Serve = Callable[[bytes], tuple[LocatedCompetition, Contest]]

ARCHIVE = make_zip(3_000_000)


def download_archive(
    competition: LocatedCompetition,
    on_progress: OnBytes = lambda done, total: None,
    *,
    verify: bool = True,
    policy: RetryPolicy | None = None,
) -> Path:
    """Download as preparation does."""
    md5 = official_checksums(competition).get("zip") if verify else None
    archive = competition.folder.archive
    return fetch_archive(
        competition.id, archive, md5=md5, on_progress=on_progress, policy=policy
    ).path


def files_of(competition: LocatedCompetition) -> list[str]:
    home = competition.folder.path
    return sorted(file.name for file in home.iterdir()) if home.exists() else []


def test_download_is_verified_and_named(kaggle_server: KaggleServer, serve: Serve) -> None:
    competition, _ = serve(ARCHIVE)
    seen: list[tuple[int, int]] = []
    path = download_archive(competition, lambda done, total: seen.append((done, total)))
    assert path == competition.folder.archive
    assert path.read_bytes() == ARCHIVE
    assert files_of(competition) == ["spaceship-titanic.zip"]
    assert seen[-1] == (len(ARCHIVE), len(ARCHIVE))
    assert [done for done, _ in seen] == sorted({done for done, _ in seen})
    assert kaggle_server.bytes_sent(competition.id) == len(ARCHIVE)


def test_existing_archive_needs_no_account(
    spaceship: LocatedCompetition, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(download, "log_in", lambda _: pytest.fail("asked for an account"))
    spaceship.folder.path.mkdir(parents=True)
    spaceship.folder.archive.write_bytes(b"mine")
    assert download_archive(spaceship).read_bytes() == b"mine"


@pytest.mark.parametrize("with_reset", [False, True])
def test_five_cuts_resume_five_times(
    kaggle_server: KaggleServer, serve: Serve, policy: RetryPolicy, with_reset: bool
) -> None:
    competition, _ = serve(ARCHIVE)
    kaggle_server.fail("storage", *(Cut(400_000 + k, with_reset) for k in range(5)))
    path = download_archive(competition, policy=policy)
    assert path.read_bytes() == ARCHIVE
    ranges = [request.byte_range for request in kaggle_server.seen("storage")]
    assert len(ranges) == 6
    assert ranges[0] == "bytes=0-"
    assert len(set(ranges)) == 6
    # A reset throws away what the server has handed to its kernel; nobody can make use of that.
    if not with_reset:
        assert kaggle_server.bytes_sent(competition.id) <= 1.01 * len(ARCHIVE)


def test_cuts_after_some_progress_never_end_the_download(
    kaggle_server: KaggleServer, serve: Serve, policy: RetryPolicy
) -> None:
    competition, _ = serve(ARCHIVE)
    kaggle_server.fail("storage", *[Cut(150_000)] * 15)
    assert download_archive(competition, policy=policy).read_bytes() == ARCHIVE


def test_next_call_continues_where_the_last_one_gave_up(
    kaggle_server: KaggleServer, serve: Serve, policy: RetryPolicy
) -> None:
    competition, _ = serve(ARCHIVE)
    kaggle_server.fail("storage", Cut(1_000_000), *[Cut(0)] * 3)
    with pytest.raises(DataError, match="gave up after 3 tries"):
        download_archive(competition, policy=policy)
    assert files_of(competition) == [
        "spaceship-titanic.zip.part",
        "spaceship-titanic.zip.part.json",
    ]
    assert download_archive(competition, policy=policy).read_bytes() == ARCHIVE
    assert kaggle_server.seen("storage")[-1].byte_range == "bytes=1000000-"
    assert files_of(competition) == ["spaceship-titanic.zip"]


@pytest.mark.parametrize(("size", "received"), [(3_500_000, 1_000_000), (9_000_000, 8_000_000)])
def test_archive_replaced_in_the_meantime_starts_anew(
    kaggle_server: KaggleServer, serve: Serve, policy: RetryPolicy, size: int, received: int
) -> None:
    """Also if more bytes were received than the new one has."""
    competition, contest = serve(ARCHIVE)
    contest.archive = make_zip(size)
    kaggle_server.fail("storage", Cut(received), *[Cut(0)] * 3)
    with pytest.raises(DataError):
        download_archive(competition, policy=policy)
    contest.archive = ARCHIVE
    assert download_archive(competition, policy=policy).read_bytes() == ARCHIVE


def test_server_without_ranges_starts_anew(
    kaggle_server: KaggleServer, serve: Serve, policy: RetryPolicy
) -> None:
    competition, contest = serve(ARCHIVE)
    contest.has_ranges = False
    kaggle_server.fail("storage", Cut(1_000_000))
    assert download_archive(competition, policy=policy).read_bytes() == ARCHIVE


@pytest.mark.parametrize("endpoint", ["DownloadDataFiles", "storage"])
@pytest.mark.parametrize("code", [429, 500, 502, 503])
def test_busy_server_is_waited_for(
    kaggle_server: KaggleServer, serve: Serve, policy: RetryPolicy, endpoint: str, code: int
) -> None:
    competition, _ = serve(ARCHIVE)
    page = Status(code, body=b"<html>busy</html>", content_type="text/html")
    kaggle_server.fail(endpoint, Status(code), page)
    assert download_archive(competition, policy=policy).read_bytes() == ARCHIVE


def test_retry_after_is_honoured(
    kaggle_server: KaggleServer, serve: Serve, policy: RetryPolicy
) -> None:
    competition, _ = serve(ARCHIVE)
    kaggle_server.fail("DownloadDataFiles", Status(429, headers={"Retry-After": "1"}))
    start = time.monotonic()
    download_archive(competition, policy=policy)
    assert time.monotonic() - start >= 1


def test_long_retry_after_ends_the_download(
    kaggle_server: KaggleServer, serve: Serve, policy: RetryPolicy
) -> None:
    competition, _ = serve(ARCHIVE)
    kaggle_server.fail("DownloadDataFiles", Status(429, headers={"Retry-After": "7200"}))
    with pytest.raises(DataError, match=r"429 .*come back in 120 minutes"):
        download_archive(competition, policy=policy)
    assert files_of(competition) == []


@pytest.mark.timing
def test_silent_server_counts_as_dropped(kaggle_server: KaggleServer, serve: Serve) -> None:
    competition, _ = serve(ARCHIVE)
    kaggle_server.fail("storage", Silence(3))
    hurried = RetryPolicy(tries=2, first_wait_seconds=0.01, timeout_seconds=0.3)
    start = time.monotonic()
    assert download_archive(competition, policy=hurried).read_bytes() == ARCHIVE
    assert time.monotonic() - start < 3


def test_expired_address_is_asked_for_again(
    kaggle_server: KaggleServer, serve: Serve, policy: RetryPolicy
) -> None:
    competition, _ = serve(ARCHIVE)
    kaggle_server.fail("storage", Status(403, body=b"<Error/>", content_type="application/xml"))
    assert download_archive(competition, policy=policy).read_bytes() == ARCHIVE


def test_credentials_go_to_kaggle_and_not_to_its_storage(
    kaggle_server: KaggleServer, serve: Serve
) -> None:
    competition, _ = serve(ARCHIVE)
    download_archive(competition)
    assert kaggle_server.seen("DownloadDataFiles")[0].authorization == "Basic"
    assert kaggle_server.seen("storage")[0].authorization is None


def test_rules_not_accepted_names_the_page(kaggle_server: KaggleServer, serve: Serve) -> None:
    competition, contest = serve(ARCHIVE)
    contest.rules_accepted = False
    with pytest.raises(UsageError, match="rules of spaceship-titanic are not accepted") as caught:
        download_archive(competition)
    assert caught.value.hint is not None
    assert "https://www.kaggle.com/competitions/spaceship-titanic/rules" in caught.value.hint
    assert files_of(competition) == []


def test_unknown_competition(kaggle_server: KaggleServer, spaceship: LocatedCompetition) -> None:
    with pytest.raises(UsageError, match="Kaggle has no data for 'spaceship-titanic'"):
        download_archive(spaceship)


def test_altered_archive(serve: Serve) -> None:
    competition, contest = serve(ARCHIVE)
    contest.alter(1_500_000)
    contest.has_md5 = False
    with pytest.raises(DataError, match=r"not the one .* its MD5 is .*, expected"):
        download_archive(competition)
    assert files_of(competition) == []


def test_archive_that_kaggle_replaced_is_kept_aside_until_accepted(
    kaggle_server: KaggleServer, serve: Serve
) -> None:
    competition, contest = serve(ARCHIVE)
    contest.archive = make_zip(2_000_000)
    with pytest.raises(DataError, match="not the one the benchmark was published with") as caught:
        download_archive(competition)
    assert "--skip-verification" in str(caught.value.hint)
    assert not competition.folder.archive.exists()
    path = download_archive(competition, verify=False)
    assert path.read_bytes() == contest.archive
    assert len(kaggle_server.seen("storage")) == 1


def test_damage_on_the_way_is_told_from_another_archive(
    kaggle_server: KaggleServer, serve: Serve, policy: RetryPolicy
) -> None:
    competition, _ = serve(ARCHIVE)
    kaggle_server.fail("storage", Cut(1_000_000), *[Cut(0)] * 3)
    with pytest.raises(DataError):
        download_archive(competition, policy=policy)
    part = competition.folder.path / "spaceship-titanic.zip.part"
    with part.open("r+b") as stream:
        stream.seek(500_000)
        stream.write(b"damage")
    with pytest.raises(DataError, match="damaged in transfer"):
        download_archive(competition, policy=policy)
    assert files_of(competition) == []


@pytest.mark.parametrize("verify", [True, False])
def test_truncated_archive(serve: Serve, verify: bool) -> None:
    competition, contest = serve(ARCHIVE)
    contest.truncate(2_000_000)
    contest.has_md5 = False
    with pytest.raises(DataError, match="expected" if verify else "truncated"):
        download_archive(competition, verify=verify)
    assert files_of(competition) == []


@pytest.mark.parametrize(
    ("data", "content_type", "reason"),
    [
        (b"<!doctype html><title>Log in", "text/html", "sends a web page instead of the archive"),
        (b"7z\xbc\xaf\x27\x1c" + bytes(100), "application/zip", "no zip archive"),
    ],
)
def test_something_else_instead_of_a_zip(
    serve: Serve, data: bytes, content_type: str, reason: str
) -> None:
    competition, contest = serve(ARCHIVE)
    contest.archive, contest.content_type = data, content_type
    with pytest.raises(DataError, match=reason):
        download_archive(competition)
    assert files_of(competition) == []


def test_no_space_for_the_archive(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    competition, _ = serve(ARCHIVE)
    monkeypatch.setattr(download.shutil, "disk_usage", lambda _: type("Usage", (), {"free": 1000}))
    with pytest.raises(DataError, match=r"no space .* 1,000 free"):
        download_archive(competition)
    assert files_of(competition) == []


def test_full_disk_keeps_received_bytes(
    kaggle_server: KaggleServer, serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    competition, _ = serve(ARCHIVE)
    with monkeypatch.context() as patched:
        patched.setattr(PartialFile, "__enter__", full_after(1_000_000))
        with pytest.raises(DataError, match="the disk is full"):
            download_archive(competition)
    assert not competition.folder.archive.exists()
    assert download_archive(competition).read_bytes() == ARCHIVE
    assert kaggle_server.seen("storage")[-1].byte_range == "bytes=1000000-"


def full_after(limit: int) -> Callable[[PartialFile], PartialFile]:
    """A partial file on a disk that takes so many bytes and no more."""
    real = PartialFile.__enter__

    class Full:
        def __init__(self, stream: Any) -> None:
            self.stream = stream

        def write(self, data: memoryview) -> int:
            room = limit - os.fstat(self.stream.fileno()).st_size
            if room <= 0:
                raise OSError(errno.ENOSPC, "No space left on device")
            return int(self.stream.write(data[:room]))

        def __getattr__(self, name: str) -> Any:
            return getattr(self.stream, name)

    def entered(part: PartialFile) -> PartialFile:
        real(part)
        part._stream = Full(part._stream)  # type: ignore[assignment]
        return part

    return entered


def test_folder_that_cannot_be_written(
    kaggle_server: KaggleServer, spaceship: LocatedCompetition
) -> None:
    spaceship.folder.root.parent.mkdir(exist_ok=True)
    spaceship.folder.root.write_text("a file where the data folder should be")
    with pytest.raises(DataError, match="cannot be written"):
        download_archive(spaceship)


def test_two_downloads_of_one_archive(kaggle_server: KaggleServer, serve: Serve) -> None:
    competition, _ = serve(ARCHIVE)
    with (
        PartialFile(competition.folder.archive),
        pytest.raises(UsageError, match=r"another process is currently downloading"),
    ):
        download_archive(competition)
    assert download_archive(competition).read_bytes() == ARCHIVE


def test_connection_refused_gives_up_with_one_sentence(
    serve: Serve, policy: RetryPolicy, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    competition, _ = serve(ARCHIVE)
    for name in ("http_proxy", "HTTP_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    with pytest.raises(DataError, match=r"connection to Kaggle failed .* gave up after 3 tries"):
        download_archive(competition, policy=policy)
    assert files_of(competition) == []


KILLED = """
import os, signal, sys
from pathlib import Path
from mlebench.kaggle.download import fetch_archive
from mlebench.kaggle.partial import PartialFile

def die(*_, **__): os.kill(os.getpid(), signal.SIGKILL)

moment, target = sys.argv[1], Path(sys.argv[2])
if moment == "start":
    PartialFile.write = die
elif moment == "middle":
    real = PartialFile.write
    def write(self, data):
        real(self, data[: 1_500_000 - self.size])
        if self.size >= 1_500_000: die()
    PartialFile.write = write
elif moment == "complete":
    PartialFile.finish = die
elif moment == "renamed":
    Path.unlink = die
fetch_archive("spaceship-titanic", target)
"""


@pytest.mark.parametrize(
    ("moment", "bytes_again"),
    [
        ("start", len(ARCHIVE)),
        ("middle", len(ARCHIVE) - 1_500_000),
        ("complete", 0),
        ("renamed", 0),
    ],
)
def test_killed(kaggle_server: KaggleServer, serve: Serve, moment: str, bytes_again: int) -> None:
    competition, _ = serve(ARCHIVE)
    target = competition.folder.archive
    done = subprocess.run([sys.executable, "-c", KILLED, moment, str(target)], env=dict(os.environ))
    assert done.returncode == -signal.SIGKILL
    assert target.exists() == (moment == "renamed")
    before = kaggle_server.bytes_sent(competition.id)
    assert download_archive(competition).read_bytes() == ARCHIVE
    assert kaggle_server.bytes_sent(competition.id) - before == bytes_again
