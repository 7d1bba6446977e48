"""Agents from `new-agent` run as they are, and pass the test that comes with them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.command import mlebench


@pytest.mark.long
@pytest.mark.parametrize("options", [[], ["--llm"]])
def test_the_test_of_a_new_agent_passes(options: list[str], tmp_path: Path) -> None:
    made = mlebench("new-agent", "my-agent", *options, cwd=tmp_path)
    assert made.returncode == 0, made.stderr
    command = [sys.executable, "-m", "pytest", "-q", "my-agent"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout
    assert "1 passed" in done.stdout


def test_a_new_agent_runs_with_the_printed_command(tmp_path: Path, data_dir: Path) -> None:
    made = mlebench("new-agent", "my-agent", cwd=tmp_path)
    words = made.stderr.split("mlebench run ")[1].split()
    done = mlebench("run", *words, "--data-dir", data_dir, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "1 of 1 runs ended" in done.stderr
    again = mlebench("new-agent", "my-agent", cwd=tmp_path)
    assert again.returncode == 1
    assert "exists already" in again.stderr
    assert mlebench("new-agent", "../up", cwd=tmp_path).returncode == 1
