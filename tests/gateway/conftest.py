"""A stand-in provider, gateways before it, clients in front.

The provider and the gateways that `gateway` starts serve all tests of a session: to start a process
for each of some hundred tests would take most of their time.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from mlebench.gateway.client import ModelEndpoint, open_endpoint, start_gateway
from mlebench.gateway.control import EndpointRequest
from mlebench.gateway.settings import GatewaySettings
from tests.gateway.provider import KEY, Provider
from tests.gateway.stand_ins import Model
from tests.http.clients import UnixConnection

BACKS = {
    "openai": "/v1",
    "openai-chat": "/v1",
    "openai-responses": "/v1",
    "anthropic": "/v1",
    "gemini": "/v1beta",
}
RATES = {
    "input": 3.0,
    "cached_input": 0.3,
    "cache_write": 3.75,
    "cache_write_1h": 6.0,
    "output": 15.0,
}
PRICES: dict[str, dict[str, dict[str, Any]]] = {"models": {"stand-in": RATES}}
RUN_NUMBERS = count(1)


@pytest.fixture(scope="session")
def server() -> Iterator[Provider]:
    with Provider() as server:
        yield server


@pytest.fixture
def provider(server: Provider) -> Provider:
    """Answers well until it is told otherwise, and has seen nothing."""
    server.reset()
    return server


@pytest.fixture
def model(provider: Provider) -> Model:
    """A scripted model behind the provider, in every protocol."""
    return Model(provider)


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
Gateway = Callable[..., Path]
OpenRun = Callable[..., Run]


def make_settings(provider: Provider, **changes: Any) -> GatewaySettings:
    facts = {"model": "stand-in", "base_url": provider.url, "timeout_seconds": 30}
    return GatewaySettings(**(facts | changes))


@pytest.fixture(scope="session")
def gateway(server: Provider, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Gateway]:
    """The control socket of a gateway that all tests with these settings share.

    Not for tests of outages: a gateway remembers for seconds whether its provider answers.
    """
    folder = tmp_path_factory.mktemp("gateways")
    started: dict[str, Path] = {}
    with ExitStack() as stack:

        def control(**changes: Any) -> Path:
            settings = make_settings(server, **changes)
            if repr(settings) not in started:
                log = folder / f"{len(started)}.jsonl"
                started[repr(settings)] = stack.enter_context(start_gateway(settings, KEY, log))
            return started[repr(settings)]

        yield control


@pytest.fixture
def start(tmp_path: Path, provider: Provider) -> Iterator[Start]:
    """Open a run at a gateway; without `control`, at a new one that the test may kill."""
    with ExitStack() as stack:

        def start(
            control: Path | None = None, recording: Path | None = None, **changes: Any
        ) -> Run:
            number = next(RUN_NUMBERS)
            folder = tmp_path / f"r{number}"
            folder.mkdir()
            if control is None:
                settings = make_settings(provider, **changes)
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
def run(start: Start, gateway: Gateway) -> Run:
    return start(gateway())


def settings_for(provider: Provider, api: str) -> dict[str, Any]:
    url = provider.url.removesuffix("/v1") + BACKS[api]
    return {"base_url": url, "api": api, "prices": PRICES, "is_recording": True}


@pytest.fixture
def open_run(start: Start, gateway: Gateway, provider: Provider) -> OpenRun:
    """Open a run at the gateway before a kind of provider."""
    return lambda api, **more: start(gateway(**settings_for(provider, api), **more))
