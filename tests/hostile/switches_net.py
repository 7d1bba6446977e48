"""Switches of the defences around parsing, endpoints and the gateway."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.hostile.switches import switch

CONFINEMENT = "mlebench.system.confinement"

switch("child-filter", **{f"{CONFINEMENT}:install_filter": lambda program: None})
switch("child-files", **{f"{CONFINEMENT}:read_only_below": lambda paths: False})
switch("child-limits", **{f"{CONFINEMENT}:lower_limit": lambda kind, value: None})


def _raise(validator: object, data: object) -> None:
    raise KeyError("secret label")


def _break(*args: object) -> None:
    raise BrokenPipeError("secret label in /home/operator/private/test.csv")


# Not defences, but what the tests of other processes need.
switch("tool: a validator that raises", **{"mlebench.validation.validator:Validator.judge": _raise})
switch("tool: a judge that breaks", **{"mlebench.validation.judges:JudgingChild.judge": _break})
switch("tool: a log that breaks", **{"mlebench.validation.log:ValidationLog.add": _break})
switch(
    "tool: short deadlines",
    **{
        "mlebench.http.connection:HEAD_SECONDS": 1.0,
        "mlebench.http.connection:BODY_SECONDS": 1.0,
    },
)


@contextmanager
def _open_folder() -> Iterator[Path]:
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o711)
    try:
        yield folder
    finally:
        shutil.rmtree(folder)


FOLDERS = "mlebench.system.socket_folders"
switch(
    "private-sockets",
    **{
        f"{FOLDERS}:socket_folder": _open_folder,
        "tests.hostile.test_shared_machines:socket_folder": _open_folder,
    },
)
switch("abandoned-sockets", **{f"{FOLDERS}:remove_abandoned": lambda: None})
switch(
    "bounded-uploads",
    **{
        "mlebench.http.uploads:IN_MEMORY_BYTES": 1 << 40,
        "mlebench.validation.process:LARGE_UPLOADS_BYTES": 1 << 40,
    },
)


async def _judge_here(child: Any, upload: Any, content_type: str) -> Any:
    """In the server's own process, as a server without children would."""
    from mlebench.validation.judges import answer

    return answer(child.validator, upload.file, upload.size, content_type).judged


switch("judging-children", **{"mlebench.validation.judges:JudgingChild.judge": _judge_here})


def _beside_all(competition: Any) -> Any:
    from mlebench.grading.reading import Limits

    files = [competition.answers, competition.sample_submission]
    return Limits(4 * max(file.stat().st_size for file in files), 10**6)


switch("public-limits", **{"mlebench.validation.validator:submission_limits": _beside_all})


def _obey(data: Any, name: str, limits: Any = None, **options: Any) -> Any:
    """Execute a submission that begins with `run:`, as a hole in a parser would."""
    from mlebench.grading.reading import parse_submission

    if bytes(data[:4]) == b"run:":
        exec(bytes(data[4:]).decode(), {})
    return parse_submission(data, name, limits, **options)


def _fail(*arguments: Any, **options: Any) -> Any:
    raise KeyError("label")


switch(
    "tool: a submission that takes the parser over",
    **{"mlebench.validation.validator:parse_submission": _obey},
)
switch("tool: children for two uploads", **{"mlebench.validation.judges:MAX_UPLOADS": 2})
switch("tool: a parser that raises", **{"mlebench.grading.grade:parse_submission": _fail})
