"""What connects a run with the harness: the log, the pipe of its output, the bridge's socket."""

from __future__ import annotations

import os
import select
import socket
import subprocess
from collections.abc import Callable
from contextlib import ExitStack, closing, suppress

from mlebench.errors import SandboxError
from mlebench.sandbox.base import IsCancelled, Job
from mlebench.sandbox.output import CHUNK, CappedLog
from mlebench.sandbox.process_tree import Identity, identify, kill_child
from mlebench.sandbox.programs import bridge
from mlebench.sandbox.supervisor import Ending, Supervisor, drain
from mlebench.sandbox.watcher import Watcher

START_SECONDS = 30.0


class Channels(ExitStack):
    """The channels of one run, and all else that is released at its end."""

    def __init__(self, job: Job) -> None:
        super().__init__()
        self._job = job
        self.log = self.enter_context(closing(CappedLog(job.log)))
        self._output, self.output_end = self.open_pipe()
        self._control, self.control_end = map(self.enter_context, socket.socketpair())

    def open_pipe(self) -> tuple[int, int]:
        """A pipe; this stack closes its reading end, the caller its writing end."""
        reading, writing = os.pipe()
        self.callback(os.close, reading)
        return reading, writing

    def close_ends(self) -> None:
        """Close the ends that the started process has."""
        self.control_end.close()
        os.close(self.output_end)

    def wait_until_ready(
        self,
        process: subprocess.Popen[bytes],
        find_init: Callable[[], int | None],
        start_error: Callable[[str], SandboxError],
    ) -> tuple[Identity, int]:
        """Wait until the bridge reports that the sandbox is complete.

        Args:
            find_init: returns the PID of the sandbox's first process.
            start_error: makes an error of what a sandbox that did not start has printed.

        Returns:
            The first process, and a descriptor of the sandbox's /proc/sysvipc/shm, -1 if it could
            not be opened.
        """
        segments = self._receive_segments()
        pid = find_init() if segments is not None else None
        init = identify(pid) if pid is not None else None
        if segments is None or init is None:
            kill_child(process)
            raise start_error(self._read_available())
        if segments >= 0:
            self.callback(os.close, segments)
        return init, segments

    def supervise(
        self,
        watcher: Watcher,
        is_cancelled: IsCancelled,
        *,
        kill: Callable[[], object],
        spare: tuple[int, ...],
    ) -> Ending:
        """Let a waiting bridge start the agent, and wait for the end; see `Supervisor`."""
        pidfd = os.pidfd_open(watcher.init)
        self.callback(os.close, pidfd)
        supervisor = Supervisor(
            pidfd=pidfd,
            output=self._output,
            log=self.log,
            watcher=watcher,
            is_cancelled=is_cancelled,
            kill=kill,
            spare=spare,
            notes=self._job.resources,
        )
        with suppress(OSError):  # no bridge waits, or it has ended, which the supervisor notices
            self._control.sendall(bridge.GO)
        return supervisor.wait()

    def drain(self) -> None:
        """Copy the rest of the output to the log, when all processes have ended."""
        drain(self._output, self.log)

    def _receive_segments(self) -> int | None:
        waiting = select.poll()
        waiting.register(self._control, select.POLLIN)
        if not waiting.poll(START_SECONDS * 1000):
            return None
        message, descriptors, _, _ = socket.recv_fds(self._control, 1, 1, socket.MSG_CMSG_CLOEXEC)
        return next(iter(descriptors), -1) if message == bridge.READY else None

    def _read_available(self) -> str:
        os.set_blocking(self._output, False)
        with suppress(OSError):
            return os.read(self._output, CHUNK).decode("utf-8", "replace").strip()
        return ""
