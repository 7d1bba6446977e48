"""GPUs: list them, find free ones, and lease them so that two runs never share one."""

from __future__ import annotations

import fcntl
import os
import re
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from mlebench.errors import SandboxError
from mlebench.system.commands import last_line, run_command

SHARED_NODES = ("/dev/nvidiactl", "/dev/nvidia-uvm", "/dev/nvidia-uvm-tools")
QUERY = "index,uuid,name,memory.total,memory.used,driver_version"
MOST_FOREIGN_BYTES = 1 << 30
"""A driver and a desktop use less memory; more means that a program uses the GPU."""

WAIT_SECONDS = 2.0


class GpusBusyError(SandboxError):
    """There are enough GPUs, but other runs or programs use them now."""


@dataclass(frozen=True)
class Gpu:
    """One GPU as nvidia-smi sees it."""

    index: int
    uuid: str
    name: str
    memory_bytes: int
    used_bytes: int
    driver: str
    pids: tuple[int, ...] = ()

    @property
    def is_busy(self) -> bool:
        return bool(self.pids) or self.used_bytes > MOST_FOREIGN_BYTES


def device_nodes(gpus: Sequence[int]) -> list[str]:
    """The device files of granted GPUs; empty without GPUs."""
    if not gpus:
        return []
    shared = [node for node in SHARED_NODES if Path(node).exists()]
    return [*(f"/dev/nvidia{gpu}" for gpu in gpus), *shared]


def list_gpus() -> list[Gpu]:
    """The GPUs of this machine; empty without a driver."""
    rows = _query(f"--query-gpu={QUERY}")
    users: dict[str, list[int]] = {}
    for uuid, pid in _query("--query-compute-apps=gpu_uuid,pid"):
        users.setdefault(uuid, []).append(int(pid))
    return [
        Gpu(int(index), uuid, name, _mib(total), _mib(used), driver, tuple(users.get(uuid, ())))
        for index, uuid, name, total, used, driver in rows
    ]


def describe_gpus() -> list[str]:
    """`NVIDIA A10, 23028 MiB, 550.54` for each GPU of this machine; empty without a driver."""
    return [", ".join(row) for row in _query("--query-gpu=name,memory.total,driver_version")]


def _query(option: str) -> list[list[str]]:
    if shutil.which("nvidia-smi") is None:
        return []
    answer = run_command("nvidia-smi", option, "--format=csv,noheader")
    if answer.returncode:
        raise SandboxError(f"nvidia-smi failed: {last_line(answer.stderr or answer.stdout)}")
    lines = [line for line in answer.stdout.splitlines() if line.strip()]
    return [[part.strip() for part in line.split(",")] for line in lines]


def _mib(text: str) -> int:
    """Bytes in `143771 MiB`; 0 where the driver reports none."""
    found = re.match(r"\d+", text)
    return int(found[0]) << 20 if found else 0


@contextmanager
def leased_gpus(
    wanted: int,
    *,
    folder: Path | None = None,
    goes_on: Callable[[str], bool] | None = None,
) -> Iterator[tuple[Gpu, ...]]:
    """Hold a number of GPUs for as long as the context lasts.

    A lease is a kernel lock on a file per GPU, which is free again when its holder ends. The first
    caller that waits holds another lock, so that later requests are not served before it.

    Args:
        folder: where the lock files are; all workers of a machine must agree on it.
        goes_on: called every few seconds with the reason for waiting; false ends the wait.
            Without it, busy GPUs are an error at once.

    Raises:
        GpusBusyError: they are in use, and the caller does not wait (any longer).
        SandboxError: the machine does not have them.
    """
    if not wanted:
        yield ()
        return
    folder = folder or lease_folder()
    with ExitStack() as stack, ExitStack() as queue:
        is_first = goes_on is None
        while True:
            try:
                is_first = is_first or _locked("queue", folder, queue)
                if not is_first:
                    raise GpusBusyError("other runs are waiting for GPUs")
                taken = _take(wanted, folder, stack)
                break
            except GpusBusyError as error:
                stack.close()
                if goes_on is None or not goes_on(str(error)):
                    raise
                time.sleep(WAIT_SECONDS)
        queue.close()
        yield taken


def _take(count: int, folder: Path, stack: ExitStack) -> tuple[Gpu, ...]:
    found = [gpu for gpu in list_gpus() if _is_granted(gpu)]
    if count > len(found):
        raise SandboxError(f"{count} GPUs were requested, this machine has {len(found)}")
    free = (gpu for gpu in found if not gpu.is_busy and _locked(gpu.uuid, folder, stack))
    taken = tuple(islice(free, count))
    if len(taken) < count:
        raise GpusBusyError(f"{count} GPUs were requested, only {len(taken)} are free")
    return taken


def _is_granted(gpu: Gpu) -> bool:
    """Whether a cluster's scheduler lets this worker use a GPU; without one, all are granted."""
    names = os.environ.get("CUDA_VISIBLE_DEVICES")
    return names is None or {str(gpu.index), gpu.uuid} & set(names.split(",")) != set()


def _locked(name: str, folder: Path, stack: ExitStack) -> bool:
    flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
    descriptor = os.open(folder / f"{name}.lock", flags, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        return False
    stack.callback(os.close, descriptor)
    return True


def lease_folder() -> Path:
    """One folder per user and machine; nvidia-smi shows the programs of other users."""
    folder = Path(tempfile.gettempdir()) / f"mlebench-gpus-{os.getuid()}"
    folder.mkdir(mode=0o700, exist_ok=True)
    found = folder.lstat()
    if folder.is_symlink() or found.st_uid != os.getuid():
        raise SandboxError(f"{folder} belongs to another user")
    return folder
