"""Calls of the judge through our own gateway: recorded in the run's folder, limited, replayable."""

from __future__ import annotations

import http.client
import json
import re
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeVar

import msgspec

from mlebench.errors import SandboxError, UsageError
from mlebench.gateway.client import open_endpoint, start_gateway
from mlebench.gateway.control import EndpointRequest
from mlebench.gateway.keys import read_key
from mlebench.gateway.settings import GatewaySettings
from mlebench.integrity.extensions import IntegrityOptions
from mlebench.records.codec import DAMAGE
from mlebench.records.trajectory import EXCHANGE_START
from mlebench.system.socket_folders import socket_folder

MAX_ANSWER_TOKENS = 1200
SEED = 0
Answer = TypeVar("Answer")
OBJECT = re.compile(r"\{.*\}", re.DOTALL)


class NoAnswer(Exception):
    """The model did not answer; the text says why."""


class _SocketConnection(http.client.HTTPConnection):
    def __init__(self, path: Path, timeout: float) -> None:
        super().__init__("localhost", timeout=timeout)
        self._path = path

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(self.timeout)
        self.sock.connect(str(self._path))


@dataclass
class JudgeModel:
    """The judge's model while it examines one run."""

    name: str
    key: str
    socket: Path
    timeout_seconds: float
    calls: int = 0

    def ask(self, messages: list[dict[str, str]], *, is_json: bool = True) -> str:
        """The text of the answer; raises NoAnswer."""
        body: dict[str, Any] = {
            "model": self.name,
            "messages": messages,
            "temperature": 0,
            "seed": SEED,
            "max_tokens": MAX_ANSWER_TOKENS,
        }
        if is_json:
            body["response_format"] = {"type": "json_object"}
        self.calls += 1
        status, text = self._post(json.dumps(body).encode())
        try:
            answer = json.loads(text)
            if status == 200:
                return str(answer["choices"][0]["message"]["content"] or "")
            raise NoAnswer(f"the model answers {status}: {str(answer.get('error'))[:200]}")
        except (ValueError, KeyError, IndexError, TypeError, AttributeError):
            raise NoAnswer(f"the answer of the model ({status}) has no message") from None

    def _post(self, body: bytes) -> tuple[int, bytes]:
        connection = _SocketConnection(self.socket, self.timeout_seconds)
        headers = {"Authorization": f"Bearer {self.key}", "Content-Type": "application/json"}
        try:
            connection.request("POST", "/v1/chat/completions", body, headers)
            response = connection.getresponse()
            return response.status, response.read()
        except (OSError, http.client.HTTPException) as error:
            raise NoAnswer(f"the gateway does not answer: {error}") from None
        finally:
            connection.close()


@contextmanager
def judge_gateway(options: IntegrityOptions) -> Iterator[tuple[GatewaySettings, Path]]:
    """A gateway for the judge, whose budgets apply to one scan; a replay needs no key."""
    settings = options.judge
    if settings is None:
        raise UsageError("no model is named as the judge")
    key = ""
    if settings.replay is None:
        key = read_key(options.api_key_env, is_optional=settings.is_local)
    with (
        TemporaryDirectory() as folder,
        start_gateway(settings, key, Path(folder) / "budget.jsonl") as control,
    ):
        yield settings, control


@contextmanager
def open_model(
    control: Path, settings: GatewaySettings, run_id: str, record: Path
) -> Iterator[JudgeModel]:
    """The model for one run; its calls are recorded in `record`, or answered from there."""
    with TemporaryDirectory() as spare, socket_folder() as folder:
        path = folder / "judge.sock"
        is_replay = settings.replay is not None
        if not is_replay:
            record.unlink(missing_ok=True)
        elif not record.is_file():
            raise SandboxError(f"there is no recording of a judge: {record}")
        written = Path(spare) / "judge.jsonl" if is_replay else record
        request = EndpointRequest(
            run_id, str(path), str(written), str(record) if is_replay else None
        )
        with open_endpoint(control, settings.model, request) as endpoint:
            key = endpoint.environment["OPENAI_API_KEY"]
            yield JudgeModel(settings.model, key, path, settings.timeout_seconds + 60)
            endpoint.close()


def exchange_lines(record: Path) -> list[int]:
    """The number of the line of each exchange, from 1."""
    with record.open("rb") as stream:
        return [n for n, line in enumerate(stream, 1) if line.startswith(EXCHANGE_START)]


def read_object(text: str, kind: type[Answer]) -> Answer | None:
    """The JSON object of an answer; None if there is none of this form."""
    found = OBJECT.search(text)
    try:
        return (
            msgspec.json.decode(found[0].encode("utf-8", "replace"), type=kind) if found else None
        )
    except DAMAGE:
        return None
