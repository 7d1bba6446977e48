"""Generated files agree with what they are generated from."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent


def test_catalogue_is_up_to_date() -> None:
    done = subprocess.run(
        [sys.executable, "scripts/make_catalogue.py", "--check"],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout
