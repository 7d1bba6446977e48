"""Confined children that parse uploads: the server passes a file and receives a verdict.

A child that dies or takes too long costs the upload that it worked on, and is replaced.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import os
import signal
import socket
import sys
from dataclasses import dataclass
from typing import Any, NoReturn

from mlebench.http import Upload
from mlebench.system.children import die_with_parent
from mlebench.system.confinement import Confinement, confine
from mlebench.validation.multipart import FormError, find_file
from mlebench.validation.validator import FormatVerdict, Validator

FIRST_SECONDS = 120.0
"""For one upload, with a second more for each megabyte."""

CPU_SECONDS = 3600
SPARE_MEMORY = 2 << 30
MEMORY_PER_BYTE = 24
"""Beside the spare memory, for each byte that an upload may have: text, columns, lists."""

MAX_MESSAGE = 1 << 16
MAX_REASON = 4000
FIRST_FILE, LAST_FILE = 3, 4096
TOO_LONG = "Submission is invalid: too costly to validate: not done after {:.0f} s"
TOO_LARGE = "Submission is invalid: too costly to validate: needs too much memory"

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Judged:
    """The verdict on an upload, and where the file is in its body."""

    verdict: FormatVerdict
    start: int = 0
    size: int = 0


class JudgeFault(Exception):
    """A bug in mlebench, triggered by an upload; its text is for our log only."""


class JudgingChild:
    """One confined child, started when it is needed; it works on one upload at a time."""

    def __init__(self, validator: Validator) -> None:
        self.validator = validator
        self._pid: int | None = None
        self._connection: socket.socket

    async def judge(self, upload: Upload, content_type: str) -> Judged:
        """The child's verdict.

        Raises:
            FormError: the upload is no form with one file.
            JudgeFault: the child failed, for which the upload is not to blame.
        """
        seconds = FIRST_SECONDS + upload.size / 1e6
        try:
            async with asyncio.timeout(seconds):
                reply = await self._ask(upload, content_type)
        except TimeoutError:
            self.stop()
            return Judged(FormatVerdict(False, TOO_LONG.format(seconds), None))
        except BaseException:
            self.stop()
            raise
        if reply is None:
            self.stop()
            return Judged(FormatVerdict(False, TOO_LARGE, None))
        if "form" in reply:
            raise FormError(reply["form"])
        if "fault" in reply:
            raise JudgeFault(reply["fault"])
        verdict = FormatVerdict(bool(reply["valid"]), str(reply["text"]), reply["sha256"])
        return Judged(verdict, int(reply["start"]), int(reply["size"]))

    async def _ask(self, upload: Upload, content_type: str) -> dict[str, Any] | None:
        if self._pid is None:
            self._start()
        loop = asyncio.get_running_loop()
        request = json.dumps({"size": upload.size, "type": content_type}).encode()
        with contextlib.suppress(BrokenPipeError):
            socket.send_fds(self._connection, [request], [upload.file])
        line = b""
        while not line.endswith(b"\n"):
            try:
                part = await loop.sock_recv(self._connection, MAX_MESSAGE)
            except ConnectionError:
                return None
            line += part
            if not part or len(line) > MAX_MESSAGE:
                return None
        return dict(json.loads(line))

    def _start(self) -> None:
        self._connection, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
        self._pid = os.fork()
        if self._pid == 0:
            _work(theirs, self.validator)
        theirs.close()
        self._connection.setblocking(False)

    def stop(self) -> None:
        if self._pid is not None:
            self._connection.close()
            os.kill(self._pid, signal.SIGKILL)
            os.waitpid(self._pid, 0)
            self._pid = None


def _work(connection: socket.socket, validator: Validator) -> NoReturn:
    """What a child does until the server closes the connection."""
    try:
        die_with_parent()
        os.closerange(FIRST_FILE, connection.fileno())
        os.closerange(connection.fileno() + 1, LAST_FILE)
        size = validator.limits.max_bytes
        confine(
            Confinement(
                memory_bytes=address_space() + SPARE_MEMORY + MEMORY_PER_BYTE * size,
                cpu_seconds=CPU_SECONDS,
                readable=(),
            )
        )
        while True:
            message, files, _, _ = socket.recv_fds(connection, MAX_MESSAGE, 1)
            if not message:
                break
            request = json.loads(message)
            reply = answer(validator, files[0], request["size"], request["type"])
            os.close(files[0])
            connection.sendall(json.dumps(reply).encode() + b"\n")
    finally:
        os._exit(0)


def answer(validator: Validator, file: int, size: int, content_type: str) -> dict[str, Any]:
    """The verdict on a form in a file, as a message."""
    try:
        body = os.pread(file, size, 0) if size < 1 << 30 else _read_long(file, size)
        place = find_file(content_type.encode("latin-1", "replace"), body)
        verdict = validator.judge(memoryview(body)[place])
    except FormError as error:
        return {"form": str(error)}
    except MemoryError:
        os._exit(1)
    except Exception as error:  # a bug in mlebench, triggered by this file
        logger.exception("validation failed")
        return {"fault": f"{type(error).__name__}: {error}"[:1000]}
    return {
        "valid": verdict.is_valid,
        "text": verdict.text[:MAX_REASON],
        "sha256": verdict.sha256,
        "start": place.start,
        "size": place.stop - place.start,
    }


def _read_long(file: int, size: int) -> bytes:
    """A read returns two gigabytes at most."""
    with os.fdopen(os.dup(file), "rb") as stream:
        stream.seek(0)
        return stream.read(size)


def address_space() -> int:
    """What this process has mapped already, in bytes."""
    if sys.platform != "linux":
        return 0
    with open("/proc/self/statm", encoding="ascii") as stream:
        return int(stream.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
