"""Completion: what a shell asks for at a keystroke, and the script that makes it ask."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.command import mlebench

HEAVY = ("numpy", "pandas", "rich", "importlib.metadata")


PROGRAM = f"""
import os, sys
from mlebench.cli import main
for line in sys.argv[1:]:
    os.environ.update(COMP_WORDS=line, COMP_CWORD=str(line.count(" ")))
    try: main()
    except SystemExit: print("end")
print(*[m for m in {HEAVY} if m in sys.modules], file=sys.stderr)
"""


def complete(*lines: str, cwd: Path) -> list[list[str]]:
    """The words a shell would offer after each of these lines."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, *lines],
        capture_output=True,
        text=True,
        cwd=cwd,
        env=os.environ | {"_MLEBENCH_COMPLETE": "bash_complete"},
    )
    assert done.stderr.strip() == "", "heavy modules take longer than a keystroke"
    answers = done.stdout.split("end\n")[:-1]
    return [[item.partition(",")[2] for item in text.splitlines()] for text in answers]


def test_names(tmp_path: Path) -> None:
    (tmp_path / "runs" / "2026_run-group_dummy").mkdir(parents=True)
    (tmp_path / "runs" / "2026_run-group_dummy" / "metadata.json").write_text("{}")
    commands, ids, agents, groups, splits, options = complete(
        "mlebench gra",
        "mlebench show spaceship",
        "mlebench run --agent ",
        "mlebench status ",
        "mlebench prepare --split l",
        "mlebench prepare --reh",
        cwd=tmp_path,
    )
    assert commands == ["grade", "grade-sample"]
    assert ids == ["spaceship-titanic"]
    assert {"dummy", "baseline", "tree"} <= set(agents)
    assert groups == ["last", "2026_run-group_dummy"]
    assert "low" in splits
    assert "--rehearsal" in options


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script_is_one_that_the_shell_can_read(shell: str, tmp_path: Path) -> None:
    done = mlebench("completion", shell)
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
