"""A stand-in provider, gateways before it, clients in front."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from mlebench.gateway.client import ModelEndpoint, open_endpoint, start_gateway
from mlebench.gateway.control import EndpointRequest
from mlebench.gateway.settings import GatewaySettings
from tests.gateway.provider import Provider
from tests.http.clients import UnixConnection

KEY = "sk-proj-Canary0123456789abcdefREALKEYxyz"


@pytest.fixture
def provider() -> Iterator[Provider]:
    with Provider() as server:
        yield server


@dataclass
class Run:
    """A run's side of a gateway."""

    endpoint: ModelEndpoint
    socket: Path
    trajectory: Path
    control: Path
    headers: dict[str, str] = field(default_factory=dict)

    @property
    def key(self) -> str:
        return self.endpoint.environment["OPENAI_API_KEY"]

    def ask(
        self,
        path: str = "/v1/chat/completions",
        body: Any = None,
        *,
        method: str = "POST",
        headers: dict[str, str] | None = None,
        timeout: float = 30,
    ) -> tuple[int, Any]:
        """A request's status and its answer, read as JSON where it is."""
        data = body if isinstance(body, bytes) else json.dumps(body or hello()).encode()
        sent = {"Authorization": f"Bearer {self.key}"} if headers is None else headers
        connection = UnixConnection(self.socket, timeout)
        try:
            connection.request(method, path, data if method == "POST" else None, sent)
            response = connection.getresponse()
            text = response.read()
            self.headers = dict(response.getheaders())
        finally:
            connection.close()
        try:
            return response.status, json.loads(text)
        except ValueError:
            return response.status, text.decode()

    def entries(self, kind: str | None = None) -> list[dict[str, Any]]:
        lines = [json.loads(line) for line in self.trajectory.read_bytes().splitlines()]
        return [line for line in lines if kind in (None, line["kind"])]


def hello(text: str = "hello", **changes: Any) -> dict[str, Any]:
    return {"model": "stand-in", "messages": [{"role": "user", "content": text}], **changes}


Start = Callable[..., Run]


@pytest.fixture
def start(tmp_path: Path, provider: Provider) -> Iterator[Start]:
    """Start a gateway with a run; `control` opens another run at the same gateway."""
    with ExitStack() as stack:
        number = 0

        def start(
            control: Path | None = None, recording: Path | None = None, **changes: Any
        ) -> Run:
            nonlocal number
            number += 1
            folder = tmp_path / f"r{number}"
            folder.mkdir()
            if control is None:
                facts = {"model": "stand-in", "base_url": provider.url, "timeout_seconds": 5}
                settings = GatewaySettings(**(facts | changes))
                budget_log = tmp_path / "budget.jsonl"
                control = stack.enter_context(start_gateway(settings, KEY, budget_log))
            request = EndpointRequest(
                run_id=f"run-{number}",
                socket=str(folder / "gateway.sock"),
                trajectory=str(folder / "trajectory.jsonl"),
                recording=str(recording) if recording else None,
            )
            endpoint = stack.enter_context(open_endpoint(control, "stand-in", request))
            return Run(endpoint, folder / "gateway.sock", folder / "trajectory.jsonl", control)

        yield start


@pytest.fixture
def run(start: Start) -> Run:
    return start()
