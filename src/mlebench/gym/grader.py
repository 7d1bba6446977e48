"""Processes that judge submissions of episodes: one holds answers, one only ids and format.

The fork server starts one of each per task. It loads what it needs once, listens on a unix socket
and forks a confined child for each file, so that what a hostile file does to its child reaches no
other. A request is one line of JSON with the descriptor of a sealed file; the reply is one line.
The texts that a policy reads come from the process without answers.
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
import select
import signal
import socket
import sys
from typing import Any, NoReturn

from mlebench.errors import BenchError, InvalidSubmissionError
from mlebench.grading.grade import load_answers, round_score
from mlebench.gym.rewards import BASES, Placement
from mlebench.gym.tasks import GymTask, task_from_facts
from mlebench.system.children import die_with_parent
from mlebench.system.confinement import confine_child
from mlebench.system.fork_server import modules_since, send_json
from mlebench.validation.validator import Validator

SECONDS = 300
"""For one file."""

SPARE_MEMORY = 2 << 30
MEMORY_PER_BYTE = 24
MAX_REQUEST = 4096
MAX_REASON = 4000

logger = logging.getLogger(__name__)


class FormatJudge:
    """Says whether a file is valid, and why not; knows no answer."""

    def __init__(self, task: GymTask) -> None:
        self.validator = Validator(task.competition, with_hashes=False)

    def judge(self, data: bytes, request: dict[str, Any]) -> dict[str, Any]:
        verdict = self.validator.judge(memoryview(data))
        return {"is_valid": verdict.is_valid, "text": verdict.text[:MAX_REASON]}


class RewardJudge:
    """Computes rewards; holds the answers. None of its texts leaves this process."""

    def __init__(self, task: GymTask) -> None:
        competition = task.competition
        self.definition = competition.definition
        self.validator = Validator(competition, with_hashes=False)
        self.answers = load_answers(competition.answers, self.definition.texts)
        self.board = competition.load_leaderboard()
        self.is_evaluation = task.split == "test"
        sample = competition.sample_submission
        self.sample_score = self._score(sample.read_bytes()) if sample.is_file() else None

    def judge(self, data: bytes, request: dict[str, Any]) -> dict[str, Any]:
        score = self._score(data)
        placed = Placement(score, self.board, self.sample_score)
        name = request["reward"]
        value = BASES[name](placed) if name else 0.0
        reply: dict[str, Any] = {"is_valid": score is not None, "value": value}
        if self.is_evaluation:
            reply |= {"score": score, "sha256": hashlib.sha256(data).hexdigest()}
        return reply

    def _score(self, data: bytes) -> float | None:
        try:
            found = self.validator.parse(data)
            score = self.definition.score(found.table, self.answers)
        except InvalidSubmissionError:
            return None
        return round_score(score.value, self.definition.rounding)


JUDGES: dict[str, type[FormatJudge | RewardJudge]] = {
    "format": FormatJudge,
    "reward": RewardJudge,
}


def serve(connection: socket.socket, facts: dict[str, Any], listener: int) -> None:
    """Judge files until the connection is closed.

    Args:
        facts: of a task, and which `judge` to be.
        listener: a listening socket.
    """
    known = len(sys.modules)
    try:
        judge = JUDGES[facts["judge"]](task_from_facts(facts))
    except (BenchError, OSError) as error:
        send_json(connection, {"error": str(error)})
        return
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # the kernel collects children
    send_json(connection, {"imports": modules_since(known)})
    server = socket.socket(fileno=listener)
    while True:
        ready, _, _ = select.select([connection, server], [], [])
        if connection in ready:
            return
        client, _ = server.accept()
        if os.fork() == 0:
            server.close()
            connection.close()
            _serve_client(client, judge)
        client.close()


def _serve_client(client: socket.socket, judge: FormatJudge | RewardJudge) -> NoReturn:
    """Judge one file in a process of its own."""
    try:
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        die_with_parent()
        signal.alarm(SECONDS)
        line, files, _, _ = socket.recv_fds(client, MAX_REQUEST, 1)
        memory = SPARE_MEMORY + MEMORY_PER_BYTE * judge.validator.limits.max_bytes
        confine_child(memory_bytes=memory, cpu_seconds=SECONDS, readable=())
        send_json(client, _reply(judge, json.loads(line), files[0]))
    finally:
        os._exit(0)


def _reply(judge: FormatJudge | RewardJudge, request: dict[str, Any], file: int) -> dict[str, Any]:
    try:
        size = os.fstat(file).st_size
        return judge.judge(os.pread(file, size, 0), request)
    except MemoryError:
        return {"is_too_large": True}
    except Exception as error:  # a bug in mlebench, triggered by this file
        logger.exception("judging failed")
        return {"fault": type(error).__name__}
