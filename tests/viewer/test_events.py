"""Server-sent events: what changed, at most one a second, until the page is gone."""

from __future__ import annotations

import json
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

import pytest
from msgspec import structs

from mlebench.records.run import read_run, write_run
from mlebench.viewer import events
from tests.results.made_runs import make_run
from tests.viewer.running import Viewer, running_viewer
from tests.waiting import wait_for


class Listener:
    """One page that listens."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream

    def next(self, name: str) -> Any:
        """The data of the next event with this name."""
        found = None
        for line in self._stream:
            if line.startswith(b"event: "):
                found = line[7:].strip().decode()
            elif line.startswith(b"data: ") and found == name:
                return json.loads(line[6:])
        raise AssertionError(f"no event {name}")


@contextmanager
def listening(viewer: Viewer, query: str = "") -> Iterator[Listener]:
    with socket.create_connection(("127.0.0.1", viewer.port), timeout=120) as client:
        head = f"GET /api/events{query} HTTP/1.1\r\nHost: 127.0.0.1:{viewer.port}\r\n"
        client.sendall(f"{head}Cookie: {viewer.cookie}\r\n\r\n".encode())
        with client.makefile("rb") as stream:
            yield Listener(stream)


def test_changes_are_told(tmp_path: Path) -> None:
    runs = tmp_path / "runs"
    run = make_run(runs, "running")
    with running_viewer(runs, tmp_path / "cache") as viewer:
        key = viewer.get("/api/index")["runs"]["key"][0]
        with listening(viewer, f"?run={run.path.parent.name}/{key}") as page:
            version = page.next("index")["version"]
            assert page.next("run")["state"] == "running"
            before = page.next("log")
            with run.agent_log.open("ab") as stream:
                stream.write(b"one more\n" * 3)
            after = page.next("log")
            assert after["total"] == before["total"] + 3
            assert after["size"] == before["size"] + 27
            write_run(structs.replace(read_run(run.state), state="failed", reason="x"), run.state)
            assert page.next("index")["version"] != version
            now = page.next("run")
            assert (now["state"], now["complete"]) == ("failed", True)
            part = viewer.get(f"/api/index?since={version}")
            assert part["runs"]["outcome"] == "!"


def test_at_most_one_event_a_second(tmp_path: Path) -> None:
    runs = tmp_path / "runs"
    run = make_run(runs, "running")
    with running_viewer(runs, tmp_path / "cache") as viewer, listening(viewer) as page:
        page.next("index")
        start = time.monotonic()
        for number in range(30):
            write_run(structs.replace(read_run(run.state), validations=number), run.state)
        page.next("index")
        write_run(structs.replace(read_run(run.state), validations=99), run.state)
        page.next("index")
        assert time.monotonic() - start > 1


def test_a_page_that_left_is_noticed(
    made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(events, "PING_SECONDS", 0.1)
    monkeypatch.setattr(events, "PAUSE_SECONDS", 0.05)
    ended: list[bool] = []
    follow = events.follow

    async def noted(watch: events.Watch) -> Any:
        try:
            async for piece in follow(watch):
                yield piece
        finally:
            ended.append(True)

    monkeypatch.setattr("mlebench.viewer.application.follow", noted)
    with running_viewer(made, tmp_path) as viewer:
        with listening(viewer) as page:
            assert "version" in page.next("ping")
            assert not ended
        assert wait_for(lambda: ended) == [True]


def test_unknown_runs_do_not_end_the_stream(viewer: Viewer) -> None:
    with listening(viewer, "?run=nothing/here&log=../../x") as page:
        assert page.next("index")["version"]
