"""The harness's side of the gateway: start its process, open an endpoint for a run."""

from __future__ import annotations

import json
import os
import select
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

from mlebench.errors import SandboxError, UsageError
from mlebench.gateway.settings import GatewaySettings
from mlebench.sandbox.base import GATEWAY_PORT

ANSWER_SECONDS = 60.0
# What a Python process needs to start; nothing else of the operator's environment goes along.
PASSED_ON = ("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "VIRTUAL_ENV", "PYTHONPATH")


class ModelEndpoint:
    """A run's endpoint while it is open."""

    def __init__(self, connection: socket.socket, model: str) -> None:
        self._connection = connection
        self._answers = connection.makefile("rb")
        self._final: dict[str, Any] | None = None
        self._model = model

    def open(self, wanted: dict[str, Any]) -> None:
        self._say(wanted)
        self._key = self._hear()["key"]

    @property
    def environment(self) -> dict[str, str]:
        """The variables that an agent needs to find its model."""
        return {
            "OPENAI_BASE_URL": f"http://localhost:{GATEWAY_PORT}/v1",
            "OPENAI_API_KEY": self._key,
            "MLEBENCH_MODEL": self._model,
        }

    def totals(self) -> dict[str, Any]:
        """Calls, tokens and cost so far; after `close`, the final ones."""
        return self._ask("totals") if self._final is None else self._final

    def close(self) -> dict[str, Any]:
        """Stop serving the agent and return the final totals."""
        if self._final is None:
            self._final = self._ask("close")
        return self._final

    def disconnect(self) -> None:
        """Give up the connection; the gateway then closes an endpoint that is still open."""
        self._answers.close()

    def _ask(self, command: str) -> dict[str, Any]:
        self._say({"command": command})
        return self._hear()

    def is_broken(self) -> bool:
        """Whether the gateway has gone while the endpoint should be open."""
        # The gateway writes only when asked: readable without a question means end of file.
        poll = select.poll()
        poll.register(self._connection, select.POLLIN)
        return self._final is None and bool(poll.poll(0))

    def _say(self, data: dict[str, Any]) -> None:
        try:
            self._connection.sendall(json.dumps(data).encode() + b"\n")
        except OSError as error:
            raise SandboxError(f"the model gateway is gone: {error.strerror}") from None

    def _hear(self) -> dict[str, Any]:
        try:
            line = self._answers.readline()
        except OSError as error:
            raise SandboxError(f"the model gateway does not answer: {error}") from None
        if not line:
            raise SandboxError("the model gateway ended while a run needed it")
        answer: dict[str, Any] = json.loads(line)
        if "error" in answer:
            raise SandboxError(f"the model gateway failed: {answer['error']}")
        return answer


@contextmanager
def open_endpoint(control: Path, model: str, wanted: dict[str, Any]) -> Iterator[ModelEndpoint]:
    """Ask a gateway on this machine for a run's endpoint."""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(ANSWER_SECONDS)
        try:
            connection.connect(str(control))
        except OSError as error:
            raise SandboxError(f"the model gateway is gone: {error.strerror}") from None
        endpoint = ModelEndpoint(connection, model)
        try:
            endpoint.open(wanted)
            yield endpoint
        finally:
            endpoint.disconnect()


@contextmanager
def start_gateway(settings: GatewaySettings, key: str, ledger: Path) -> Iterator[Path]:
    """The gateway as a process of its own, told by its control socket; the key stays there."""
    folder = Path(tempfile.mkdtemp(prefix="mlebench-gateway-"))
    control = folder / "control.sock"
    process = subprocess.Popen(
        [sys.executable, "-m", "mlebench.gateway"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={name: os.environ[name] for name in PASSED_ON if name in os.environ},
        cwd="/",
        # Ctrl-C is for the harness, which then ends its runs in order.
        start_new_session=True,
    )
    try:
        start = {
            "settings": asdict(settings),
            "key": key,
            "ledger": str(ledger.absolute()),
            "control": str(control),
        }
        _hand_over(process, start)
        yield control
    finally:
        _end(process)
        shutil.rmtree(folder, ignore_errors=True)


def _hand_over(process: subprocess.Popen[bytes], start: dict[str, Any]) -> None:
    if process.stdin is None or process.stdout is None:
        raise SandboxError("the model gateway has no pipes")
    process.stdin.write(json.dumps(start).encode() + b"\n")
    process.stdin.flush()
    line = process.stdout.readline()
    if not line:
        raise SandboxError("the model gateway did not start")
    answer = json.loads(line)
    if "error" in answer:
        raise UsageError(answer["error"])


def _end(process: subprocess.Popen[bytes]) -> None:
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            pipe.close()
    try:
        process.wait(10)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
