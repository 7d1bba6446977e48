"""The agent's workspace in its sandbox: folders, clock, validation, child processes."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import shutil
import signal
import subprocess
import time
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

HOME = Path(os.environ.get("MLEBENCH_ROOT") or "/") / "home"
DATA = HOME / "data"
SUBMISSION = HOME / "submission" / "submission.csv"
LOGS = HOME / "logs"
CODE = HOME / "code"
WORK = HOME / "agent"
PORT = int(os.environ.get("MLEBENCH_VALIDATION_PORT") or 5000)
OUTPUT_BYTES = 8_000
VALIDATION_TRIES = 3


@dataclass(frozen=True)
class Clock:
    """The time that the agent may use, which is a little less than it is granted."""

    seconds: float
    started: float = field(default_factory=lambda: _uptime())

    def used(self) -> float:
        return _uptime() - self.started

    def left(self) -> float:
        """Seconds until the agent should end; a reserve is kept for ending."""
        reserve = max(4.0, min(60.0, 0.03 * self.seconds))
        return self.seconds - reserve - self.used()

    def tell(self) -> str:
        return f"{max(0.0, self.left()):.0f} of {self.seconds:.0f} seconds are left"


@dataclass(frozen=True)
class Done:
    """How a child process ended."""

    exit_code: int
    output: str
    """Beginning and end of its output."""

    seconds: float
    is_timed_out: bool


def read_clock() -> Clock:
    """A clock that started with `start.sh`: on a busy machine imports alone take seconds."""
    started = float(os.environ.get("MLEBENCH_STARTED") or _uptime())
    return Clock(float(os.environ.get("MLEBENCH_SECONDS") or 3600), started)


def _uptime() -> float:
    """Seconds on the clock that /proc/uptime shows, if the system has one."""
    return time.clock_gettime(getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC))


def read_parameters() -> dict[str, Any]:
    """The agent's parameters, as `agent.toml` and the caller set them."""
    found = json.loads(os.environ.get("MLEBENCH_PARAMETERS") or "{}")
    return found if isinstance(found, dict) else {}


def execute(words: Sequence[str], folder: Path, timeout: float) -> Done:
    """Run a command in a folder; at its end or after the timeout its process group is killed."""
    started = time.monotonic()
    log = WORK / f".output-{uuid.uuid4().hex}"
    # Solutions get all variables except those about the model and the run.
    variables = {k: v for k, v in os.environ.items() if not k.startswith(("OPENAI_", "MLEBENCH_"))}
    try:
        with log.open("wb") as stream:
            child = subprocess.Popen(
                words,
                cwd=folder,
                env=variables,
                stdin=subprocess.DEVNULL,
                stdout=stream,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
            is_timed_out = True
            try:
                with contextlib.suppress(subprocess.TimeoutExpired):
                    child.wait(max(0.1, timeout))
                    is_timed_out = False
            finally:
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(child.pid, signal.SIGKILL)
                child.wait()
        output = shorten(log, OUTPUT_BYTES)
    finally:
        log.unlink(missing_ok=True)
    return Done(child.returncode, output, time.monotonic() - started, is_timed_out)


def shorten(file: Path, limit: int) -> str:
    """Beginning and end of a file, however large it is."""
    size = file.stat().st_size
    with file.open("rb") as stream:
        if size <= limit:
            return stream.read().decode("utf-8", "replace")
        head = stream.read(limit // 4)
        stream.seek(size - (limit - limit // 4))
        tail = stream.read()
    left_out = f"\n[{size - limit} bytes left out]\n"
    return head.decode("utf-8", "replace") + left_out + tail.decode("utf-8", "replace")


def validate(file: Path, seconds: float = 300) -> tuple[bool | None, str]:
    """Whether a submission has the right format (None if there was no answer), and the reply."""
    if not file.is_file():
        return False, f"{file} does not exist"
    end = time.monotonic() + max(1.0, seconds)
    for _ in range(VALIDATION_TRIES):
        try:
            status, wait, answer = _ask_validation(file, min(120, end - time.monotonic()))
        except (OSError, http.client.HTTPException, ValueError) as error:
            return None, f"validation did not answer: {error}"
        if status != 429 or time.monotonic() + wait >= end:
            break
        time.sleep(wait)
    if status != 200:
        return None, f"validation did not judge: {answer.get('error', status)}"
    said = str(answer.get("result", ""))
    return said.startswith("Submission is valid"), said


def _ask_validation(file: Path, timeout: float) -> tuple[int, float, dict[str, Any]]:
    """The status, seconds to wait if there were too many calls, and the answer."""
    mark = uuid.uuid4().hex
    part = 'Content-Disposition: form-data; name="file"; filename="submission.csv"'
    body = f"--{mark}\r\n{part}\r\n\r\n".encode() + file.read_bytes()
    body += f"\r\n--{mark}--\r\n".encode()
    headers = {"Content-Type": f"multipart/form-data; boundary={mark}"}
    connection = http.client.HTTPConnection("localhost", PORT, timeout=timeout)
    try:
        connection.request("POST", "/validate", body, headers)
        response = connection.getresponse()
        wait = float(response.headers.get("Retry-After") or 10)
        return response.status, min(wait, 60.0), dict(json.loads(response.read()))
    finally:
        connection.close()


def hand_in(file: Path) -> None:
    """Replace the submission by a copy of a file, in one step."""
    SUBMISSION.parent.mkdir(parents=True, exist_ok=True)
    part = SUBMISSION.with_name(".submission.part")
    shutil.copyfile(file, part)
    part.replace(SUBMISSION)


def write_json(data: Mapping[str, Any], file: Path) -> None:
    """Write a JSON file in one step, so that no reader sees a part of it."""
    part = file.with_name(f".{file.name}.part")
    part.write_text(json.dumps(data, indent=1), "utf-8")
    part.replace(file)


def hand_in_sample() -> bool:
    """Submit a sample submission that validation accepts; returns whether there is one."""
    names = ("*ample*ubmission*.csv", "*ample*.csv")
    for file in [file for name in names for file in sorted(DATA.glob(name))]:
        if validate(file)[0] is not False:
            hand_in(file)
            return True
    return False


def make_folders() -> None:
    for folder in (WORK, CODE, LOGS):
        folder.mkdir(parents=True, exist_ok=True)


def say(message: str) -> None:
    print(message, flush=True)
