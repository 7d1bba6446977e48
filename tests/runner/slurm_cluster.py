"""A real Slurm cluster of two nodes on this machine, from Debian's packages."""

from __future__ import annotations

import fcntl
import os
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from tests.waiting import wait_for

NEEDED = ("slurmctld", "slurmd", "squeue", "sbatch", "scontrol", "munged")
CONFIGURATION = """
ClusterName=trial
SlurmctldHost=localhost
SlurmUser=root
SlurmdUser=root
SlurmctldPort={port}
AuthType=auth/munge
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool/%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.%n.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
MpiDefault=none
SwitchType=switch/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerType=sched/backfill
SlurmdParameters=config_overrides
ReturnToService=2
SlurmctldTimeout=30
SlurmdTimeout=15
InactiveLimit=0
KillWait=5
MinJobAge=300
Waittime=0
JobRequeue=1
GresTypes=gpu
NodeName=n[1-2] NodeHostname={host} NodeAddr=127.0.0.1 Port=[{first}-{last}] CPUs=2 \
RealMemory=16000 Gres=gpu:2 State=UNKNOWN
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""


GPUS = "NodeName=n[1-2] Name=gpu File={folder}/gpu[0-1]\n"
"""Files take the place of devices; both nodes have the same two."""


class SlurmCluster:
    """Two nodes; each can be killed and brought back."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for name in ("state", "spool/n1", "spool/n2"):
            (folder / name).mkdir(parents=True)
        self.configuration = folder / "slurm.conf"
        (folder / "gres.conf").write_text(GPUS.format(folder=folder))
        for name in ("gpu0", "gpu1"):
            (folder / name).touch()
        first = _free_ports(3)
        self.configuration.write_text(
            CONFIGURATION.format(
                folder=folder,
                port=first,
                host=socket.gethostname(),
                first=first + 1,
                last=first + 2,
            )
        )

    def start(self) -> None:
        self._run("slurmctld", "-f", str(self.configuration))
        for node in ("n1", "n2"):
            self.start_node(node)
        wait_for(lambda: self.node_states() == ["idle", "idle"], 180)

    def start_node(self, node: str) -> None:
        self._run("slurmd", "-f", str(self.configuration), "-N", node)

    def kill_node(self, node: str) -> None:
        """The node's daemon dies; what it started goes on."""
        os.kill(int((self.folder / f"slurmd.{node}.pid").read_text()), 9)

    def node_states(self) -> list[str]:
        answer = self._run("sinfo", "--noheader", "--Node", "--format", "%t")
        return [state.rstrip("*") for state in answer.split()]

    def stop(self) -> None:
        subprocess.run(["scancel", "--state=RUNNING,PENDING,SUSPENDED"], capture_output=True)
        time.sleep(1)
        for file in self.folder.glob("*.pid"):
            with suppress(OSError, ValueError):
                os.kill(int(file.read_text()), 9)

    def _run(self, *words: str) -> str:
        return subprocess.run(words, check=True, capture_output=True, text=True, timeout=120).stdout


@contextmanager
def slurm_cluster(folder: Path, patch: pytest.MonkeyPatch) -> Iterator[SlurmCluster]:
    """A cluster that this process and its children use; skips where Slurm cannot be started."""
    if missing := [program for program in NEEDED if shutil.which(program) is None]:
        pytest.skip(f"Slurm is not installed: no {missing[0]} (apt-get install slurm-wlm munge)")
    if os.getuid() != 0:
        pytest.skip("the daemons of Slurm need root")
    with (Path(tempfile.gettempdir()) / "slurm-of-the-tests.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # one cluster at a time on this machine
        _start_munge()
        cluster = SlurmCluster(folder)
        patch.setenv("SLURM_CONF", str(cluster.configuration))
        try:
            cluster.start()
            yield cluster
        finally:
            cluster.stop()


def _start_munge() -> None:
    if subprocess.run(["munge", "-n"], capture_output=True).returncode == 0:
        return
    subprocess.run("install -d -o munge -g munge /run/munge".split(), check=True)
    words = "setpriv --reuid=munge --regid=munge --clear-groups munged"
    if subprocess.run(words.split(), capture_output=True).returncode:
        pytest.skip("munge, which Slurm needs, does not start here")


def _free_ports(count: int) -> int:
    """The first of so many free ports in a row."""
    for first in range(17001, 18000, count):
        with suppress(OSError):
            for port in range(first, first + count):
                with socket.socket() as probe:
                    probe.bind(("127.0.0.1", port))
            return first
    raise RuntimeError("no free ports")
