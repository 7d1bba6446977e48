"""Uploads that are meant to exhaust, stall or question the validation server."""

from __future__ import annotations

import os
import socket
import threading
import time
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest

from mlebench.catalogue import Catalogue, LocatedCompetition
from mlebench.tables import read_table, write_table
from mlebench.validation import ValidationServer
from tests.validation.test_server import form, part, post, send

MEGABYTE = 1 << 20
UPLOADS = 64
BODY = 16 * MEGABYTE
BOUND = 400 * MEGABYTE
HEALTH = b"GET /health HTTP/1.1\r\nHost: x\r\n\r\n"


@pytest.fixture
def competition(prepared: Catalogue) -> LocatedCompetition:
    return prepared.get_competition("spaceship-titanic")


def descendants(pid: int) -> list[int]:
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [int(child) for child in children] + [
        below for child in children for below in descendants(int(child))
    ]


def memory_of(pid: int) -> int:
    """Resident memory, shared pages divided, and anonymous files that it holds."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    total = next(int(line.split()[1]) << 10 for line in lines if line.startswith("Pss:"))
    for file in Path(f"/proc/{pid}/fd").iterdir():
        with suppress(FileNotFoundError):
            if "memfd:" in str(file.readlink()):
                total += file.stat().st_blocks * 512
    return total


@pytest.mark.long
@pytest.mark.defence("bounded-uploads")
def test_parallel_uploads_take_bounded_memory_and_disk(
    competition: LocatedCompetition, place: Path
) -> None:
    with ExitStack() as stack:
        server = stack.enter_context(
            ValidationServer(competition, socket=place / "v.sock", per_minute=None, spool=place)
        )
        before = os.statvfs(place)
        clients = [stack.enter_context(socket.socket(socket.AF_UNIX)) for _ in range(UPLOADS)]
        data = post(b"x" * (BODY - 1), length=BODY)

        def upload(client: socket.socket) -> None:
            client.settimeout(15)
            client.connect(str(server.socket))
            with suppress(OSError):  # it waits, and is closed at the end
                client.sendall(data)

        threads = [threading.Thread(target=upload, args=(client,)) for client in clients]
        for thread in threads:
            thread.start()
        time.sleep(10)
        used = sum(map(memory_of, descendants(os.getpid())))
        on_disk = (before.f_bfree - os.statvfs(place).f_bfree) * before.f_frsize
        for client in clients:
            client.close()
        for thread in threads:
            thread.join()
        assert used < BOUND
        assert on_disk < 512 * MEGABYTE


@pytest.mark.timing
@pytest.mark.defence("judging-children")
def test_a_stray_quote_stalls_nobody(competition: LocatedCompetition, place: Path) -> None:
    with ValidationServer(competition, socket=place / "v.sock", per_minute=None) as server:
        _send_a_stray_quote(server, competition)


def _send_a_stray_quote(server: ValidationServer, competition: LocatedCompetition) -> None:
    sample = competition.sample_submission.read_bytes()
    line = b'a"b' * (20 * MEGABYTE)
    replies: list[int] = []
    sending = threading.Thread(
        target=lambda: replies.append(send(server, post(form(part(sample + line))), 300)[0])
    )
    begin = time.monotonic()
    sending.start()
    longest = 0.0
    while sending.is_alive():
        start = time.monotonic()
        assert send(server, HEALTH)[0] == 200
        longest = max(longest, time.monotonic() - start)
        time.sleep(0.02)
    assert replies == [200]
    assert longest < 0.4 * (time.monotonic() - begin)


@pytest.mark.defence("public-limits")
def test_no_reply_depends_on_the_answers(competition: LocatedCompetition, place: Path) -> None:
    """A huge length is answered with the limit, which tells nothing about the labels."""
    answers = read_table(competition.answers)
    replies = []
    for number, labels in enumerate((True, False)):
        moved = Catalogue(place / str(number)).get_competition(competition.id)
        for folder in (moved.private_dir, moved.public_dir):
            folder.mkdir(parents=True)
        write_table(answers.assign(Transported=labels), moved.answers)
        moved.sample_submission.write_bytes(competition.sample_submission.read_bytes())
        sock = place / f"{number}.sock"
        with ValidationServer(moved, socket=sock, per_minute=None) as server:
            replies.append([send(server, post(b"", length=10**12)), send(server, post(b"x"))])
    assert replies[0] == replies[1]
    assert replies[0][0][0] == 413


def test_a_fault_of_ours_that_a_submission_meets_is_no_infrastructure(
    prepared: Catalogue, place: Path
) -> None:
    from mlebench.grading.pool import GradingPool, Submission
    from tests.hostile.switches import without

    file = place / "submission.csv"
    file.write_bytes(b"x\n")
    with without("tool: a parser that raises"), GradingPool(prepared) as pool:
        result = pool.grade(Submission("spaceship-titanic", file))
    assert result.error is None
    assert "KeyError" in (result.fault or "")
    assert result.report
    assert result.report.score is None
    assert "internal error" in (result.report.reason or "")
