"""Clients of a stand-in server."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from mlebench.contamination.answers import AnswerLog
from mlebench.contamination.client import ModelClient
from mlebench.gateway.settings import GatewaySettings
from tests.contamination.stub import StubModel, StubServer, serve

KEY = "sk-proj-Canary0123456789abcdefREALKEYxyz"
Connect = Callable[..., ModelClient]


@pytest.fixture
def stub() -> Iterator[StubServer]:
    with serve(StubModel()) as server:
        yield server


@pytest.fixture
def connect(tmp_path: Path) -> Iterator[Connect]:
    """Make clients that record in a file of their own."""
    with ExitStack() as stack:
        number = 0

        def connect(url: str, *, file: Path | None = None, jobs: int = 4) -> ModelClient:
            nonlocal number
            number += 1
            file = file or tmp_path / f"answers-{number}.jsonl"
            log = AnswerLog.record(file, model="stub", base_url=url)
            settings = GatewaySettings(model="stub", base_url=url, timeout_seconds=600)
            client = ModelClient(log, settings, key=KEY, jobs=jobs)
            stack.callback(client.close)
            return client

        yield connect
