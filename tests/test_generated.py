"""Generated files agree with what they are generated from."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


@pytest.mark.parametrize(
    "script",
    ["make_architecture.py", "make_catalogue.py", "make_chance.py", "make_command_page.py"],
)
def test_generated_files_are_up_to_date(script: str) -> None:
    done = subprocess.run(
        [sys.executable, f"scripts/{script}", "--check"], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout
