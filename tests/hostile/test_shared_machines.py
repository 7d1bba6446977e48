"""F08 and shared machines: other users do not reach the endpoints of a run, and nothing is left."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from mlebench.system import socket_folders
from mlebench.system.socket_folders import socket_folder

OTHER_USER = """
import os, socket, sys
os.setgid(65534), os.setuid(65534)
client = socket.socket(socket.AF_UNIX)
client.connect(sys.argv[1])
"""


def test_only_the_owner_enters_a_socket_folder() -> None:
    with socket_folder() as folder:
        assert folder.stat().st_mode & 0o777 == 0o700
        assert len(str(folder / "validation.sock")) < 107
    assert not folder.exists()


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root to become another user")
@pytest.mark.defence("private-sockets")
def test_another_user_posts_no_submission_into_a_run() -> None:
    from mlebench.http import listen_on_socket

    with socket_folder() as folder, listen_on_socket(folder / "v.sock"):
        done = subprocess.run(
            [sys.executable, "-c", OTHER_USER, str(folder / "v.sock")],
            capture_output=True,
            text=True,
            check=False,
        )
    assert "PermissionError" in done.stderr


@pytest.mark.defence("abandoned-sockets")
def test_a_killed_process_leaves_no_socket_folder(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TMPDIR", str(place))
    monkeypatch.setattr("tempfile.tempdir", None)
    code = (
        "import time\nfrom mlebench.system.socket_folders import socket_folder\n"
        "with socket_folder() as f:\n    print(f, flush=True)\n    time.sleep(60)"
    )
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert process.stdout
    with process, process.stdout:
        left = Path(process.stdout.readline().strip())
        monkeypatch.setattr(socket_folders, "YOUNG_SECONDS", -1.0)
        with socket_folder():
            assert left.exists(), "a folder in use was removed"
        process.send_signal(signal.SIGKILL)
    with socket_folder():
        assert not left.exists()
