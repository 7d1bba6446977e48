"""Uploads that take the child over that parses them: its server, other runs and grading go on."""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from mlebench.catalogue import Catalogue, LocatedCompetition
from mlebench.grading.pool import GradingPool, Submission
from mlebench.validation import ValidationServer
from tests.hostile.switches import without
from tests.hostile.test_endpoint import descendants
from tests.validation.test_server import form, part, post, send

VALID = "Submission is valid."
DEATHS = {
    "crashes": "import ctypes; ctypes.string_at(0)",
    "ends": "import os; os._exit(0)",
    "is killed": "import signal; signal.raise_signal(signal.SIGKILL)",
    "needs memory": "held = [bytearray(1 << 30) for _ in range(100)]",
    "says too much": "import os\nwhile True: os.write({socket}, b'x' * 9999)",
    "says something else": "import os; os.write({socket}, b'[1]\\n')",
    "names bytes beyond the file": "import os; os.write({socket}, {forged}.encode())",
}
SOCKET = "__import__('mlebench').SOCKET"
LIE = {"is_valid": True, "text": "a lie", "sha256": "0" * 64}
FORGED = {"judged": {"verdict": LIE, "start": 0, "size": 1 << 40}}
FIND_SOCKET = """
import os, mlebench
files = {n: os.path.realpath(f"/proc/self/fd/{n}") for n in range(3, 99)}
mlebench.SOCKET = next(n for n in files if "socket:" in files[n])
"""
SPEAK_LATER = """
import threading, time
def speak():
    time.sleep(0.3)
    os.write(mlebench.SOCKET, {line})
threading.Thread(target=speak).start()
raise ValueError
"""
LIE_ALWAYS = """
from mlebench.validation import validator
lie = validator.FormatVerdict(True, "a lie", None)
validator.Validator.judge = lambda *_: lie
raise ValueError
"""


@pytest.fixture
def competition(prepared: Catalogue) -> LocatedCompetition:
    return prepared.get_competition("spaceship-titanic")


@pytest.fixture
def pool(prepared: Catalogue) -> Iterator[GradingPool]:
    """With a fork server that the validation servers share, as in a group of runs."""
    with without("tool: a submission that takes the parser over"), GradingPool(prepared) as pool:
        yield pool


@pytest.fixture
def server(
    competition: LocatedCompetition, place: Path, pool: GradingPool
) -> Iterator[ValidationServer]:
    with ValidationServer(
        competition,
        socket=place / "v.sock",
        log=place / "calls.jsonl",
        last_valid=place / "last.csv",
        per_minute=None,
        forks=pool.server,
    ) as server:
        yield server


def upload(server: ValidationServer, data: bytes) -> str:
    status, reply = send(server, post(form(part(data))), 60)
    assert status == 200, reply
    return reply["result"]


def takeover(code: str) -> bytes:
    """A submission whose code runs in the child."""
    forged = repr(json.dumps(FORGED) + "\n")
    for name, value in (("{socket}", SOCKET), ("{forged}", forged)):
        code = code.replace(name, value)
    return f"run:{FIND_SOCKET}{code}\n".encode()


@pytest.mark.parametrize("code", DEATHS.values(), ids=DEATHS)
def test_a_lost_child_costs_one_verdict(
    code: str, server: ValidationServer, competition: LocatedCompetition, place: Path
) -> None:
    sample = competition.sample_submission.read_bytes()
    assert upload(server, sample) == VALID
    front, child = descendants(server._child.pid)
    assert "too costly to validate" in upload(server, takeover(code))
    assert upload(server, sample) == VALID
    assert upload(server, sample + b"x,True\n") != VALID
    after = descendants(server._child.pid)
    assert after[0] == front, "the server itself was replaced"
    assert child not in after, "the child that was taken over still works"
    assert server.calls == 4
    calls = [json.loads(line) for line in (place / "calls.jsonl").read_text().splitlines()]
    assert [call["valid"] for call in calls] == [True, False, True, False]
    assert (place / "last.csv").read_bytes() == sample


def test_an_unasked_reply_is_not_taken_for_the_next_verdict(
    server: ValidationServer, competition: LocatedCompetition
) -> None:
    line = (json.dumps({"judged": {"verdict": LIE}}) + "\n").encode()
    send(server, post(form(part(takeover(SPEAK_LATER.replace("{line}", repr(line)))))))
    _, child = descendants(server._child.pid)
    while len(list(Path(f"/proc/{child}/task").iterdir())) > 1:
        time.sleep(0.01)
    assert upload(server, competition.sample_submission.read_bytes()) == VALID
    assert child not in descendants(server._child.pid)


def test_neither_other_runs_nor_grading_nor_the_next_child_believe_a_child_that_lies(
    server: ValidationServer, pool: GradingPool, competition: LocatedCompetition, place: Path
) -> None:
    wrong = place / "submission.csv"
    wrong.write_bytes(b"x\n1\n")
    send(server, post(form(part(takeover(LIE_ALWAYS)))))
    assert upload(server, wrong.read_bytes()) == "a lie"
    sock = place / "other.sock"
    with ValidationServer(competition, socket=sock, per_minute=None, forks=pool.server) as other:
        assert "invalid" in upload(other, wrong.read_bytes())
    result = pool.grade(Submission(competition.id, wrong))
    assert result.report
    assert result.report.score is None
    _, child = descendants(server._child.pid)
    os.kill(child, signal.SIGKILL)
    while Path(f"/proc/{child}/stat").read_text().split()[2] != "Z":
        time.sleep(0.01)
    assert "column" in upload(server, wrong.read_bytes()), "an idle child's death costs no verdict"


def test_a_child_is_replaced_after_many_uploads(
    competition: LocatedCompetition, place: Path
) -> None:
    sample = competition.sample_submission.read_bytes()
    seen = []
    with (
        without("tool: children for two uploads"),
        ValidationServer(competition, socket=place / "v.sock", per_minute=None) as server,
    ):
        for _ in range(5):
            assert upload(server, sample) == VALID
            seen += descendants(server._child.pid)[1:]
    assert len(set(seen)) == len(seen) == 3
