"""The server's own process: reads requests and passes uploads to confined children.

The fork server starts a keeper (`serve`), which knows ids and format and forks the server; a server
that is killed is replaced. Both end when the harness closes its end of the connection.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import resource
import socket
import sys
from collections.abc import Coroutine
from pathlib import Path
from typing import Any, NoReturn

from mlebench.catalogue import load_competition
from mlebench.errors import BenchError
from mlebench.grading.renaming import read_renaming
from mlebench.http import HttpServer, Spool
from mlebench.records.folders import CompetitionFolder
from mlebench.system.children import die_with_parent, run_in_child
from mlebench.system.confinement import (
    address_space,
    child_filter,
    install_filter,
    lower_limit,
    prefer_for_oom_kill,
)
from mlebench.system.fork_server import modules_since
from mlebench.validation.application import ValidationApplication
from mlebench.validation.judges import JudgingChild
from mlebench.validation.log import ValidationLog
from mlebench.validation.validator import Validator

FORM_BYTES = 64 * 1024
LARGE_UPLOADS_BYTES = 256 << 20
"""Of uploads above a megabyte, how much is stored at a time; a larger upload is stored alone."""

SERVER_MEMORY = 1 << 30


def serve(connection: socket.socket, facts: dict[str, Any], listener: int, counter: int) -> None:
    """Keep a server for one competition until the connection is closed.

    Args:
        facts: of a `ValidationServer`.
        listener: a listening socket.
        counter: a file with the number of calls so far.
    """
    known = len(sys.modules)
    try:
        folder = CompetitionFolder(
            Path(facts["data_dir"]), facts["competition_id"], facts["revision"]
        )
        competition = load_competition(Path(facts["home"]), folder)
        validator = Validator(
            competition,
            with_hashes=bool(facts["log"] or facts["last_valid"]),
            renaming=read_renaming(facts["renaming"]),
        )
    except BenchError as error:
        connection.sendall(json.dumps({"error": str(error)}).encode() + b"\n")
        return
    connection.sendall(json.dumps({"imports": modules_since(known)}).encode() + b"\n")
    run_in_child(lambda _: _run(_serve(connection, facts, listener, counter, validator)))


def _run(serving: Coroutine[Any, Any, None]) -> NoReturn:
    """Run a server in this process, which ends with it."""
    try:
        die_with_parent()
        prefer_for_oom_kill()
        lower_limit(resource.RLIMIT_CORE, 0)
        with contextlib.suppress(asyncio.CancelledError):
            asyncio.run(serving)
    finally:
        os._exit(0)


async def _serve(
    connection: socket.socket,
    facts: dict[str, Any],
    listener: int,
    counter: int,
    validator: Validator,
) -> None:
    log = ValidationLog(
        facts["log"] and Path(facts["log"]),
        last_valid=facts["last_valid"] and Path(facts["last_valid"]),
        start=facts["start"],
        counter=counter,
    )
    listening = socket.socket(fileno=listener)
    judges = [JudgingChild(validator) for _ in range(facts["at_once"])]
    application = ValidationApplication(judges, log, per_minute=facts["per_minute"])
    server = HttpServer(
        application,
        max_body_bytes=validator.limits.max_bytes + FORM_BYTES,
        max_large_bytes=LARGE_UPLOADS_BYTES,
        spool=Spool(facts["spool"] and Path(facts["spool"])),
    )
    # A soft limit: the children set their own.
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (address_space() + SERVER_MEMORY, hard))
    # The loop has its own sockets now; no other is needed.
    install_filter(child_filter(is_server=True))
    serving = asyncio.create_task(server.serve(listening))
    connection.setblocking(False)
    loop = asyncio.get_running_loop()
    loop.add_reader(connection, serving.cancel)
    try:
        await serving
    finally:
        for judge in judges:
            judge.stop()
