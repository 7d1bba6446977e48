"""The tutorials run as they are written: every shell block, one after the other, in one shell."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
BLOCK = re.compile(r"^```sh\n(.*?)^```", re.M | re.S)
EXPECTED = {
    "tutorial-agent.md": [
        "2 of 2 runs ended",
        "human_rank:",
        "No module named 'no_such_module'",
        "exit code 1",
    ],
    "tutorial-lab.md": [
        "forecast: 225 runs × 24 h ÷ 1 at once = at most 5400 h",
        "75 of 75 are not prepared",
        "deviations from the protocol lite: competitions: 2 and 1 outside it instead of 22",
        "9 planned\nnext: mlebench resume",
        "the harness was killed: exit code 137",
        '"event": "finished"',
        "9 of 9 runs ended",
        "any medal",
        "rehearsal data, which",
        "exit code 1",
    ],
    "tutorial-competition.md": ["rain-tomorrow", "1 of 1 runs ended"],
}


def test_every_tutorial_is_tested() -> None:
    assert {page.name for page in (ROOT / "docs").glob("tutorial-*.md")} == set(EXPECTED)


@pytest.mark.long
@pytest.mark.timing
@pytest.mark.parametrize("name", EXPECTED)
def test_a_tutorial_runs_as_written(name: str, tmp_path: Path) -> None:
    blocks = BLOCK.findall((ROOT / "docs" / name).read_text("utf-8"))
    assert len(blocks) >= 3
    program = tmp_path / "tutorial.sh"
    program.write_text("set -euo pipefail\n" + "\n".join(blocks))
    tools = Path(sys.executable).parent
    environment = {k: v for k, v in os.environ.items() if not k.startswith("MLEBENCH")}
    done = subprocess.run(
        ["bash", str(program)],
        cwd=tmp_path,
        env=environment | {"PATH": f"{tools}:{os.environ['PATH']}"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        stdin=subprocess.DEVNULL,
        text=True,
        timeout=280,
    )
    assert done.returncode == 0, done.stdout
    for words in EXPECTED[name]:
        assert words in done.stdout, done.stdout
