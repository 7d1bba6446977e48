"""OpenEnv: its own server and client, with eight sessions at once."""

from __future__ import annotations

import asyncio
import socket
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest

from tests.gym.adapters.scripts import EPISODES, actions, expected

pytest.importorskip("openenv", reason="openenv-core is not installed")


@pytest.fixture
def url(settings: dict[str, Any]) -> Iterator[str]:
    import uvicorn

    from mlebench.gym.adapters.openenv import make_app
    from mlebench.gym.adapters.session import SessionSettings

    server = uvicorn.Server(
        uvicorn.Config(make_app(SessionSettings(**settings)), log_level="error")
    )
    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=server.run, args=([listener],), daemon=True)
        thread.start()
        while not server.started and thread.is_alive():
            time.sleep(0.05)
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        server.should_exit = True
        thread.join(20)


async def play(url: str, number: int) -> list[Any]:
    from mlebench.gym.adapters.openenv import MLEAction, MLEClient

    async with MLEClient(base_url=url) as client:
        first = await client.reset(seed=number)
        assert "Starter: Wine" in first.observation.text
        results = [await client.step(MLEAction(**action)) for action in actions(number)]
        state = await client.state()
        assert state.step_count == len(results)
        return results


async def play_all(url: str) -> list[list[Any]]:
    return await asyncio.gather(*(play(url, number) for number in range(EPISODES)))


def test_eight_episodes(url: str) -> None:
    for number, results in enumerate(asyncio.run(play_all(url))):
        assert [result.done for result in results] == [False, False, True]
        assert sum(result.reward for result in results) == pytest.approx(expected(number))
        assert results[-1].observation.validation == ("valid" if number % 2 == 0 else "invalid")
