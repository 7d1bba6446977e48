"""The stand-in as a script, and the commands that talk to it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.kaggle_server import Contest, KaggleServer
from tests.kaggle_server.fixtures import make_zip

ROOT = Path(__file__).parents[2]


@pytest.fixture
def script(tmp_path: Path) -> Iterator[dict[str, str]]:
    """Variables that the script prints for the shell."""
    (tmp_path / "a.zip").write_bytes(make_zip(100_000))
    words = ["--port", "0", "--archive", f"a={tmp_path / 'a.zip'}", "--cut", "1000", "--busy", "1"]
    command = [sys.executable, "-m", "tests.kaggle_server", *words]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as running:
        assert running.stdout is not None
        variables = {}
        while "KAGGLE_KEY" not in variables:
            name, _, value = running.stdout.readline().removeprefix("export ").partition("=")
            variables[name] = value.strip().strip("'")
        yield variables
        running.terminate()


def test_script_serves_other_programs(script: dict[str, str], tmp_path: Path) -> None:
    program = "import mlebench.data; mlebench.data.download_dataset('a', 'new', quiet=True)"
    environment = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), **script}
    subprocess.run([sys.executable, "-c", program], cwd=tmp_path, env=environment, check=True)
    assert (tmp_path / "new" / "a.zip").read_bytes() == (tmp_path / "a.zip").read_bytes()


def test_nobody_reaches_the_real_kaggle(kaggle_server: KaggleServer) -> None:
    """The client's own command line heeds no test environment; the stand-in stops it as a proxy."""
    done = subprocess.run(
        [sys.executable, "-m", "kaggle", "competitions", "list"],
        capture_output=True,
        text=True,
        env=dict(os.environ),
        timeout=60,
    )
    assert done.returncode != 0
    assert {request.endpoint for request in kaggle_server.requests} == {"CONNECT"}


def run_dev(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "mlebench", "dev", "download-leaderboard", *words],
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        env=dict(os.environ),
    )


def test_dev_download_leaderboard(kaggle_server: KaggleServer, tmp_path: Path) -> None:
    kaggle_server.add(Contest("spaceship-titanic", scores=[f"0.{k}" for k in range(1000, 3400)]))
    kaggle_server.add(Contest("leaf-classification", scores=["0.1"]))
    chosen = ("-c", "leaf-classification", "-c", "spaceship-titanic")
    done = run_dev(*chosen, "--json", "--data-dir", str(tmp_path))
    assert done.returncode == 1
    leaf, spaceship = json.loads(done.stdout)["leaderboards"]
    assert not leaf["ok"]
    assert "1 teams of leaf-classification" in leaf["message"]
    assert (spaceship["ok"], spaceship["rows"]) == (True, 2400)
    assert "ok    spaceship-titanic  2,400 rows" in done.stderr
    assert not (tmp_path / "leaf-classification").exists()
    done = run_dev("-c", "leaf-classification", "--force", "--data-dir", str(tmp_path))
    assert (done.returncode, done.stdout) == (0, "")
    assert (tmp_path / "leaf-classification" / "leaderboard.csv").read_text() == "score\n0.1\n"


def test_dev_download_leaderboard_of_nothing() -> None:
    done = run_dev()
    assert done.returncode == 2
    assert "either -c ID or --all" in done.stderr
