"""What the tests in a browser share: where pages are, and a viewer of a test's own runs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

from tests.browser import Watched
from tests.viewer.running import Viewer, running_viewer

MOST_NODES = 2000


def run_address(viewer: Viewer, letter: str, agent: str = "aide", tab: str = "") -> str:
    """The page of the first run of an agent with this outcome."""
    index = viewer.get("/api/index")
    runs = index["runs"]
    for place, outcome in enumerate(runs["outcome"]):
        group = index["groups"][runs["group"][place]]
        if outcome == letter and group["agent"] == agent:
            return f"{group_address(viewer, group['id'])}/r/{runs['key'][place]}{tab}"
    raise AssertionError(f"no run of {agent} has {letter}")


def group_address(viewer: Viewer, group: str) -> str:
    return f"{viewer.url}/g/{quote(group, safe='')}"


def group_named(viewer: Viewer, agent: str) -> str:
    groups = viewer.get("/api/index")["groups"]
    return str(next(group["id"] for group in groups if group["agent"] == agent))


def texts(page: Any, selector: str) -> list[str]:
    return [text.strip() for text in page.locator(selector).all_inner_texts()]


@contextmanager
def viewing(watched: Watched, tmp_path: Path, kernels: Path | None = None) -> Iterator[Viewer]:
    """A viewer of the test's own runs; the page leaves before the server does."""
    with running_viewer(tmp_path / "runs", tmp_path / "cache", kernels=kernels) as viewer:
        viewer.sign_in(watched.page)
        yield viewer
        watched.page.goto("about:blank")
