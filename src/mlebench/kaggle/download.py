"""Downloads the archive of a competition: resumes where it stopped, verifies while it streams."""

from __future__ import annotations

import base64
import re
import shutil
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from mlebench.errors import DataError
from mlebench.kaggle.client import ArchiveResponse, KaggleClient, log_in
from mlebench.kaggle.partial import PartialFile, RemoteFile
from mlebench.system.retrying import RetryPolicy, TransientError

OnBytes = Callable[[int, int], None]
"""A progress callback: receives the bytes on disk and the size of the whole file."""

PIECE = 1 << 20
PARTIAL_CONTENT, RANGE_NOT_SATISFIABLE = 206, 416
ENOUGH = 1 << 16
"""A connection that delivers fewer bytes makes no progress, so that retries come to an end."""


@dataclass(frozen=True)
class FetchedArchive:
    """An archive on disk."""

    path: Path
    md5: str | None
    """Computed during the download; None if the file existed before."""


def fetch_archive(
    competition_id: str,
    target: Path,
    *,
    md5: str | None = None,
    on_progress: OnBytes = lambda done, total: None,
    policy: RetryPolicy | None = None,
) -> FetchedArchive:
    """Download the archive of a competition unless the file exists.

    Args:
        md5: the expected MD5 of the archive, if known.
    """
    if target.is_file():
        return FetchedArchive(target, None)
    with PartialFile(target) as part:
        if target.is_file():
            # Another process finished between the first check and the lock.
            part.discard()
            return FetchedArchive(target, None)
        try:
            if not part.is_complete:
                _receive(log_in(policy), competition_id, part, on_progress)
            _verify(competition_id, part, md5)
            return FetchedArchive(part.finish(), part.md5)
        finally:
            if part.size == 0:
                part.discard()


def archive_size(client: KaggleClient, competition_id: str) -> int:
    """Size of the archive in bytes, found by requesting only its first byte."""

    def first_byte() -> int:
        with client.archive(competition_id, "bytes=0-0") as response:
            return _identity(response).total

    return client.retry(first_byte)


def _receive(
    client: KaggleClient, competition_id: str, part: PartialFile, on_progress: OnBytes
) -> None:
    """Receive the rest of the archive, over as many connections as it takes."""

    def attempt() -> None:
        before = part.size
        try:
            _receive_once(client, competition_id, part, on_progress)
            if not part.is_complete:
                raise TransientError("Kaggle closed the connection too early")
        except TransientError as error:
            error.made_progress = part.size - before >= ENOUGH
            if error.status == RANGE_NOT_SATISFIABLE:
                part.forget()
            raise

    client.retry(attempt)


def _receive_once(
    client: KaggleClient, competition_id: str, part: PartialFile, on_progress: OnBytes
) -> None:
    with client.archive(competition_id, f"bytes={part.size}-") as response:
        identity = _identity(response)
        stream = response.raw
        if response.status_code != PARTIAL_CONTENT or not part.size:
            head = stream.read(4)
            _require_zip(competition_id, head, response.headers.get("Content-Type", ""))
            part.start(identity)
            _require_space(competition_id, part.path.parent, identity.total)
            part.write(head)
        elif not part.belongs_to(identity):
            part.forget()
            raise TransientError("Kaggle has replaced the archive in the meantime")
        # read1 returns what has arrived; `read` would lose it if the connection were cut.
        while piece := stream.read1(PIECE):
            part.write(piece)
            on_progress(part.size, identity.total)


def _identity(response: ArchiveResponse) -> RemoteFile:
    headers = response.headers
    of_range = re.search(r"/(\d+)$", headers.get("Content-Range", ""))
    total = of_range[1] if of_range else headers.get("Content-Length")
    if total is None:
        raise DataError("Kaggle does not state the size of the archive")
    found = re.search(r"md5=([A-Za-z0-9+/=]+)", headers.get("x-goog-hash", ""))
    md5 = base64.b64decode(found[1]).hex() if found else None
    return RemoteFile(int(total), headers.get("ETag"), md5)


def _require_zip(competition_id: str, head: bytes, content_type: str) -> None:
    if head.startswith(b"PK"):
        return
    if head.lstrip().startswith(b"<") or "html" in content_type:
        raise DataError(
            f"Kaggle sends a web page instead of the archive of {competition_id};"
            " is there a proxy or a login page in between?"
        )
    raise DataError(
        f"Kaggle sends no zip archive for {competition_id}: the data begins with {head!r}"
    )


def _require_space(competition_id: str, folder: Path, size: int) -> None:
    free = shutil.disk_usage(folder).free
    if size > free:
        raise DataError(
            f"there is no space for the archive of {competition_id}: it has {size:,} bytes and"
            f" {folder} has {free:,} free"
        )


def _verify(competition_id: str, part: PartialFile, md5: str | None) -> None:
    """Reject a complete file that is not the expected one."""
    served = part.identity.md5 if part.identity else None
    found = part.md5
    if served and found != served:
        part.discard()
        raise DataError(
            f"the archive of {competition_id} was damaged in transfer: its MD5 is {found}, Kaggle's"
            f" own is {served}",
            hint="run the same command again; it starts from the beginning",
        )
    if md5 and found != md5:
        # The MD5 is the one Kaggle states, so another download would not change anything.
        if not served:
            part.discard()
        raise DataError(
            f"the archive of {competition_id} is not the one the benchmark was published with: its"
            f" MD5 is {found}, expected {md5}",
            hint="Kaggle may have replaced it; to use it nevertheless:"
            f" mlebench prepare -c {competition_id} --skip-verification",
        )
    if not zipfile.is_zipfile(part.path):
        part.discard()
        raise DataError(f"the archive of {competition_id} is truncated: it has no end record")
