"""The docker sandbox through Podman's socket: the same walls, limits and ends."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from mlebench.errors import SandboxError
from mlebench.sandbox.base import ResourceLimits
from mlebench.sandbox.probe import probe
from tests.processes import alive
from tests.sandbox.docker_engine import NoEngine, podman
from tests.sandbox.test_docker import KERNEL_SURFACE, make_job, run, sandbox

pytestmark = [pytest.mark.docker, pytest.mark.long]

LIMITS = {"cpus": 1.0, "memory_bytes": 128 << 20, "processes": 20, "shm_bytes": 16 << 20}
LOOK_AROUND = """
id -u
cat /home/instructions.txt /home/data/train.csv /proc/self/status /proc/mounts
for place in / /usr /etc /home /home/data /opt/agent /run /dev /var/tmp
do if echo x > $place/probe; then echo WRITABLE $place; fi; done 2>/dev/null
cp /usr/bin/true /tmp/true && /tmp/true && echo done > /home/submission/submission.csv
"""
CONNECT = """python3 -c '
import socket
for place in (("192.0.2.1", 80), ("example.com", 80)):
    try:
        socket.create_connection(place, 1), print("CONNECTED")
    except OSError:
        pass
print(socket.if_nameindex())
'"""


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    try:
        with podman() as found:
            yield found
    except NoEngine as reason:
        pytest.skip(f"Podman cannot run here: {reason}")


@pytest.fixture(autouse=True)
def _through_the_socket(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DOCKER_HOST", address)


def containers() -> list[object]:
    with closing(sandbox.connect()) as client:
        return list(client.containers.list(all=True))


def test_the_agents_world_with_limits(tmp_path: Path) -> None:
    outcome, log = run(tmp_path, LOOK_AROUND, **LIMITS)
    assert (outcome.ended_by, outcome.exit_code) == ("exit", 0), log
    assert log.startswith("1000\ndo it")
    assert "CapEff:\t0000000000000000" in log
    assert "NoNewPrivs:\t1" in log
    assert "WRITABLE" not in log
    assert "/dev/shm tmpfs rw,nosuid,nodev,noexec,relatime,size=16384k" in log
    assert (tmp_path / "submission" / "submission.csv").read_text() == "done\n"
    assert {outcome.usage[name].enforced for name in ("cpus", "memory_bytes", "processes")} == {
        "kernel"
    }
    assert str(outcome.facts["version"]).startswith("Podman ")


def test_s06_s08_kernel_surface_and_network_are_closed(tmp_path: Path) -> None:
    _, log = run(tmp_path, f"{KERNEL_SURFACE}\n{CONNECT}")
    closed = ["ENOSYS", "EPERM", "EPERM", "EAFNOSUPPORT", "inside"]
    assert log.splitlines() == [*closed, "[(1, 'lo')]"]


def test_s14_memory_and_processes_are_limited(tmp_path: Path) -> None:
    eat = "python3 -c \"x = bytearray(600 << 20); print('ATE')\""
    fork = "for i in 1 2 3 4 5 6 7 8 9 10; do sleep 5 & done; echo FORKED"
    outcome, log = run(tmp_path, f"({eat}); {fork}", memory_bytes=128 << 20, processes=6)
    assert "ATE" not in log
    assert "FORKED" not in log
    assert outcome.exit_code != 0


def test_p06_the_end_of_time_leaves_nothing(tmp_path: Path) -> None:
    script = (
        "trap '' TERM; while true; do sleep 54.321; done & (sleep 54.321 &); wait; sleep 54.321"
    )
    outcome, _ = run(tmp_path, script, wall_seconds=1.0)
    assert outcome.ended_by == "time"
    assert containers() == []
    assert alive("54.321") == []


def test_private_data_is_not_there_and_nothing_else_is_writable() -> None:
    walls = probe("docker")
    assert walls.passed, walls.reason


def test_what_the_engine_forgets_is_refused(tmp_path: Path) -> None:
    job = make_job(tmp_path, "true", gpus=(0,))
    with pytest.raises(SandboxError, match="ignored the request for GPUs"):
        sandbox.DockerSandbox().run(job)
    job = replace(job, limits=ResourceLimits(wall_seconds=9), runtime="one-with-virtual-machines")
    with pytest.raises(SandboxError, match="ignored the runtime"):
        sandbox.DockerSandbox().run(job)
    assert containers() == []


def test_availability() -> None:
    found = sandbox.DockerSandbox().availability()
    assert found.works
    assert str(found.version).startswith("Podman ")
    assert "older than" not in found.reason
