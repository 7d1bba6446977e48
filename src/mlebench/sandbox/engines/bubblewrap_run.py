"""One start of bwrap: launch it, wait until the sandbox is complete, supervise it to its end."""

from __future__ import annotations

import json
import os
import re
import select
import socket
import subprocess
import sys
from contextlib import ExitStack, closing, suppress
from dataclasses import dataclass
from signal import SIGKILL

from mlebench.sandbox.base import IsCancelled, Job, OnStart, Outcome
from mlebench.sandbox.cgroups import Cgroup
from mlebench.sandbox.engines.bubblewrap_arguments import Arguments, bwrap_arguments, memory_file
from mlebench.sandbox.engines.bubblewrap_program import bwrap_version, has_filter, start_error
from mlebench.sandbox.mounts import Mount
from mlebench.sandbox.output import CappedLog
from mlebench.sandbox.process_tree import Identity, has_ended, identify, kill_child, send_signal
from mlebench.sandbox.procfs import descendants
from mlebench.sandbox.programs import bridge, launcher
from mlebench.sandbox.scopes import Scope
from mlebench.sandbox.supervisor import (
    Ending,
    Supervisor,
    drain,
    read_available,
    wait_for_bridge,
)
from mlebench.sandbox.watcher import Watcher

START_SECONDS = 30.0
BRIDGE_COMMAND = ("/opt/python/bin/python3", "-I", "-S", "/run/bridge.py", "--control")
SPARE_PROCESSES = 16
"""Forks that the kernel allows beyond the limit, so that the watcher sees an excess."""

SPARE_BYTES = 1 << 20
"""The same for the size of one file."""


