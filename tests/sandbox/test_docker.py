"""The docker sandbox on a real engine: what it shows, what it refuses, how it ends."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from mlebench.errors import SandboxError, UsageError
from mlebench.sandbox.base import Job, JobFolders, Outcome, ResourceLimits
from mlebench.sandbox.probe import probe
from tests.sandbox.docker_engine import IMAGE, NoEngine, engine
from tests.waiting import wait_for

docker = pytest.importorskip("docker", reason="the docker package is not installed")

from mlebench.sandbox import docker as sandbox  # noqa: E402

pytestmark = [pytest.mark.docker, pytest.mark.long]

KERNEL_SURFACE = """python3 -c '
import ctypes, errno, multiprocessing, socket, subprocess
libc = ctypes.CDLL(None, use_errno=True)
for call in ((425, 8, 0), (250, 0, -3, 1), (272, 0x10000000)):  # io_uring, keyctl, unshare
    print("OPEN" if libc.syscall(*call) >= 0 else errno.errorcode[ctypes.get_errno()])
try:
    socket.socket(socket.AF_VSOCK), print("OPEN")
except OSError as error:
    print(errno.errorcode[error.errno])
subprocess.run(["true"], check=True)
child = multiprocessing.Process(target=print, args=("inside",))
child.start(), child.join()
'"""


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    try:
        with engine(tmp_path_factory.mktemp("engine")) as found:
            yield found
    except NoEngine as reason:
        pytest.skip(f"no Docker engine can run here: {reason}")


