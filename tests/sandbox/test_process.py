"""The `process` sandbox: places of the host in the texts that an agent gets."""

from __future__ import annotations

import pytest

from mlebench.sandbox.process import _replace_paths

PLACES = {"/home/data": "/srv/public", "localhost:5001": "localhost:40641"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # Another process may have the usual port; the model is at another one then.
        ("http://localhost:5001/v1", "http://localhost:40641/v1"),
        ("curl localhost:5001", "curl localhost:40641"),
        ("http://localhost:50010/v1", "http://localhost:50010/v1"),
        ("cat /home/data/train.csv", "cat /srv/public/train.csv"),
        ("/mnt//home/data", "/mnt//home/data"),
    ],
)
def test_paths_and_ports_are_those_of_the_host(text: str, expected: str) -> None:
    assert _replace_paths(text, PLACES) == expected
