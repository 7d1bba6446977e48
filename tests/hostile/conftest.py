"""Hostile agents: every sandbox in turn, the invariant, and the switches that remove a defence.

A test marked `defence("name")` runs twice: as it is, and without that defence, when it must fail.
The second run, and all runs without isolation, are part of `make test-long`.
"""

from __future__ import annotations

import gc
import tempfile
import warnings
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any

import pytest

from mlebench.catalogue import Catalogue
from mlebench.sandbox.registry import get_sandbox
from mlebench.system.trees import remove_tree
from tests.hostile.arena import Arena
from tests.hostile.switches import without
from tests.sandbox.conftest import require_sandbox

SANDBOXES = ("bubblewrap", pytest.param("process", marks=pytest.mark.long))


@pytest.fixture(params=SANDBOXES)
def sandbox_name(request: pytest.FixtureRequest) -> str:
    """Each sandbox that works here without an engine."""
    require_sandbox(request.param)
    return str(request.param)


@pytest.fixture
def place() -> Iterator[Path]:
    """A folder with a short path: sockets are made below it."""
    folder = Path(tempfile.mkdtemp(prefix="hostile-"))
    folder.chmod(0o755)
    yield folder
    remove_tree(folder)


@pytest.fixture
def arena(sandbox_name: str, place: Path, prepared: Catalogue) -> Arena:
    """Where one hostile agent fights one sandbox, through the whole harness."""
    return Arena(get_sandbox(sandbox_name), place, prepared)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """A test of a defence runs with it and without it."""
    variants: list[Any] = []
    for mark in metafunc.definition.iter_markers("defence"):
        variants += [
            pytest.param(name, id=f"without-{name}", marks=pytest.mark.long) for name in mark.args
        ]
    if variants:
        metafunc.fixturenames.append("removed")
        metafunc.parametrize("removed", [pytest.param(None, id="held"), *variants])


@pytest.hookimpl(wrapper=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> Any:
    """Without its defence a test must fail, by an assertion of its own and not by a timeout."""
    spec = getattr(pyfuncitem, "callspec", None)
    name = spec.params.get("removed") if spec else None
    if name is None:
        return (yield)
    with warnings.catch_warnings():
        # A test that fails leaves open what it would have closed. That must not surface in
        # another test, whenever the garbage collector comes by.
        warnings.simplefilter("ignore", ResourceWarning)
        with without(name):
            has_failed = yield from _expect_failure()
        gc.collect()
    if not has_failed:
        pytest.fail("the test passes without the defence that it is to show")
    return True


def _expect_failure() -> Generator[None, Any, bool]:
    try:
        yield
    except AssertionError:
        return True
    except pytest.fail.Exception as failure:  # such as `pytest.raises` without an exception
        if str(failure).startswith("Timeout"):
            raise
        return True
    return False
