from __future__ import annotations

import fcntl
import subprocess
import sys
import time
from pathlib import Path

import pytest

from mlebench.errors import InvalidSubmissionError
from mlebench.grading import sealed as module
from mlebench.grading.sealed import sealed

WRITER = "import sys; open(sys.argv[1], 'r+b').write(b'new')"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "submission.csv"
    path.write_bytes(b"old bytes")
    return path


def write_from_outside(path: Path) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-c", WRITER, str(path)])


@pytest.mark.parametrize("soon_read", [1 << 30, 0])
def test_what_is_read_stays_as_it_was_while_somebody_writes(
    file: Path, soon_read: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Once with a lease, once with a copy."""
    monkeypatch.setattr(module, "SOON_READ", soon_read)
    with sealed(file, 100) as held:
        writer = write_from_outside(file)
        time.sleep(0.5)
        assert bytes(held.data) == b"old bytes"
        assert held.path is None or held.path.read_bytes() == b"old bytes"
    assert writer.wait(10) == 0
    assert file.read_bytes() == b"new bytes"


def test_a_lease_holds_writers_back_and_nothing_is_copied(file: Path) -> None:
    with file.open("rb") as stream:
        try:
            fcntl.fcntl(stream, fcntl.F_SETLEASE, fcntl.F_RDLCK)
        except OSError:
            pytest.skip("this file system knows no leases")
    with sealed(file, 100) as held:
        assert held.path
        assert held.path.samefile(file)
        writer = write_from_outside(file)
        time.sleep(0.5)
        assert writer.poll() is None
    assert writer.wait(10) == 0


def test_a_file_that_somebody_writes_to_already_is_copied(file: Path) -> None:
    with file.open("r+b") as writer, sealed(file, 100) as held:
        writer.write(b"new")
        writer.flush()
        assert bytes(held.data) == b"old bytes"


def test_size_and_emptiness_are_seen(file: Path) -> None:
    with pytest.raises(InvalidSubmissionError, match="more than the 5"), sealed(file, 5):
        pass
    file.write_bytes(b"")
    with sealed(file, 5) as held:
        assert bytes(held.data) == b""
