"""Completion: what a shell asks for at a keystroke, and the script that makes it ask."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

HEAVY = ("numpy", "pandas", "rich", "importlib.metadata")


def complete(line: str, cwd: Path) -> list[str]:
    """The words a shell would offer after this line."""
    variables = {"COMP_WORDS": line, "COMP_CWORD": str(line.count(" "))}
    code = "import sys; from mlebench.cli import main\ntry: main()\nfinally: "
    code += f"print(*[m for m in {HEAVY} if m in sys.modules], file=sys.stderr)"
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        cwd=cwd,
        env=os.environ | variables | {"_MLEBENCH_COMPLETE": "bash_complete"},
    )
    assert done.stderr.strip() == "", "heavy modules take longer than a keystroke"
    return [item.partition(",")[2] for item in done.stdout.splitlines()]


def test_names(tmp_path: Path) -> None:
    (tmp_path / "runs" / "2026_run-group_dummy").mkdir(parents=True)
    (tmp_path / "runs" / "2026_run-group_dummy" / "metadata.json").write_text("{}")
    assert complete("mlebench gra", tmp_path) == ["grade", "grade-sample"]
    assert complete("mlebench show spaceship", tmp_path) == ["spaceship-titanic"]
    assert {"dummy", "baseline", "tree"} <= set(complete("mlebench run --agent ", tmp_path))
    assert complete("mlebench status ", tmp_path) == ["last", "2026_run-group_dummy"]
    assert "low" in complete("mlebench prepare --split l", tmp_path)
    assert "--rehearsal" in complete("mlebench prepare --reh", tmp_path)


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script_is_one_that_the_shell_can_read(shell: str, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "mlebench", "completion", shell], capture_output=True, text=True
    )
    assert "_MLEBENCH_COMPLETE" in done.stdout
    if not shutil.which(shell):
        pytest.skip(f"{shell} is not here")
    script = tmp_path / "script"
    script.write_text(done.stdout)
    assert subprocess.run([shell, "-n", str(script)]).returncode == 0


def test_bash_offers_ids(tmp_path: Path) -> None:
    if not shutil.which("bash"):
        pytest.skip("bash is not here")
    program = tmp_path / "mlebench"
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -m mlebench "$@"\n')
    program.chmod(0o755)
    script = (
        f'export PATH={tmp_path}:$PATH; eval "$(mlebench completion bash)"\n'
        "COMP_WORDS=(mlebench show leaf); COMP_CWORD=2\n"
        '_mlebench_completion mlebench; echo "${COMPREPLY[@]}"'
    )
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True)
    assert done.stdout.strip() == "leaf-classification"
