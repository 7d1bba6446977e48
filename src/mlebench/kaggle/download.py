"""Downloading the archive of a competition: resumed where it stopped, verified as it streams."""

from __future__ import annotations

import base64
import re
import shutil
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mlebench.errors import DataError
from mlebench.kaggle.client import ask, kaggle_client, send, session_of
from mlebench.kaggle.errors import explained
from mlebench.kaggle.partial import PartialFile, RemoteFile
from mlebench.kaggle.patience import PassingFailure, Patience, wait_or_give_up

OnBytes = Callable[[int, int], None]
"""A progress callback: receives the bytes on disk and the size of the whole file."""

PIECE = 1 << 20
RANGE_NOT_SATISFIABLE = 416
ENOUGH = 1 << 16
"""A connection that brings less than this counts as failed, so that trickles come to an end."""


@dataclass(frozen=True)
class FetchedArchive:
    """An archive on disk."""

    path: Path
    md5: str | None
    """Computed while the bytes arrived; None if the file was there before."""


def fetch_archive(
    competition_id: str,
    target: Path,
    *,
    md5: str | None = None,
    on_progress: OnBytes = lambda done, total: None,
    patience: Patience | None = None,
) -> FetchedArchive:
    """Download the archive of a competition unless the file exists.

    Args:
        md5: what the archive must have, where it is known.
    """
    if target.is_file():
        return FetchedArchive(target, None)
    with PartialFile(target) as part:
        if target.is_file():
            # Another process finished between the first look and the lock.
            part.discard()
            return FetchedArchive(target, None)
        try:
            if not part.is_complete:
                _receive(kaggle_client(patience), competition_id, part, on_progress)
            _verify(competition_id, part, md5)
            return FetchedArchive(part.finish(), part.md5)
        finally:
            if part.size == 0:
                part.discard()


def archive_size(client: Any, competition_id: str) -> int:
    """Size in bytes of the archive, learned by asking for its first byte alone."""

    def first_byte(connection: Any) -> int:
        with _archive(connection, competition_id, "bytes=0-0") as response:
            return _identity(response).total

    return ask(client, first_byte, competition_id)


def _receive(client: Any, competition_id: str, part: PartialFile, on_progress: OnBytes) -> None:
    """Take connection after connection until all bytes are there."""
    failures = 0
    while not part.is_complete:
        before = part.size
        try:
            with explained(competition_id), client.build_kaggle_client() as connection:
                _receive_once(connection, competition_id, part, on_progress)
            if not part.is_complete:
                raise PassingFailure("the connection to Kaggle ended too early")
        except PassingFailure as failure:
            failures = 1 if part.size - before >= ENOUGH else failures + 1
            if failure.status == RANGE_NOT_SATISFIABLE:
                part.forget()
            wait_or_give_up(failure, failures, client.patience)


def _receive_once(
    connection: Any, competition_id: str, part: PartialFile, on_progress: OnBytes
) -> None:
    with _archive(connection, competition_id, f"bytes={part.size}-") as response:
        identity = _identity(response)
        stream = response.raw
        if response.status_code != 206 or not part.size:
            head = stream.read(4)
            _require_zip(competition_id, head, response.headers.get("Content-Type", ""))
            part.start(identity)
            _require_space(competition_id, part)
            part.write(head)
        elif not part.belongs_to(identity):
            part.forget()
            raise PassingFailure("Kaggle has replaced the archive in the meantime")
        # read1 hands over what has come; waiting for a full piece would lose it when cut.
        while piece := stream.read1(PIECE):
            part.write(piece)
            on_progress(part.size, identity.total)


@contextmanager
def _archive(connection: Any, competition_id: str, byte_range: str) -> Iterator[Any]:
    """The answer of the storage to which Kaggle redirects; the range goes along."""
    headers = {"Range": byte_range, "Accept-Encoding": "identity"}
    session_of(connection).headers.update(headers)
    with send(connection, "DownloadDataFiles", competition_name=competition_id) as response:
        yield response


def _identity(response: Any) -> RemoteFile:
    headers = response.headers
    of_range = re.search(r"/(\d+)$", headers.get("Content-Range", ""))
    total = of_range[1] if of_range else headers.get("Content-Length")
    if total is None:
        raise DataError("Kaggle does not say how large the archive is")
    found = re.search(r"md5=([A-Za-z0-9+/=]+)", headers.get("x-goog-hash", ""))
    md5 = base64.b64decode(found[1]).hex() if found else None
    return RemoteFile(int(total), headers.get("ETag"), md5)


def _require_zip(competition_id: str, head: bytes, content_type: str) -> None:
    if head.startswith(b"PK"):
        return
    if head.lstrip().startswith(b"<") or "html" in content_type:
        raise DataError(
            f"Kaggle sends a web page instead of the archive of {competition_id};"
            " does a proxy or a login page answer in its place?"
        )
    raise DataError(f"what Kaggle sends for {competition_id} is no zip archive: it begins {head!r}")


def _require_space(competition_id: str, part: PartialFile) -> None:
    need = part.identity.total if part.identity else 0
    free = shutil.disk_usage(part.path.parent).free
    if need > free:
        raise DataError(
            f"there is no room for the archive of {competition_id}: it has {need:,} bytes and"
            f" {part.path.parent} has {free:,} free"
        )


def _verify(competition_id: str, part: PartialFile, md5: str | None) -> None:
    """Complain about a complete file that is not what it should be."""
    served = part.identity.md5 if part.identity else None
    found = part.md5
    if served and found != served:
        part.discard()
        raise DataError(
            f"the archive of {competition_id} was damaged on its way: its MD5 is {found}, Kaggle's"
            f" own is {served}",
            hint="run the same command again; it starts anew",
        )
    if md5 and found != md5:
        # Kaggle vouches for these bytes, so fetching them again would change nothing.
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
