"""A real run, watched from its start to its grade."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

from mlebench.catalogue import Catalogue
from tests.viewer.running import running_viewer
from tests.waiting import wait_for

AGENT = """
import pathlib, shutil, sys, time
sample, submission, go_on = map(pathlib.Path, sys.argv[1:])
print("first words", flush=True)
while not go_on.exists():
    time.sleep(0.05)
for number in range(100):
    print(f"line {number}", flush=True)
shutil.copy(sample, submission)
"""


def test_a_run_is_followed_to_its_end(prepared: Catalogue, tmp_path: Path) -> None:
    runs = tmp_path / "runs"
    runs.mkdir()
    home = tmp_path / "agent"  # a command comes with the folder it is called from
    home.mkdir()
    (home / "agent.py").write_text(AGENT)
    sample = prepared.get_competition("spaceship-titanic").sample_submission
    line = shlex.join([sys.executable, str(home / "agent.py"), str(sample)])
    line += f" {{submission}} {shlex.quote(str(tmp_path / 'go'))}"
    words = ["run", "--command", line, "-c", "spaceship-titanic", "--sandbox", "process"]
    places = ["--data-dir", str(prepared.get_data_dir()), "--runs-dir", str(runs)]
    with (
        running_viewer(runs, tmp_path / "cache", catalogue=prepared) as viewer,
        subprocess.Popen(
            [sys.executable, "-m", "mlebench", *words, *places],
            stderr=subprocess.PIPE,
            cwd=home,
            env={**os.environ, "HOME": str(tmp_path)},
        ) as process,
    ):
        try:
            index = wait_for(lambda: _when(viewer.get("/api/index"), "running"))
            version, key = index["version"], index["runs"]["key"][0]
            base = viewer.run_path(index["groups"][0]["id"], key)
            page = wait_for(lambda: _with_first_words(viewer.ask(f"{base}/log")))
            assert page["complete"] is False
            (tmp_path / "go").touch()
            assert process.wait(timeout=240) == 0
            part = wait_for(lambda: _when(viewer.get(f"/api/index?since={version}"), "finished"))
            assert part["replaces"] is False and part["runs"]["at"] == [0]
            page = viewer.get(f"{base}/log?tail=3")
            assert page["complete"] is True and page["lines"][-1] == {"text": "line 99"}
            run = viewer.get(base)
            assert run["report"]["valid_submission"] is True and run["problem"] is None
            submission = viewer.get(f"{base}/submission")
            assert submission["is_sealed"] and submission["differences"] == []
            assert submission["rows"] == submission["expected"]["rows"]
            assert run["command"].startswith("mlebench run --command '…' -c spaceship-titanic")
        finally:
            process.kill()


def _when(index: dict[str, Any], state: str) -> dict[str, Any] | None:
    return index if state in index["runs"]["state"] else None


def _with_first_words(answer: Any) -> dict[str, Any] | None:
    found: dict[str, Any] = answer.data if answer.status == 200 else {"lines": []}
    return found if {"text": "first words"} in found["lines"] else None
