"""A notebook, executed by Jupyter's kernel in a process of its own, grades like any program."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.long

NOTEBOOK = Path(__file__).with_name("grading.ipynb")
EXECUTE = """
import sys
import nbclient, nbformat

notebook = nbclient.execute(nbformat.read(sys.argv[1], as_version=4), timeout=240)
nbformat.write(notebook, sys.argv[1])
"""


@pytest.fixture(scope="session")
def jupyter(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for PYTHONPATH with the kernel and its client, beside the packages of the tests."""
    uv = shutil.which("uv", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    if uv is None:
        pytest.skip("uv, which installs Jupyter's kernel, is not installed")
    folder = tmp_path_factory.mktemp("jupyter")
    words = [uv, "pip", "install", "--quiet", "--python", sys.executable, "--target", str(folder)]
    done = subprocess.run([*words, "nbclient", "ipykernel"], capture_output=True, text=True)
    if done.returncode:
        pytest.skip(f"Jupyter's kernel cannot be installed: {done.stderr.strip()[-200:]}")
    return folder


def execute(notebook: Path, jupyter: Path, **variables: str) -> str:
    """What the last cell of a notebook prints; every cell runs to its end."""
    done = subprocess.run(
        [sys.executable, "-c", EXECUTE, notebook.name],
        cwd=notebook.parent,
        env=os.environ | variables | {"PYTHONPATH": str(jupyter)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    cells = json.loads(notebook.read_text("utf-8"))["cells"]
    (output,) = cells[-1]["outputs"]
    return "".join(output["text"])


def test_grading_from_a_notebook(
    group: Path, data_dir: Path, jupyter: Path, tmp_path: Path
) -> None:
    notebook = Path(shutil.copy(NOTEBOOK, tmp_path))
    printed = execute(notebook, jupyter, LINES=str(group), DATA=str(data_dir))
    assert json.loads(printed) == {
        "total_runs": 5,
        "total_runs_with_submissions": 2,
        "total_valid_submissions": 2,
        "total_medals": 1,
        "total_gold_medals": 1,
        "total_silver_medals": 0,
        "total_bronze_medals": 0,
        "total_above_median": 1,
        "started": "x",
        "gold": 1.0,
        "valid": True,
        "message": "Submission is valid.",
        "leaf": True,
    }
