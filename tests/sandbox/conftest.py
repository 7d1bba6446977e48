"""A world for agents to attack, and the sandboxes they attack it from."""

from __future__ import annotations

import atexit
import os
import shutil
import subprocess
import tempfile
import textwrap
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import psutil
import pytest

import mlebench
from mlebench.sandbox.base import Job, JobFolders, Outcome, ResourceLimits, Sandbox
from mlebench.sandbox.mounts import WRITABLE
from mlebench.sandbox.registry import get_sandbox

SYSTEM_PYTHON = "/usr/bin/python3"
OTHER_USER = ("setpriv", "--reuid", "54321", "--regid", "54321", "--clear-groups")


@cache
def why_not(sandbox: str) -> str | None:
    found = get_sandbox(sandbox).availability()
    return None if found.works else found.reason


def require_sandbox(name: str) -> None:
    """Skip the test where a sandbox does not work."""
    if reason := why_not(name):
        pytest.skip(f"{name} does not work here: {reason}")


@cache
def why_no_other_user() -> str | None:
    if os.geteuid() != 0:
        return "only root can become another user; the tests run as a plain user already"
    if shutil.which("setpriv") is None:
        return "setpriv is not installed"
    code = "import sys, tomllib"
    done = subprocess.run([*OTHER_USER, SYSTEM_PYTHON, "-c", code], capture_output=True)
    return "no Python of the system that is new enough" if done.returncode else None


@cache
def packages_for_others() -> Path:
    """Our package and psutil where every user can read them: a clone below `/root` is closed."""
    folder = Path(tempfile.mkdtemp(prefix="mlebench-packages-", dir="/var/tmp"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    ignored = shutil.ignore_patterns("__pycache__", "competitions", "kernels-*")
    for package in (mlebench, psutil):
        source = Path(str(package.__file__)).parent
        shutil.copytree(source, folder / source.name, ignore=ignored)
    for place in (folder, *folder.rglob("*")):
        place.chmod(0o755 if place.is_dir() else 0o644)
    return folder


@dataclass
class World:
    """Host folders of one run, with answers beside the public data."""

    place: Path
    sandbox: Sandbox

    def __post_init__(self) -> None:
        for name in (*WRITABLE, "prepared/public", "prepared/private", "package", "sockets"):
            (self.place / name).mkdir(parents=True, exist_ok=True)
        self.answers.write_text("id,label\n1,the-answer\n")
        (self.public / "train.csv").write_text("id,label\n1,2\n")

    @property
    def answers(self) -> Path:
        return self.place / "prepared" / "private" / "answers.csv"

    @property
    def public(self) -> Path:
        return self.place / "prepared" / "public"

    @property
    def log(self) -> Path:
        return self.place / "agent.log"

    def job(self, *command: str, seconds: float = 20, **limits: Any) -> Job:
        return Job(
            run_id=f"test-{os.getpid()}-{self.place.name}",
            command=list(command),
            folders=JobFolders(
                public=self.public,
                package=self.place / "package",
                sockets=self.place / "sockets",
                **{name: self.place / name for name in WRITABLE},
            ),
            limits=ResourceLimits(wall_seconds=seconds, **limits),
            instructions="Do something.",
            environment={"COMPETITION_ID": "competition"},
            log=self.log,
            secrets=(self.answers.parent,),
        )

    def python(self, code: str, seconds: float = 20, **limits: Any) -> Outcome:
        """Run a piece of Python as the agent."""
        return self.run("python3", "-c", textwrap.dedent(code), seconds=seconds, **limits)

    def shell(self, code: str, seconds: float = 20, **limits: Any) -> Outcome:
        return self.run("sh", "-c", code, seconds=seconds, **limits)

    def run(self, *command: str, seconds: float = 20, **limits: Any) -> Outcome:
        return self.sandbox.run(self.job(*command, seconds=seconds, **limits))

    def printed(self) -> str:
        return self.log.read_text(errors="replace")


@pytest.fixture
def world(tmp_path: Path) -> World:
    """The bubblewrap sandbox."""
    require_sandbox("bubblewrap")
    return World(tmp_path, get_sandbox("bubblewrap"))


@pytest.fixture(params=["bubblewrap", "process"])
def any_world(request: pytest.FixtureRequest, tmp_path: Path) -> World:
    """Each sandbox in turn, for what holds in all of them."""
    require_sandbox(request.param)
    return World(tmp_path, get_sandbox(request.param))
