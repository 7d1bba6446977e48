"""The apptainer sandbox with a stand-in program that writes down how it was called."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from mlebench.sandbox.apptainer import CLOSED, ApptainerSandbox
from mlebench.sandbox.base import Job, JobFolders, ResourceLimits

STAND_IN = """#!{python}
import json, os, subprocess, sys
words = sys.argv[1:]
if words == ["--version"]:
    print("apptainer version 1.3.4")
    sys.exit()
if "/dev/null" in words:
    print("FATAL: --net is not allowed for unprivileged users", file=sys.stderr)
    sys.exit(255)
with open({record!r}, "w") as file:
    json.dump({{"words": words, "environment": dict(os.environ)}}, file)
sys.exit(subprocess.call(words[words.index("--") + 1:]))
"""


@pytest.fixture
def program(tmp_path: Path) -> Path:
    file = tmp_path / "apptainer"
    file.write_text(STAND_IN.format(python=sys.executable, record=str(tmp_path / "call.json")))
    file.chmod(0o755)
    return file


def make_job(place: Path, *command: str) -> Job:
    names = ("public", "submission", "logs", "code", "agent", "package", "sockets")
    for name in names:
        (place / name).mkdir()
    return Job(
        run_id="x",
        command=command,
        folders=JobFolders(**{name: place / name for name in names}),
        limits=ResourceLimits(wall_seconds=30),
        instructions="",
        environment={"COMPETITION_ID": "x"},
        log=place / "agent.log",
        image="agent.sif",
    )


def test_d09_everything_open_by_default_is_closed(
    program: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "canary")
    outcome = ApptainerSandbox(str(program)).run(make_job(tmp_path, "echo", "hello"))
    assert (outcome.ended_by, outcome.exit_code) == ("exit", 0)
    assert outcome.facts["network"] == "host"
    call = json.loads((tmp_path / "call.json").read_text())
    assert set(CLOSED) <= set(call["words"])
    assert "canary" not in json.dumps(call)
    assert call["environment"]["APPTAINERENV_COMPETITION_ID"] == "x"
    binds = [w for k, w in enumerate(call["words"]) if call["words"][k - 1] == "--bind"]
    assert f"{tmp_path}/public:/home/data:ro" in binds
    assert f"{tmp_path}/submission:/home/submission:rw" in binds
    assert not any(":/home:" in bind or ":/usr" in bind for bind in binds)
    assert "hello" in (tmp_path / "agent.log").read_text()


def test_the_deadline_holds(program: Path, tmp_path: Path) -> None:
    from dataclasses import replace

    job = replace(make_job(tmp_path, "sleep", "60"), limits=ResourceLimits(wall_seconds=1))
    assert ApptainerSandbox(str(program)).run(job).ended_by == "time"


def test_availability_says_what_is_missing(program: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("MLEBENCH_APPTAINER_IMAGE", raising=False)
    found = ApptainerSandbox(str(program)).availability()
    assert not found.works
    assert "no image" in found.reason
    monkeypatch.setenv("MLEBENCH_APPTAINER_IMAGE", "agent.sif")
    assert ApptainerSandbox(str(program)).availability().version == "1.3.4"
