"""The command: address, next free port, token, a clean end."""

from __future__ import annotations

import http.client
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from mlebench.errors import UsageError
from mlebench.viewer.guard import is_loopback, make_guard
from mlebench.viewer.serve import address, find_place, listen
from tests.results.made_runs import make_group


@contextmanager
def viewing(
    tmp_path: Path, *words: str, log: Path | None = None
) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """The command as a process, and what it said up to its address."""
    environment = {**os.environ, "HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path / "cache")}
    command = [sys.executable, "-m", "mlebench", "view", *words]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment) as process:
        said = ""
        for line in process.stderr or ():
            said += line
            if "open: " in line:
                break
        try:
            yield process, said
        finally:
            process.kill()


def found_address(said: str) -> str:
    found = re.search(r"http://\S+", said)
    assert found, said
    return found[0]


def port_and_token(said: str) -> tuple[int, str]:
    found = re.fullmatch(r"http://[^/]+:(\d+)/\?token=(\S{32,})", found_address(said))
    assert found, said
    return int(found[1]), found[2]


def ask(port: int, path: str, cookie: str = "") -> tuple[int, str]:
    """Status and the cookie that the reply sets."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
    connection.request("GET", path, headers={"Cookie": cookie})
    reply = connection.getresponse()
    connection.close()
    return reply.status, reply.headers.get("Set-Cookie", "").split(";")[0]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_it_says_where_it_is_and_ends_cleanly(tmp_path: Path, number: signal.Signals) -> None:
    make_group(tmp_path / "runs", "aide", ["spaceship-titanic"], outcomes=["gold"], slim=True)
    with viewing(tmp_path, str(tmp_path / "runs"), "--port", "0") as (process, said):
        port, token = port_and_token(said)
        assert ask(port, "/api/index")[0] == 401
        status, cookie = ask(port, f"/?token={token}")
        assert status == 303
        assert ask(port, "/api/index", cookie)[0] == 200
        # An open stream must not keep it from ending.
        with socket.create_connection(("127.0.0.1", port), timeout=120) as client:
            head = f"GET /api/events HTTP/1.1\r\nHost: localhost:{port}\r\nCookie: {cookie}\r\n\r\n"
            client.sendall(head.encode())
            assert client.recv(100).startswith(b"HTTP/1.1 200")
            process.send_signal(number)
            rest = process.communicate(timeout=120)[1]
        assert process.returncode == 0 and "Traceback" not in rest
    (file,) = (tmp_path / "cache" / "mle-bench" / "viewer").iterdir()
    assert file.suffix == ".json"


def test_taken_port(tmp_path: Path) -> None:
    (tmp_path / "runs").mkdir()
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        words = (str(tmp_path / "runs"), "--port", str(port))
        with viewing(tmp_path, *words) as (_, said):
            used, _ = port_and_token(said)
            assert used > port
            assert f"port {port} is in use, using {used}" in said


def test_other_addresses_need_the_token(tmp_path: Path) -> None:
    (tmp_path / "runs").mkdir()
    words = (str(tmp_path / "runs"), "--host", "0.0.0.0", "--port", "0")
    with viewing(tmp_path, *words) as (_, said):
        port, token = port_and_token(said)
        assert ask(port, "/api/index")[0] == 401
        assert ask(port, f"/?token={token}")[0] == 303


def test_no_folder_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="there is no runs folder") as error:
        find_place(tmp_path / "runs")
    assert "mlebench run" in (error.value.hint or "")
    group = make_group(tmp_path / "runs", "aide", ["spaceship-titanic"], slim=True)
    assert find_place(group.path).only == group.path.name
    assert find_place(tmp_path / "runs").only is None


def test_which_addresses_are_loopback() -> None:
    assert all(map(is_loopback, ("127.0.0.1", "127.0.0.9", "::1", "localhost")))
    assert not any(map(is_loopback, ("0.0.0.0", "::", "192.0.2.1", "myhost", "")))
    assert make_guard("127.0.0.2", 1).names == ("127.0.0.2",)
    for host in ("127.0.0.1", "0.0.0.0"):
        assert len(make_guard(host, 1).token) >= 32
        assert make_guard(host, 1).token != make_guard(host, 1).token
        assert make_guard(host, 1).is_public is (host == "0.0.0.0")
    assert address("::1", 80, "x") == "http://[::1]:80/?token=x"
    with pytest.raises(UsageError, match="cannot listen on"):
        listen("192.0.2.1", 0)
