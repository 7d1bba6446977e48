"""The harness's side of the gateway: start its process, open an endpoint for a run."""

from __future__ import annotations

import os
import select
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec

from mlebench.errors import SandboxError, UsageError
from mlebench.gateway.control import (
    ControlAnswer,
    EndpointCommand,
    EndpointRequest,
    GatewayStart,
    decode_line,
    encode_line,
)
from mlebench.gateway.settings import GatewaySettings
from mlebench.records.run import ModelTotals
from mlebench.sandbox.base import GATEWAY_PORT
from mlebench.system.socket_folders import socket_folder

ANSWER_SECONDS = 60.0
INHERITED = ("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "VIRTUAL_ENV", "PYTHONPATH")
"""The variables that a Python process needs; the gateway gets no others of the operator's."""


def client_variables(url: str, key: str) -> dict[str, str]:
    """The variables that the clients of OpenAI, Anthropic and Google read, for a gateway."""
    return {
        "OPENAI_BASE_URL": f"{url}/v1",
        "OPENAI_API_KEY": key,
        "ANTHROPIC_BASE_URL": url,
        "ANTHROPIC_API_KEY": key,
        "GOOGLE_GEMINI_BASE_URL": url,
        "GEMINI_API_KEY": key,
    }


class ModelEndpoint:
    """The model endpoint of one run while it is open; see `open_endpoint`."""

    def __init__(self, connection: socket.socket, model: str, request: EndpointRequest) -> None:
        self._connection = connection
        self._answers = connection.makefile("rb")
        self._model = model
        self._final: ModelTotals | None = None
        self._key = self._ask(request).key or ""

    @property
    def environment(self) -> dict[str, str]:
        """The variables with which an agent finds its model."""
        found = client_variables(f"http://localhost:{GATEWAY_PORT}", self._key)
        return {**found, "MLEBENCH_MODEL": self._model}

    def totals(self) -> ModelTotals:
        """Calls, tokens and cost so far; after `close`, the final ones."""
        return self._final or self._ask_totals(EndpointCommand("totals"))

    def close(self) -> ModelTotals:
        """Stop serving the agent and return the final totals."""
        if self._final is None:
            self._final = self._ask_totals(EndpointCommand("close"))
        return self._final

    def disconnect(self) -> None:
        """Close the connection; the gateway then closes an endpoint that is still open."""
        self._answers.close()

    def is_broken(self) -> bool:
        """Whether the gateway has ended while the endpoint should be open."""
        # The gateway writes only when asked: readable without a question means end of file.
        poll = select.poll()
        poll.register(self._connection, select.POLLIN)
        return self._final is None and bool(poll.poll(0))

    def _ask_totals(self, command: EndpointCommand) -> ModelTotals:
        totals = self._ask(command).totals
        if totals is None:
            raise SandboxError(f"the model gateway returned no totals for {command.command!r}")
        return totals

    def _ask(self, message: msgspec.Struct) -> ControlAnswer:
        try:
            self._connection.sendall(encode_line(message))
            line = self._answers.readline()
        except OSError as error:
            raise SandboxError(f"the model gateway does not answer: {error}") from None
        if not line:
            raise SandboxError("the model gateway ended while a run needed it")
        answer = decode_line(line, ControlAnswer)
        if answer.error is not None:
            raise SandboxError(f"the model gateway failed: {answer.error}")
        return answer


@contextmanager
def open_endpoint(control: Path, model: str, request: EndpointRequest) -> Iterator[ModelEndpoint]:
    """Ask the gateway behind a control socket to serve one run, as long as the context is open."""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(ANSWER_SECONDS)
        try:
            connection.connect(str(control))
        except OSError as error:
            raise SandboxError(f"the model gateway is gone: {error.strerror}") from None
        endpoint = ModelEndpoint(connection, model, request)
        try:
            yield endpoint
        finally:
            endpoint.disconnect()


@contextmanager
def start_gateway(settings: GatewaySettings, key: str, budget_log: Path) -> Iterator[Path]:
    """Run the gateway as a process of its own; yields the path of its control socket."""
    with socket_folder() as folder:
        control = folder / "control.sock"
        process = subprocess.Popen(
            [sys.executable, "-m", "mlebench.gateway"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={name: os.environ[name] for name in INHERITED if name in os.environ},
            cwd="/",
            # Ctrl-C is for the harness, which then ends its runs in order.
            start_new_session=True,
        )
        try:
            start = GatewayStart(settings, key, str(budget_log.absolute()), str(control))
            _send_start(process, start)
            yield control
        finally:
            _end(process)


def _send_start(process: subprocess.Popen[bytes], start: GatewayStart) -> None:
    if process.stdin is None or process.stdout is None:
        raise SandboxError("the model gateway was started without pipes")
    process.stdin.write(encode_line(start))
    process.stdin.flush()
    line = process.stdout.readline()
    if not line:
        raise SandboxError("the model gateway did not start")
    answer = decode_line(line, ControlAnswer)
    if answer.error is not None:
        raise UsageError(answer.error)


def _end(process: subprocess.Popen[bytes]) -> None:
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            pipe.close()
    try:
        process.wait(10)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
