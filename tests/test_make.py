"""The Makefile finds an interpreter on machines that have other ones than ours."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SHOW = "show:\n\t@echo '[$(PYTHON)]'"
TOOLS = ("make", "sh", "dash", "bash", "echo", "test")


def only_tools(folder: Path) -> None:
    """Fill a folder for PATH with what make needs, and no Python."""
    if shutil.which("make") is None:
        pytest.skip("make is not installed")
    for name in TOOLS:
        if program := shutil.which(name):
            (folder / name).symlink_to(program)


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["python3.11", "python3.13", "python3.12"], "python3.13"),
        (["python3.12", "python3"], "python3.12"),
        (["python3.14", "python3"], "python3.14"),
        (["python3"], "python3"),
        ([], ""),
    ],
)
def test_newest_python(names: list[str], expected: str, tmp_path: Path) -> None:
    only_tools(tmp_path)
    for name in names:
        (tmp_path / name).write_text("#!/bin/sh\nexit 0\n")
        (tmp_path / name).chmod(0o755)
    asked = subprocess.run(
        ["make", "-s", "-f", str(ROOT / "Makefile"), "--eval", SHOW, "show"],
        env={"PATH": str(tmp_path)},
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert asked.stdout.strip() == f"[{expected}]", asked.stderr


def test_no_python_is_said(tmp_path: Path) -> None:
    only_tools(tmp_path)
    done = subprocess.run(
        ["make", "-f", str(ROOT / "Makefile"), ".venv/bin/python"],
        env={"PATH": str(tmp_path)},
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert done.returncode != 0
    assert "mlebench needs Python 3.11 or newer and found none" in done.stderr
