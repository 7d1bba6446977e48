"""One start of bwrap: launch it, wait until the sandbox is complete, supervise it to its end."""

from __future__ import annotations

import json
import os
import re
import select
import subprocess
import sys
from contextlib import suppress
from dataclasses import dataclass
from signal import SIGKILL

from mlebench.sandbox.base import IsCancelled, Job, OnStart, Outcome
from mlebench.sandbox.cgroups import Cgroup, folder_names
from mlebench.sandbox.channels import Channels
from mlebench.sandbox.engines.bubblewrap_arguments import (
    Arguments,
    bwrap_arguments,
    describe_sources,
)
from mlebench.sandbox.engines.bubblewrap_program import bwrap_version, has_filter, start_error
from mlebench.sandbox.mounts import Mount
from mlebench.sandbox.output import CappedLog
from mlebench.sandbox.process_tree import Identity, has_ended, identify, kill_child, send_signal
from mlebench.sandbox.procfs import descendants
from mlebench.sandbox.programs import launcher
from mlebench.sandbox.scopes import Scope
from mlebench.sandbox.supervisor import Ending
from mlebench.sandbox.watcher import Watcher

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
        with Channels(self.job) as channels:
            status, status_end = channels.open_pipe()
            process = self._launch(channels, status_end)
            channels.callback(kill_child, process)
            channels.close_ends()
            os.close(status_end)
            init, segments = channels.wait_until_ready(
                process, lambda: _child_pid(status), start_error
            )
            if self.scope is not None:
                self.cgroup = self.scope.group_of(init.pid)
            pidfd = os.pidfd_open(init.pid)
            channels.callback(os.close, pidfd)
            channels.callback(send_signal, pidfd, SIGKILL)
            on_start(self._leftover_facts(init, process.pid))
            watcher = self._watcher(init.pid, segments)
            own = tuple(descendants(init.pid))
            ending = channels.supervise(
                watcher, is_cancelled, kill=lambda: send_signal(pidfd, SIGKILL), spare=own
            )
            send_signal(pidfd, SIGKILL)
            _wait_for_exit(process, pidfd)
            channels.drain()
            return self._outcome(ending, process.returncode, watcher, channels.log)

    def _launch(self, channels: Channels, status: int) -> subprocess.Popen[bytes]:
        arguments = bwrap_arguments(self.job, self.mounts, status)
        for descriptor in arguments.descriptors:
            channels.callback(os.close, descriptor)
        keep = [status, *arguments.descriptors]
        order = launcher.memory_file(json.dumps(self._order(arguments, keep)).encode())
        channels.callback(os.close, order)
        command = [sys.executable, "-I", "-S", "-P", launcher.__file__, str(order)]
        environment = {"PATH": "/usr/local/bin:/usr/bin:/bin"}
        if self.scope is not None:
            command = [*self.scope.prefix, *command]
            environment |= self.scope.environment  # the launcher passes none of it on
        return subprocess.Popen(
            command,
            stdin=channels.control_end.fileno(),
            stdout=channels.output_end,
            stderr=channels.output_end,
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
            "cgroups": folder_names(self.cgroup),
            "keep": keep,
            "sources": describe_sources(self.mounts),
            "args": arguments.items,
            "command": [*BRIDGE_COMMAND, *bound, "--", *self.job.command],
        }

    def _leftover_facts(self, init: Identity, monitor: int) -> dict[str, object]:
        known = identify(monitor)
        return {
            "sandbox": "bubblewrap",
            "init": vars(init),
            "monitor": vars(known) if known else None,
            "cgroups": folder_names(self.cgroup),
        }

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
