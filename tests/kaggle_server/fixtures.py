"""A stand-in for Kaggle, and competitions whose archive it serves."""

from __future__ import annotations

import hashlib
import io
import json
import random
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from mlebench.catalogue import Catalogue, LocatedCompetition
from mlebench.system.retrying import RetryPolicy
from tests.kaggle_server import Contest, KaggleServer
from tests.kaggle_server.plugin import kaggle_server

__all__ = ["kaggle_server"]

HURRIED = RetryPolicy(
    tries=3, first_wait_seconds=0.01, longest_wait_seconds=0.05, timeout_seconds=5
)


def make_zip(size: int) -> bytes:
    """A zip of one file of incompressible bytes."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr("train.csv", random.Random(0).randbytes(size))
    return stream.getvalue()


def pack_rehearsal(competition: LocatedCompetition, folder: Path) -> bytes:
    """A rehearsal of a competition, packed as Kaggle packs it."""
    archive = folder.with_suffix(".zip")
    assert competition.pack_rehearsal(archive, 0, 1)
    return archive.read_bytes()


@pytest.fixture
def policy() -> RetryPolicy:
    """Short waits and few tries."""
    return HURRIED


@pytest.fixture
def spaceship(tmp_path: Path) -> LocatedCompetition:
    """A competition with an empty data folder."""
    return Catalogue(tmp_path / "data").get_competition("spaceship-titanic")


@pytest.fixture
def serve(
    kaggle_server: KaggleServer, spaceship: LocatedCompetition, tmp_path: Path
) -> Callable[[bytes], tuple[LocatedCompetition, Contest]]:
    """Serve bytes as the archive of a competition whose official MD5 is theirs."""

    def serving(archive: bytes) -> tuple[LocatedCompetition, Contest]:
        home = tmp_path / "declared"
        home.mkdir()
        official = {"zip": hashlib.md5(archive).hexdigest()}
        (home / "checksums.json").write_text(json.dumps(official))
        contest = kaggle_server.add(Contest(spaceship.id, archive))
        return replace(spaceship, home=home), contest

    return serving
