"""The pytest fixture: a running stand-in, and an environment in which only it can be reached."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from .server import KaggleServer

CREDENTIALS = ("KAGGLE_USERNAME", "KAGGLE_KEY", "KAGGLE_API_TOKEN", "KAGGLE_CONFIG_DIR")


@pytest.fixture
def kaggle_server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[KaggleServer]:
    """The stand-in on a free port, with a known user's key in the environment."""
    home = tmp_path / "kaggle-home"
    home.mkdir()
    for name in CREDENTIALS:
        monkeypatch.delenv(name, raising=False)
    with KaggleServer() as server:
        variables = server.environment | server.credentials | {"HOME": str(home)}
        for name, value in variables.items():
            monkeypatch.setenv(name, value)
        yield server
