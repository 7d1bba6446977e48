"""Confined children that parse uploads: the server passes a file and receives a verdict.

A child works on many uploads of one server, one after the other. One that dies or takes too long
loses the upload that it worked on and is replaced; all are replaced from time to time.
"""

from __future__ import annotations

import asyncio
import contextlib
import ctypes
import json
import logging
import os
import select
import signal
import socket
import time
from dataclasses import dataclass, replace
from typing import NoReturn

import msgspec

from mlebench.http import Upload
from mlebench.system.children import die_with_parent
from mlebench.system.confinement import Confinement, address_space, confine
from mlebench.validation.multipart import FormError, find_file
from mlebench.validation.validator import FormatVerdict, Validator

FIRST_SECONDS = 120.0
"""For one upload, with a second more for each megabyte."""

MAX_UPLOADS, MAX_BUSY_SECONDS = 500, 600.0
"""After this many uploads, or this much time at work, a child is replaced."""

SPARE_MEMORY = 2 << 30
MEMORY_PER_BYTE = 24
"""In addition to the spare memory, for each byte that an upload may have: text, columns, lists."""

MAX_MESSAGE = 1 << 16
MAX_REASON = 4000
FIRST_FILE, LAST_FILE = 3, 4096
M_TRIM_THRESHOLD, M_MMAP_THRESHOLD = -1, -3
KEPT_MEMORY, LARGE_BLOCK = 64 << 20, 16 << 20
TOO_LONG = "Submission is invalid: too costly to validate: not done after {:.0f} s"
TOO_LARGE = "Submission is invalid: too costly to validate: needs too much memory"

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Judged:
    """The verdict on an upload, and where the file is in its body."""

    verdict: FormatVerdict
    start: int = 0
    size: int = 0


OUT_OF_MEMORY = Judged(FormatVerdict(False, TOO_LARGE, None))


class JudgeFault(Exception):
    """A bug in mlebench, triggered by an upload; its text is for our log only."""


@dataclass(frozen=True)
class Reply:
    """What a child sends: a verdict, what is wrong with the form, or an error of ours."""

    judged: Judged = OUT_OF_MEMORY
    form: str | None = None
    fault: str | None = None

    def is_within(self, size: int) -> bool:
        """Whether the file that the reply describes is in a body of this size."""
        judged = self.judged
        return judged.start >= 0 and judged.size >= 0 and judged.start + judged.size <= size


class JudgingChild:
    """One confined child, started when it is needed; it works on one upload at a time."""

    def __init__(self, validator: Validator) -> None:
        self.validator = validator
        self._pid: int | None = None
        self._connection: socket.socket
        self._uploads = 0
        self._busy_seconds = 0.0

    async def judge(self, upload: Upload, content_type: str) -> Judged:
        """The child's verdict.

        Raises:
            FormError: the upload is not a form with one file.
            JudgeFault: the child failed, and the upload is not to blame.
        """
        seconds = _most_seconds(upload.size)
        start = time.monotonic()
        try:
            async with asyncio.timeout(seconds):
                reply = await self._ask(upload, content_type)
        except TimeoutError:
            self.stop()
            return Judged(FormatVerdict(False, TOO_LONG.format(seconds), None))
        except BaseException:
            self.stop()
            raise
        self._uploads += 1
        self._busy_seconds += time.monotonic() - start
        is_old = self._uploads >= MAX_UPLOADS or self._busy_seconds >= MAX_BUSY_SECONDS
        if reply is None or is_old:
            self.stop()
        if reply is None:
            return OUT_OF_MEMORY
        if reply.form is not None:
            raise FormError(reply.form)
        if reply.fault is not None:
            raise JudgeFault(reply.fault)
        return reply.judged

    async def _ask(self, upload: Upload, content_type: str) -> Reply | None:
        """The child's reply; None if it ends or sends something that cannot be one."""
        if self._pid is not None and select.select([self._connection], [], [], 0)[0]:
            self.stop()  # it died, or sent something unasked
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
        with contextlib.suppress(msgspec.DecodeError):
            reply = msgspec.json.decode(line, type=Reply)
            return reply if reply.is_within(upload.size) else None
        return None

    def _start(self) -> None:
        self._connection, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
        self._pid = os.fork()
        if self._pid == 0:
            _work(theirs, self.validator)
        theirs.close()
        self._connection.setblocking(False)
        self._uploads, self._busy_seconds = 0, 0.0

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
        _keep_freed_memory()
        size = validator.limits.max_bytes
        confine(
            Confinement(
                memory_bytes=address_space() + SPARE_MEMORY + MEMORY_PER_BYTE * size,
                cpu_seconds=int(MAX_BUSY_SECONDS + _most_seconds(size)),
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
            connection.sendall(msgspec.json.encode(reply) + b"\n")
    finally:
        os._exit(0)


def _most_seconds(size: int) -> float:
    return FIRST_SECONDS + size / 1e6


def _keep_freed_memory() -> None:
    """Let the GNU allocator use freed blocks again for the next upload.

    By default it returns large ones to the kernel, and page faults take a third of the time.
    """
    if mallopt := getattr(ctypes.CDLL(None), "mallopt", None):
        mallopt(M_MMAP_THRESHOLD, LARGE_BLOCK)
        mallopt(M_TRIM_THRESHOLD, KEPT_MEMORY)


def answer(validator: Validator, file: int, size: int, content_type: str) -> Reply:
    """The verdict on a form in a file, as a message."""
    try:
        body = os.pread(file, size, 0) if size < 1 << 30 else _read_long(file, size)
        place = find_file(content_type.encode("latin-1", "replace"), body)
        verdict = validator.judge(memoryview(body)[place])
    except FormError as error:
        return Reply(form=str(error))
    except MemoryError:
        os._exit(1)
    except Exception as error:  # a bug in mlebench, triggered by this file
        logger.exception("validation failed")
        return Reply(fault=f"{type(error).__name__}: {error}"[:1000])
    verdict = replace(verdict, text=verdict.text[:MAX_REASON])
    return Reply(Judged(verdict, place.start, place.stop - place.start))


def _read_long(file: int, size: int) -> bytes:
    """A read returns two gigabytes at most."""
    with os.fdopen(os.dup(file), "rb") as stream:
        stream.seek(0)
        return stream.read(size)
