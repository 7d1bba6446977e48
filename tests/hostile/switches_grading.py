"""Switches for the defences of validation, grading, storage, containers and the terminal."""

from __future__ import annotations

import os
import re
import subprocess
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from mlebench.errors import InvalidSubmissionError
from mlebench.system.files import atomic_file
from mlebench.system.fork_server import receive_line
from tests.hostile.switches import switch

switch("bounded-shapes", **{"mlebench.grading.reading:_require_size": lambda *args: None})


def _metric_as_check(form: Any, submission: Any, answers: Any) -> None:
    """As the published server does: it grades, and tells what went wrong."""
    aligned = form.align(submission, answers)
    if (aligned.truth == aligned.prediction).mean() < 0.5:
        raise InvalidSubmissionError("this submission cannot be right")


switch(
    "public-keys",
    **{
        "mlebench.formats.rows:RowPerId.keys": lambda form, answers: answers,
        "mlebench.formats.rows:RowPerId.check": _metric_as_check,
    },
)


def _receive_later(connection: Any, seconds: float, *limit: int) -> bytes | None:
    return receive_line(connection, seconds + 20, *limit)


switch(
    "costly-gradings-end",
    **{
        "mlebench.system.fork_server:receive_line": _receive_later,
        "mlebench.system.confinement:lower_limit": lambda kind, value: None,
    },
)
switch(
    "rate-limit",
    **{"mlebench.validation.application:ValidationApplication._seconds_to_wait": lambda self: 0.0},
)
switch("submounts-are-refused", **{"mlebench.sandbox.docker:refuse_submounts": lambda mounts: None})
switch("apptainer-is-closed", **{"mlebench.sandbox.apptainer:CLOSED": ("--cleanenv",)})
switch(
    "old-programs-are-refused",
    **{"mlebench.sandbox.bubblewrap:find_bwrap": lambda program=None: program},
)
switch("text-is-escaped", **{"mlebench.cli.output:UNSAFE": re.compile("(?!)")})
switch("histories-stay-out", **{"mlebench.agents.program_files:LEFT_OUT": {"__pycache__"}})


def _write_in_place(path: Path, content: bytes | str, **options: object) -> None:
    with path.open("wb") as stream:
        stream.write(content.encode() if isinstance(content, str) else content)
        stream.flush()
        os.fsync(stream.fileno())


switch("files-are-replaced", **{"mlebench.records.codec:write_atomically": _write_in_place})


def _write_and_sync_again(path: Path, content: bytes | str, **options: object) -> None:
    """After a failed sync the pages are gone, and the second call has nothing to report."""
    with atomic_file(path, is_durable=False) as stream:
        stream.write(content.encode() if isinstance(content, str) else content)
        stream.flush()
        with suppress(OSError):
            os.fsync(stream.fileno())


switch("failed-sync-is-final", **{"mlebench.records.codec:write_atomically": _write_and_sync_again})


class _PopenOfAThread(subprocess.Popen[bytes]):
    """Starts the program from a thread that ends while the program runs."""

    def _execute_child(self, *args: Any, **kwargs: Any) -> None:
        started = threading.Event()

        def start() -> None:
            super(_PopenOfAThread, self)._execute_child(*args, **kwargs)  # type: ignore[misc]
            started.set()
            time.sleep(1)

        threading.Thread(target=start).start()
        started.wait()


switch(
    "started-by-the-thread-that-waits",
    **{"mlebench.sandbox.engines.bubblewrap_run:subprocess.Popen": _PopenOfAThread},
)
