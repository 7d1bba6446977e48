"""The guide and the image recipe are found from a checkout and from a wheel."""

from __future__ import annotations

import json
import subprocess
import sys
import zipfile
from functools import partial
from pathlib import Path

import pytest

from tests.command import mlebench

docs = partial(mlebench, "docs")
ROOT = Path(__file__).parents[2]


def test_pages_are_listed_and_shown() -> None:
    listed = docs("--json")
    pages = json.loads(listed.stdout)["pages"]
    assert set(pages) == {file.stem for file in (ROOT / "docs").glob("*.md")}
    assert docs("running").stdout.startswith("# Running agents")
    unknown = docs("runing")
    assert unknown.returncode == 2
    assert "running" in unknown.stderr
    assert Path(docs("--image-recipe").stdout.strip(), "Dockerfile").is_file()


@pytest.mark.long
def test_a_wheel_has_them_too(tmp_path: Path) -> None:
    words = [
        sys.executable,
        "-m",
        "pip",
        "wheel",
        "-q",
        "--no-deps",
        "-w",
        str(tmp_path),
        str(ROOT),
    ]
    subprocess.run(words, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    target = tmp_path / "site"
    zipfile.ZipFile(wheel).extractall(target)
    code = "from mlebench.cli import main; main(['docs', 'tutorial-agent'])"
    program = f"import sys; sys.path.insert(0, {str(target)!r}); {code}"
    done = subprocess.run(
        [sys.executable, "-S", "-c", _with_libraries(program)],
        capture_output=True,
        text=True,
        cwd=tmp_path,
    )
    assert done.stdout.startswith("# Tutorial: I have a script"), done.stderr
    assert (target / "mlebench" / "guide" / "agent-image" / "Dockerfile").is_file()


def _with_libraries(program: str) -> str:
    """The libraries of this environment, without the checkout that it points to."""
    places = [p for p in sys.path if "site-packages" in p]
    return f"import sys; sys.path += {places!r}; {program}"
