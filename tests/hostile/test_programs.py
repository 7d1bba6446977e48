"""A10, D03, D08, D09, V06, W06: histories, old programs, open containers, floods, hostile text."""

from __future__ import annotations

import gc
import json
import os
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from mlebench.agents.program_files import program_files
from mlebench.catalogue import Catalogue
from mlebench.cli import cli
from mlebench.errors import SandboxError
from mlebench.sandbox.apptainer import ApptainerSandbox
from mlebench.sandbox.registry import get_sandbox
from mlebench.validation import ValidationServer
from tests.results.made_runs import make_group
from tests.sandbox.conftest import World
from tests.sandbox.test_apptainer import STAND_IN, make_job
from tests.sandbox.test_plan import _fake_bwrap
from tests.validation.test_server import form, part, post, send

CLOSED = "--containall --no-home --cleanenv --no-mount home,tmp,cwd,hostfs --no-privs"
STEERING = "\x1b]52;c;eA==\x07\r\u202eALL PASSED\x9b2J"


@pytest.mark.defence("histories-stay-out")
def test_no_history_is_in_an_agents_package(place: Path) -> None:
    """What was deleted from a repository is still in its objects."""
    (place / "sub").mkdir()
    (place / "start.sh").write_text("true\n")
    for folder in (place, place / "sub"):
        subprocess.run(["git", "init", "-q", folder], check=True)
    assert list(program_files(place)) == [place / "start.sh"]


@pytest.mark.skipif(os.geteuid() != 0, reason="a mount of the test's own needs root")
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.defence("submounts-are-refused")
def test_a_mount_below_public_data_stops_docker(place: Path) -> None:
    """Docker before 25 leaves it writable, although the folder is mounted read-only."""
    pytest.importorskip("docker", reason="the docker package is not installed")
    world = World(place, get_sandbox("docker"))
    job = world.job("true")
    below = job.folders.public / "sub"
    below.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "none", below], check=True)
    try:
        with pytest.raises(SandboxError, match=f"{below} is mounted below"):
            world.sandbox.run(job)
    finally:
        subprocess.run(["umount", below], check=True)
        gc.collect()  # without the defence the library leaves a socket open


@pytest.fixture
def open_place() -> Iterator[Path]:
    """Reachable for an unprivileged uid, as programs of the system are."""
    with tempfile.TemporaryDirectory(prefix="fake-", dir="/var/tmp") as place:
        yield Path(place)


@pytest.mark.parametrize(
    ("version", "mode", "words"),
    [("0.4.1", 0, "older than 0.8.0"), ("0.8.0", stat.S_ISUID, "setuid")],
)
@pytest.mark.defence("old-programs-are-refused")
def test_an_old_or_setuid_bwrap_starts_nothing(
    version: str, mode: int, words: str, open_place: Path, tmp_path: Path
) -> None:
    world = World(tmp_path, _fake_bwrap(open_place, "", version))
    program = open_place / "bwrap"
    program.chmod(program.stat().st_mode | mode)
    with pytest.raises(SandboxError, match=words):
        world.shell("true")
    assert (open_place / "calls").read_text() == ""


@pytest.mark.defence("apptainer-is-closed")
def test_apptainer_gets_every_option_that_closes_it(tmp_path: Path) -> None:
    file = tmp_path / "apptainer"
    file.write_text(STAND_IN.format(python=sys.executable, record=str(tmp_path / "call.json")))
    file.chmod(0o755)
    ApptainerSandbox(str(file)).run(make_job(tmp_path, "true"))
    words = json.loads((tmp_path / "call.json").read_text())["words"]
    assert CLOSED in " ".join(words)
    assert "--fakeroot" not in words


@pytest.mark.defence("rate-limit")
def test_a_flood_of_validations_is_told_to_wait(prepared: Catalogue, place: Path) -> None:
    """Thirty a minute, all of them in the log; the others wait and cost nothing."""
    competition = prepared.get_competition("spaceship-titanic")
    request = post(form(part(competition.sample_submission.read_bytes())))
    with ValidationServer(competition, socket=place / "v.sock") as server:
        replies = [send(server, request) for _ in range(100)]
        statuses = [status for status, _ in replies]
        assert statuses == [200] * 30 + [429] * 70
        assert "try again in" in replies[-1][1]["error"]
        assert server.calls == 30


@pytest.mark.defence("text-is-escaped")
def test_hostile_text_does_not_reach_the_terminal(tmp_path: Path) -> None:
    competition = Catalogue().get_split("dev")[0]
    for number in range(2):
        make_group(tmp_path, STEERING + str(number), [competition], number=number, slim=True)
    for words in (["report", str(tmp_path)], ["status", str(tmp_path)]):
        done = CliRunner().invoke(cli, words)
        assert not {"\x1b", "\x07", "\r", "\u202e", "\x9b"} & set(done.output), words
