"""Downloading the archive of a competition: resumed where it stopped, verified as it streams."""

from __future__ import annotations

import base64
import json
import re
import shutil
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mlebench.errors import DataError
from mlebench.kaggle.client import ask, kaggle_client, send, session_of
from mlebench.kaggle.errors import explained
from mlebench.kaggle.partial import PartialFile, RemoteFile
from mlebench.kaggle.patience import PassingFailure, Patience, wait_or_give_up

if TYPE_CHECKING:
    from mlebench.catalogue import LocatedCompetition

__all__ = ["Progress", "archive_size", "download_archive", "fetch_archive", "kaggle_client"]

Progress = Callable[[int, int], None]
"""Called now and then with the bytes on disk and the bytes in all."""

PIECE = 1 << 20
RANGE_NOT_SATISFIABLE = 416
ENOUGH = 1 << 16
"""A connection that brings less than this counts as failed, so that trickles come to an end."""


def download_archive(
    competition: LocatedCompetition,
    progress: Progress | None = None,
    *,
    verify: bool = True,
    patience: Patience | None = None,
) -> Path:
    """Fetch the archive into the competition's folder; nothing happens where it lies already.

    Args:
        verify: demand the archive that the benchmark was published with.
    """
    md5 = official_md5(competition) if verify else None
    target = competition.folder.archive
    return fetch_archive(competition.id, target, md5=md5, progress=progress, patience=patience)


def official_md5(competition: LocatedCompetition) -> str | None:
    """The checksum of the archive that the benchmark was published with, where it is known."""
    try:
        known = json.loads(competition.checksums.read_text("utf-8"))
    except FileNotFoundError:
        return None
    md5: str | None = known.get("zip")
    return md5


def fetch_archive(
    competition_id: str,
    target: Path,
    *,
    md5: str | None = None,
    progress: Progress | None = None,
    patience: Patience | None = None,
) -> Path:
    """Download the archive of any competition on Kaggle to a file."""
    if target.is_file():
        return target
    with PartialFile(target) as part:
        if target.is_file():
            # Another process finished between the look and the lock.
            part.discard()
            return target
        try:
            if not part.is_complete:
                client = kaggle_client(patience)
                _receive(client, competition_id, part, progress or (lambda done, total: None))
            _verify(competition_id, part, md5)
            return part.finish()
        finally:
            if part.size == 0:
                part.discard()


def archive_size(client: Any, competition_id: str) -> int:
    """Size in bytes of the archive, learned by asking for its first byte alone."""

    def first_byte(connection: Any) -> int:
        with _archive(connection, competition_id, "bytes=0-0") as response:
            return _identity(response).total

    return ask(client, first_byte, competition_id)


def _receive(client: Any, competition_id: str, part: PartialFile, progress: Progress) -> None:
    """Take connection after connection until all bytes are there."""
    failures = 0
    while not part.is_complete:
        before = part.size
        try:
            with explained(competition_id), client.build_kaggle_client() as connection:
                _receive_once(connection, competition_id, part, progress)
            if not part.is_complete:
                raise PassingFailure("the connection to Kaggle ended too early")
        except PassingFailure as failure:
            failures = 1 if part.size - before >= ENOUGH else failures + 1
            if failure.status == RANGE_NOT_SATISFIABLE:
                part.forget()
            wait_or_give_up(failure, failures, client.patience)


def _receive_once(
    connection: Any, competition_id: str, part: PartialFile, progress: Progress
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
            progress(part.size, identity.total)


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
