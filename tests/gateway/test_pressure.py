"""G11: much at once from one run leaves memory and the other runs alone."""

from __future__ import annotations

import itertools
import json
import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from tests.gateway import provider as behave
from tests.gateway.conftest import Gateway, Run, Start, hello
from tests.gateway.provider import Provider
from tests.gateway.test_trajectory import gateway_of
from tests.waiting import wait_for

MEGABYTE = 1 << 20


def memory(run: Run) -> int:
    """The most that the gateway has used, in bytes."""
    lines = Path(f"/proc/{gateway_of(run)}/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM"))


def head(run: Run, length: int) -> bytes:
    return (
        f"POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {run.key}\r\n"
        f"Content-Length: {length}\r\n\r\n"
    ).encode()


def send(run: Run, data: bytes) -> socket.socket:
    client = socket.socket(socket.AF_UNIX)
    client.settimeout(60)
    client.connect(str(run.socket))
    client.sendall(data)
    return client


@pytest.mark.long
def test_streams_that_nobody_reads(start: Start, provider: Provider) -> None:
    run = start(timeout_seconds=20)
    other = start(control=run.control)
    chunk = behave.events_of("word " * 20_000)[0] * 50
    provider.default = behave.stream(*([chunk] * 200))
    body = json.dumps(hello(stream=True)).encode()
    clients = [send(run, head(run, len(body)) + body) for _ in range(60)]
    wait_for(lambda: len(provider.seen) >= 16)
    time.sleep(1)  # more than these 16 would come now
    provider.default = behave.answer
    assert other.ask()[0] == 200
    assert len(provider.seen) <= 17
    assert memory(run) < 300 * MEGABYTE
    for client in clients:
        client.close()


@pytest.mark.long
def test_large_requests_at_once(start: Start, provider: Provider) -> None:
    run = start(timeout_seconds=20)
    other = start(control=run.control)
    body = json.dumps(hello("x" * (30 * MEGABYTE))).encode()
    statuses = []

    def ask() -> None:
        statuses.append(run.ask(body=body, timeout=120)[0])

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    assert other.ask(timeout=120)[0] == 200
    for thread in threads:
        thread.join()
    assert statuses == [200] * 8
    texts = [len(str(request["body"]["messages"][-1]["content"])) for request in provider.seen]
    assert sorted(texts)[-8:] == [30 * MEGABYTE] * 8
    assert memory(run) < 300 * MEGABYTE


def test_a_stated_length_of_two_gigabytes(start: Start) -> None:
    run = start()
    with send(run, head(run, 2 << 30)) as client:
        assert b" 413 " in client.recv(100)
    assert memory(run) < 150 * MEGABYTE


def test_tiny_requests_without_end(start: Start, gateway: Gateway, provider: Provider) -> None:
    """Another run is served meanwhile; the first thousand refusals are recorded."""
    run, other = start(gateway()), start(gateway())
    sent, is_over = itertools.count(), threading.Event()

    def hammer() -> None:
        while next(sent) < 1200 or not is_over.is_set():
            run.ask(body=b"{}", timeout=120)

    with ThreadPoolExecutor(4) as pool:
        hammers = [pool.submit(hammer) for _ in range(4)]
        assert other.ask(timeout=120)[0] == 200
        is_over.set()
        for each in hammers:
            each.result()
    assert len(run.entries("refused")) == 1000
    assert provider.seen[0]["path"] == "/v1/chat/completions"


def test_calls_beyond_the_limit_wait(start: Start, provider: Provider) -> None:
    run = start(max_in_flight=2, timeout_seconds=120)
    may_answer = threading.Event()

    def answer_later(handler: behave.Handler, body: dict[str, Any]) -> None:
        may_answer.wait(120)
        behave.answer(handler, body)

    provider.default = answer_later
    with ThreadPoolExecutor(5) as pool:
        results = [pool.submit(run.ask, body=hello(stream=True), timeout=120) for _ in range(5)]
        wait_for(lambda: len(provider.seen) == 2)
        time.sleep(0.2)  # a third one would come now
        assert len(provider.seen) == 2
        may_answer.set()
        assert [result.result()[0] for result in results] == [200] * 5


@pytest.mark.parametrize("text", [b"", b"POST", b"POST /v1/chat/completions HTTP/1.1\r\n"])
def test_an_unfinished_request_blocks_nobody(run: Run, text: bytes) -> None:
    with send(run, text):
        assert run.ask()[0] == 200