@dataclass
class BubblewrapRun:
    """One job in one bwrap process."""

    program: str
    job: Job
    mounts: list[Mount]
    uid: int | None
    cgroup: Cgroup | None
    scope: Scope | None = None

    def run(self, on_start: OnStart, is_cancelled: IsCancelled) -> Outcome:
        with ExitStack() as stack:
            log = stack.enter_context(closing(CappedLog(self.job.log)))
            output, output_end = _pipe(stack)
            status, status_end = _pipe(stack)
            control, control_end = socket.socketpair()
            stack.enter_context(control)
            stack.enter_context(control_end)
            process = self._launch(stack, control_end, output_end, status_end)
            stack.callback(kill_child, process)
            control_end.close()
            os.close(output_end)
            os.close(status_end)
            init, segments = self._wait_until_ready(process, control, status, output)
            if segments >= 0:
                stack.callback(os.close, segments)
            if self.scope is not None:
                self.cgroup = self.scope.group_of(init.pid)
            pidfd = os.pidfd_open(init.pid)
            stack.callback(os.close, pidfd)
            stack.callback(send_signal, pidfd, SIGKILL)
            on_start(self._leftover_facts(init, process.pid))
            watcher = self._watcher(init.pid, segments)
            supervisor = Supervisor(
                pidfd=pidfd,
                output=output,
                log=log,
                watcher=watcher,
                is_cancelled=is_cancelled,
                kill=lambda: send_signal(pidfd, SIGKILL),
                spare=tuple(descendants(init.pid)),
                notes=self.job.resources,
            )
            control.sendall(bridge.GO)
            ending = supervisor.wait()
            send_signal(pidfd, SIGKILL)
            _wait_for_exit(process, pidfd)
            drain(output, log)
            return self._outcome(ending, process.returncode, watcher, log)

    def _launch(
        self, stack: ExitStack, control: socket.socket, output: int, status: int
    ) -> subprocess.Popen[bytes]:
        arguments = bwrap_arguments(self.job, self.mounts, status)
        for descriptor in arguments.descriptors:
            stack.callback(os.close, descriptor)
        keep = [status, *arguments.descriptors]
        order = memory_file(json.dumps(self._order(arguments, keep)).encode())
        stack.callback(os.close, order)
        command = [sys.executable, "-I", "-S", "-P", launcher.__file__, str(order)]
        environment = {"PATH": "/usr/local/bin:/usr/bin:/bin"}
        if self.scope is not None:
            command = [*self.scope.prefix, *command]
            environment |= self.scope.environment  # the launcher passes none of it on
        return subprocess.Popen(
            command,
            stdin=control.fileno(),
            stdout=output,
            stderr=output,
            cwd="/",
            env=environment,
            close_fds=True,
            pass_fds=(*keep, order),
        )

    def _order(self, arguments: Arguments, keep: list[int]) -> dict[str, object]:
        """The launcher's order; plain data, because it cannot import our types."""
        processes = self.job.limits.processes
        bound: list[str] = []
        if processes is not None and counts_processes(self.uid is not None):
            bound = ["--processes", str(processes + SPARE_PROCESSES)]
        if self.job.limits.disk_bytes is not None:
            bound += ["--file-bytes", str(self.job.limits.disk_bytes + SPARE_BYTES)]
        return {
            "parent": os.getpid(),
            "bwrap": self.program,
            "uid": self.uid,
            "cgroups": self._groups(),
            "rlimits": {"RLIMIT_CORE": 0},
            "keep": keep,
            "sources": [
                {"path": str(mount.source), "inode": mount.inode, "folder": mount.is_folder}
                for mount in self.mounts
            ],
            "args": arguments.items,
            "command": [*BRIDGE_COMMAND, *bound, "--", *self.job.command],
        }

    def _wait_until_ready(
        self, process: subprocess.Popen[bytes], control: socket.socket, status: int, output: int
    ) -> tuple[Identity, int]:
        """The sandbox's first process and a descriptor of its System V segments."""
        segments = wait_for_bridge(control, START_SECONDS)
        pid = _child_pid(status) if segments is not None else None
        init = identify(pid) if pid is not None else None
        if segments is None or init is None:
            kill_child(process)
            raise start_error(read_available(output))
        return init, segments

    def _leftover_facts(self, init: Identity, monitor: int) -> dict[str, object]:
        known = identify(monitor)
        return {
            "sandbox": "bubblewrap",
            "init": vars(init),
            "monitor": vars(known) if known else None,
            "cgroups": self._groups(),
        }

    def _groups(self) -> list[str]:
        return [str(folder) for folder in self.cgroup.folders] if self.cgroup else []

    def _watcher(self, init: int, segments: int) -> Watcher:
        folders = [mount.source for mount in self.mounts if mount.writable]
        return Watcher(
            self.job.limits,
            init,
            folders,
            self.job.log.parent,
            self.cgroup,
            processes_enforced="kernel" if counts_processes(self.uid is not None) else "polled",
            memory_filesystems=(f"/proc/{init}/root/tmp", f"/proc/{init}/root/dev/shm"),
            segments=segments,
        )

    def _outcome(
        self, ending: Ending, exit_code: int | None, watcher: Watcher, log: CappedLog
    ) -> Outcome:
        facts = {
            "sandbox": "bubblewrap",
            "isolation": "namespaces, shared kernel",
            "network": "none",
            "version": ".".join(map(str, bwrap_version(self.program))),
            "seccomp": has_filter(),
            "uid": self.uid if self.uid is not None else os.geteuid(),
            "cgroup": self.cgroup.version if self.cgroup else None,
            "oom_kills": self.cgroup.oom_kills() if self.cgroup else None,
            "output_bytes": log.bytes_seen,
            "suspended_seconds": ending.suspended_seconds,
        }
        return ending.outcome(exit_code, watcher.usage(ending.seconds, gpus="kernel"), facts)


def counts_processes(has_own_uid: bool) -> bool:
    """Whether the kernel counts the processes of one run alone.

    It does for a uid of its own, and since Linux 5.14 for each user namespace.
    """
    release = tuple(map(int, re.findall(r"\d+", os.uname().release)[:2]))
    return has_own_uid or release >= (5, 14)


def _pipe(stack: ExitStack) -> tuple[int, int]:
    """A pipe; the stack closes its reading end, the caller its writing end."""
    reading, writing = os.pipe()
    stack.callback(os.close, reading)
    return reading, writing


def _child_pid(status: int) -> int | None:
    waiting = select.poll()
    waiting.register(status, select.POLLIN)
    if not waiting.poll(1000):
        return None
    found = re.search(rb'"child-pid": *(\d+)', os.read(status, 4096))
    return int(found[1]) if found else None


def _wait_for_exit(process: subprocess.Popen[bytes], pidfd: int) -> None:
    """Wait for bwrap, which reports the exit code once the sandbox is empty."""
    has_ended(pidfd, 10)
    with suppress(subprocess.TimeoutExpired):
        process.wait(timeout=2)
    kill_child(process)