@pytest.fixture
def client(address: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[object]:
    monkeypatch.setenv("DOCKER_HOST", address)
    made = sandbox.connect()
    yield made
    made.close()


def make_job(place: Path, script: str, **limits: object) -> Job:
    names = ("public", "submission", "logs", "code", "agent", "package", "sockets")
    for name in names:
        (place / name).mkdir()
    (place / "public" / "train.csv").write_text("a\n1\n")
    given = {"wall_seconds": 60.0} | limits
    return Job(
        run_id=f"test-{time.monotonic_ns()}",
        command=["sh", "-c", script],
        folders=JobFolders(**{name: place / name for name in names}),
        limits=ResourceLimits(**given),  # type: ignore[arg-type]
        instructions="do it",
        environment={"COMPETITION_ID": "x"},
        log=place / "agent.log",
        image=IMAGE,
    )


def run(place: Path, script: str, **limits: object) -> tuple[Outcome, str]:
    job = make_job(place, script, **limits)
    outcome = sandbox.DockerSandbox().run(job)
    return outcome, job.log.read_text(errors="replace")


@pytest.mark.usefixtures("client")
class TestContainer:
    """One container each."""

    def test_the_agents_world(self, tmp_path: Path) -> None:
        script = (
            "id -u; cat /home/instructions.txt /home/data/train.csv; env;"
            " echo done > /home/submission/submission.csv; pwd"
        )
        outcome, log = run(tmp_path, script)
        assert (outcome.ended_by, outcome.exit_code) == ("exit", 0), log
        assert log.startswith("1000\n")
        assert "do it" in log
        assert "COMPETITION_ID=x" in log
        assert log.rstrip().endswith("/home/agent")
        assert (tmp_path / "submission" / "submission.csv").read_text() == "done\n"
        assert outcome.facts["network"] == "none"

    def test_s01_no_privileges_and_nothing_else_writable(self, tmp_path: Path) -> None:
        script = (
            "cat /proc/self/status; for d in / /usr /etc /home /home/data /opt/agent /run;"
            " do if echo x > $d/probe; then echo WRITABLE $d; fi; done 2>/dev/null"
        )
        _, log = run(tmp_path, script)
        assert "CapEff:\t0000000000000000" in log
        assert "NoNewPrivs:\t1" in log
        assert "Seccomp:\t2" in log
        assert "WRITABLE" not in log

    def test_d02_no_setuid_root_reaches_the_host(self, tmp_path: Path) -> None:
        run(tmp_path, "cp /usr/bin/sh /home/submission/sh; chmod 4755 /home/submission/sh")
        left = (tmp_path / "submission" / "sh").stat()
        assert left.st_uid == sandbox.agent_user()[0] != 0

    def test_the_crawler_finds_nothing(self) -> None:
        walls = probe("docker")
        assert walls.passed, walls.reason

    def test_s06_kernel_surface_without_privilege(self, tmp_path: Path) -> None:
        _, log = run(tmp_path, KERNEL_SURFACE)
        assert log.split() == ["ENOSYS", "EPERM", "EPERM", "EAFNOSUPPORT", "inside"]

    def test_d06_no_network_and_no_names(self, tmp_path: Path) -> None:
        script = (
            'cat /proc/net/dev; python3 -c "import socket\ntry:\n'
            " socket.getaddrinfo('example.com', 80); print('RESOLVED')\n"
            "except OSError:\n print('no')\n"
            "try:\n socket.create_connection(('192.0.2.1', 80), 1); print('CONNECTED')\n"
            'except OSError as e:\n print(type(e).__name__)"'
        )
        _, log = run(tmp_path, script)
        interfaces = [line.split(":")[0].strip() for line in log.splitlines() if ":" in line]
        assert "lo" in interfaces
        assert "eth0" not in interfaces
        assert "RESOLVED" not in log
        assert "CONNECTED" not in log

    def test_p01_daemons_die_with_the_container(self, tmp_path: Path) -> None:
        script = (
            "echo first > /home/submission/submission.csv;"
            " (sleep 2; echo late > /home/submission/submission.csv) & exit 0"
        )
        run(tmp_path, script)
        time.sleep(3)
        assert (tmp_path / "submission" / "submission.csv").read_text() == "first\n"

    def test_p05_no_output_is_lost(self, tmp_path: Path) -> None:
        lines = "python3 -c \"for i in range(300_000): print(f'{i:099d}')\""
        _, log = run(tmp_path, lines)
        assert [int(line) for line in log.splitlines()] == list(range(300_000))

    def test_p06_an_agent_hears_that_its_time_is_over(self, tmp_path: Path) -> None:
        script = "trap 'echo heard; exit' TERM; while true; do sleep 0.1; done"
        outcome, log = run(tmp_path, script, wall_seconds=2.0)
        assert outcome.ended_by == "time"
        assert "heard" in log

    def test_p06_the_deadline_holds_against_deaf_agents(self, tmp_path: Path) -> None:
        start = time.monotonic()
        outcome, _ = run(tmp_path, "trap '' TERM; while true; do sleep 1; done", wall_seconds=2.0)
        assert outcome.ended_by == "time"
        assert time.monotonic() - start < 30

    def test_s14_memory_and_processes_are_limited(self, tmp_path: Path) -> None:
        eat = "python3 -c \"x = bytearray(600 << 20); print('ATE')\""
        forks = "for i in 1 2 3 4 5 6 7 8 9 10; do sleep 5 & done; echo FORKED"
        (tmp_path / "m").mkdir()
        (tmp_path / "p").mkdir()
        outcome, log = run(tmp_path / "m", eat, memory_bytes=128 << 20)
        assert "ATE" not in log
        assert outcome.ended_by in ("memory", "exit")
        assert outcome.exit_code != 0
        _, log = run(tmp_path / "p", forks, processes=6)
        assert "FORKED" not in log or "fork" in log.lower()

    def test_s15_disk_is_watched(self, tmp_path: Path) -> None:
        fill = "dd if=/dev/zero of=/home/code/big bs=1048576 count=200; sleep 30"
        outcome, _ = run(tmp_path, fill, disk_bytes=50 << 20)
        assert outcome.ended_by == "disk"

    def test_d04_a_killed_harness_leaves_a_container_that_resume_removes(
        self, tmp_path: Path, client: object, address: str
    ) -> None:
        job = make_job(tmp_path, "sleep 600")
        code = (
            "import sys, pathlib; from tests.sandbox.test_docker import *\n"
            "place = pathlib.Path(sys.argv[1])\n"
            "import dataclasses\n"
            "names = ('public','submission','logs','code','agent','package','sockets')\n"
            "job = Job(run_id=sys.argv[2], command=['sleep', '600'],\n"
            "    folders=JobFolders(**{n: place / n for n in names}),\n"
            "    limits=ResourceLimits(600.0),\n"
            "    instructions='', image=IMAGE, log=place / 'agent.log')\n"
            "sandbox.DockerSandbox().run(job)\n"
        )
        words = [sys.executable, "-c", code, str(tmp_path), job.run_id]
        harness = subprocess.Popen(words)
        name = sandbox.container_name(job.run_id)
        wait_for(lambda: any(c.name == name for c in client.containers.list()))  # type: ignore[attr-defined]
        harness.kill()
        harness.wait()
        assert any(c.name == name for c in client.containers.list())  # type: ignore[attr-defined]
        sandbox.DockerSandbox().end_leftovers({"container": name})
        assert client.containers.list(all=True, filters={"label": sandbox.LABEL}) == []  # type: ignore[attr-defined]

    def test_what_the_engine_refuses_is_the_machines_fault(self, tmp_path: Path) -> None:
        job = make_job(tmp_path, "true")
        with pytest.raises(SandboxError, match=r"could not be made: .*nonsense"):
            sandbox.DockerSandbox().run(replace(job, runtime="nonsense"))

    def test_availability(self) -> None:
        found = sandbox.DockerSandbox().availability()
        assert found.works
        assert found.version


def test_d01_the_call_to_the_engine_is_ours_alone(tmp_path: Path) -> None:
    job = make_job(tmp_path, "true", memory_bytes=1 << 30, cpus=2.0, processes=99, gpus=(1,))
    options = sandbox.container_options(job, IMAGE, [], {})
    assert options["network_mode"] == "none"
    assert options["user"].partition(":")[0] == str(os.getuid() or 1000)
    assert options["cap_drop"] == ["ALL"]
    assert options["read_only"] is True
    assert options["pids_limit"] == 99
    assert options["memswap_limit"] == options["mem_limit"] == 1 << 30
    assert options["device_requests"][0]["DeviceIDs"] == ["1"]
    forbidden = {"privileged", "cap_add", "devices", "pid_mode", "volumes", "volumes_from"}
    assert not forbidden & set(options)


@pytest.mark.parametrize("key", ["privileged", "volumes", "network", "cap_add", "pid", "devices"])
def test_d01_an_agent_cannot_ask_for_more(key: str, tmp_path: Path) -> None:
    from mlebench.agents.base import load_agent

    (tmp_path / "agent.toml").write_text(f'name = "greedy"\n{key} = true\n')
    with pytest.raises(UsageError, match=f"unknown key '{key}'"):
        load_agent(tmp_path)


def test_d03_a_mount_below_a_read_only_folder_is_refused(tmp_path: Path) -> None:
    from mlebench.sandbox.mounts import Mount

    with pytest.raises(SandboxError, match="is mounted below /,"):
        sandbox.refuse_submounts([Mount(Path("/"), "/home/data")])
    sandbox.refuse_submounts([Mount(tmp_path, "/home/data")])
