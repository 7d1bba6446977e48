"""A child process that grades: `python -m mlebench.grading.worker`, one JSON request a line.

It limits its own memory and ends when its standard input ends. It is started as a module, so that
the caller's main module is never imported again.
"""

from __future__ import annotations

import json
import os
import resource
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from mlebench.catalogue import Catalogue
from mlebench.errors import BenchError
from mlebench.grading.grade import grade_file

MEMORY_BYTES = 8 << 30


def main() -> None:
    """Answer requests until there are no more; a bug of ours is told and ends the process."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    # What a library prints must not mix with the replies.
    replies = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())

    def reply(**facts: Any) -> None:
        print(json.dumps(facts), file=replies, flush=True)

    reply(is_ready=True)
    for request in _requests():
        _answer(json.loads(request), reply)


def _requests() -> Iterator[str]:
    """Lines of the standard input; a thread ends the process with its parent, even at work."""
    lines: SimpleQueue[str] = SimpleQueue()

    def read() -> None:
        for line in sys.stdin:
            lines.put(line)
        os._exit(0)

    threading.Thread(target=read, daemon=True).start()
    while True:
        yield lines.get()


def _answer(request: dict[str, Any], reply: Callable[..., None]) -> None:
    path = request["submission_path"]
    try:
        catalogue = Catalogue(
            Path(request["data_dir"]), tuple(map(Path, request["competitions_dirs"]))
        )
        competition = catalogue.get_competition(request["competition_id"])
        report = grade_file(None if path is None else Path(path), competition)
    except BenchError as error:
        reply(error=str(error))
    except MemoryError:
        reply(is_too_large=True)
    except Exception as error:
        reply(error=f"internal error in grading: {type(error).__name__}: {error}")
        raise
    else:
        reply(report=report.to_dict())


if __name__ == "__main__":
    main()
