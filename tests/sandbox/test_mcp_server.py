"""The MCP server of the sandbox, asked by the protocol's official client and by hand."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from mlebench.catalogue import Catalogue
from mlebench.preparing.prepare import prepare
from mlebench.sandbox.base import ResourceLimits
from mlebench.sandbox.bubblewrap import BubblewrapSandbox
from mlebench.sandbox.mounts import scratch_job
from mlebench.sandbox.programs import mcp_server
from mlebench.validation import ValidationServer
from tests.sandbox.conftest import require_sandbox

SERVER = mcp_server.__file__


@pytest.fixture(scope="module")
def wine(tmp_path_factory: pytest.TempPathFactory) -> Any:
    competition = Catalogue(tmp_path_factory.mktemp("data")).get_competition("starter-wine")
    prepare(competition)
    return competition


@pytest.fixture
def home(tmp_path: Path, wine: Any) -> Iterator[tuple[Path, dict[str, str]]]:
    """A root with the files of the task, and the variables with which the server finds it."""
    (tmp_path / "home" / "submission").mkdir(parents=True)
    (tmp_path / "home" / "data").symlink_to(wine.public_dir)
    (tmp_path / "home" / "instructions.txt").write_text("Solve it.\n")
    with socket.create_server(("127.0.0.1", 0)) as listener:
        variables = {
            "MLEBENCH_ROOT": str(tmp_path),
            "MLEBENCH_VALIDATION_PORT": str(listener.getsockname()[1]),
        }
        with ValidationServer(wine, socket=listener, per_minute=3):
            yield tmp_path / "home", variables


def ask(variables: dict[str, str], *requests: Any) -> list[dict[str, Any]]:
    text = "".join(f"{one if isinstance(one, str) else json.dumps(one)}\n" for one in requests)
    done = subprocess.run(
        [sys.executable, SERVER], input=text, env=variables, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_the_official_client_lists_and_calls_the_tools(home: Any) -> None:
    pytest.importorskip("mcp", reason="needs the package mcp")
    import anyio

    place, variables = home
    sample = (place / "data" / "sample_submission.csv").read_text()
    (place / "submission" / "submission.csv").write_text(sample)
    (place / "submission" / "wrong.csv").write_text("id\n1\n")
    answers = anyio.run(converse, place, variables)
    assert answers["tools"] == ["describe", "validate"]
    assert answers["valid"] == (False, "Submission is valid.")
    assert answers["wrong"][1].startswith("Submission is invalid")
    assert answers["missing"][0] is True
    assert "cannot be read" in answers["missing"][1]
    assert "Solve it." in answers["task"][1]
    assert "cultivar" in answers["task"][1]
    # The same limit as that of everybody else who asks the server: three in a minute.
    assert answers["fourth"][0] is True
    assert "at most 3 validations a minute" in answers["fourth"][1]


async def converse(place: Path, variables: dict[str, str]) -> dict[str, Any]:
    import mcp
    from mcp.client.stdio import stdio_client

    parameters = mcp.StdioServerParameters(command=sys.executable, args=[SERVER], env=variables)
    async with (
        stdio_client(parameters) as (reading, writing),
        mcp.ClientSession(reading, writing) as session,
    ):
        await session.initialize()
        await session.send_ping()

        async def call(name: str, **arguments: str) -> tuple[bool, str]:
            found = (await session.call_tool(name, arguments)).model_dump(by_alias=True)
            return bool(found["isError"]), found["content"][0]["text"]

        return {
            "tools": sorted(tool.name for tool in (await session.list_tools()).tools),
            "missing": await call("validate", path=str(place / "nothing.csv")),
            "valid": await call("validate"),
            "wrong": await call("validate", path=str(place / "submission" / "wrong.csv")),
            "third": await call("validate"),
            "fourth": await call("validate"),
            "task": await call("describe"),
        }


def test_bad_lines_get_an_error_and_the_server_goes_on(home: Any) -> None:
    _, variables = home
    answers = ask(
        variables,
        "no json",
        "[]",
        "[" * 100_000,
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 1, "method": "resources/list"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "shell"}},
        {"jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": []},
        {"jsonrpc": "2.0", "id": "four", "method": "ping"},
    )
    codes = [one["error"]["code"] for one in answers[:-1]]
    assert codes == [-32700, -32600, -32700, -32601, -32602, -32602]
    assert answers[-1] == {"jsonrpc": "2.0", "id": "four", "result": {}}


def test_it_is_in_the_sandbox(tmp_path: Path) -> None:
    require_sandbox("bubblewrap")
    question = '{"jsonrpc": "2.0", "id": 1, "method": "tools/list"}'
    command = ["sh", "-c", f"echo '{question}' | python3 /home/mcp_server.py"]
    job = scratch_job(tmp_path, command, ResourceLimits(60))
    assert BubblewrapSandbox().run(job).exit_code == 0
    names = [tool["name"] for tool in json.loads(job.log.read_text())["result"]["tools"]]
    assert names == ["validate", "describe"]
