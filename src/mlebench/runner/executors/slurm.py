"""Many runs on a Slurm cluster: worker jobs, submitted through submitit, that take run after run.

A job has the CPUs, memory and GPUs of one run and enough time for at least one. It goes on when the
command that submitted it ends; `resume` finds it by its name. Leases decide who has a run, so a job
that Slurm starts again while its first copy lives works on other runs.
"""

from __future__ import annotations

import logging
import math
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from typing import Any

from mlebench.errors import SandboxError, UsageError
from mlebench.records.group import Settings
from mlebench.runner.executors.worker import execute_all, import_library, workers_wanted
from mlebench.runner.statuses import GroupWatch
from mlebench.runner.tools import Work
from mlebench.system.commands import last_line, run_command

POLL_SECONDS = 0.5
QUEUE_SECONDS = 10.0
"""Between two questions to the scheduler, which all users share."""
MARGIN_SECONDS = 1800.0
"""How much longer a run may take than its agent: preparation before it, grading after it."""
WARNING_SECONDS = 120
"""How long before its end a job is warned; another job then takes over its run."""
MAX_IDLE_SUBMISSIONS = 5

log = logging.getLogger(__name__)


def run_slurm(
    work: Work,
    *,
    jobs: int,
    options: Mapping[str, str],
    on_change: Callable[[], None] = lambda: None,
) -> None:
    """Execute all runs of a group with at most `jobs` jobs at once; returns when none is left.

    Args:
        options: of `sbatch`, such as `partition`, `account` and `time` (minutes of a job).
    """
    minutes = _minutes(work.group.plan.settings, options)
    name = _job_name(work)
    _jobs_in_queue(name)  # an error where there is no Slurm
    submit = _submitter(work, minutes, options)
    watch = GroupWatch(work.group)
    watch.refresh()
    next_look, idle, finished = 0.0, 0, -1
    while any(run.is_open for run in watch.runs):
        if time.monotonic() >= next_look:
            next_look = time.monotonic() + QUEUE_SECONDS
            watch.refresh(is_forced=True)
            if missing := _missing(watch, jobs, name):
                done = sum(run.is_final for run in watch.runs)
                idle = idle + 1 if done == finished else 0
                finished = done
                if idle > MAX_IDLE_SUBMISSIONS:
                    raise SandboxError(
                        f"Slurm jobs end without finishing a run; see {work.group.path / 'slurm'}"
                    )
                submit(missing)
        on_change()
        time.sleep(POLL_SECONDS)
        watch.refresh()
    on_change()


def _missing(watch: GroupWatch, jobs: int, name: str) -> int:
    """How many jobs to submit; none while the scheduler does not answer."""
    try:
        return max(0, workers_wanted(watch.runs, jobs) - _jobs_in_queue(name))
    except SandboxError as error:
        log.warning("%s; jobs that run go on", error)
        return 0


class SlurmWorker:
    """What a job does; submitit calls `checkpoint` when Slurm announces the end of the job."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds

    def __call__(self, work: Work) -> None:
        """Execute runs as long as another one fits into the job."""
        # `scancel` and preemption: end the agent, and leave its run to another job.
        signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))
        end = time.monotonic() + self.seconds
        needed = work.group.plan.settings.hours * 3600
        execute_all(work, has_time=lambda: end - time.monotonic() > needed)
        if any(work.unfinished()) and end - time.monotonic() <= needed:
            _requeue()

    def checkpoint(self, work: Work) -> Any:
        """The same again, in a new job."""
        return import_library("submitit", extra="slurm").helpers.DelayedSubmission(self, work)


def _submitter(work: Work, minutes: int, options: Mapping[str, str]) -> Callable[[int], None]:
    submitit = import_library("submitit", extra="slurm")
    settings = work.group.plan.settings
    executor = submitit.SlurmExecutor(work.group.path / "slurm", max_num_timeout=1000)
    executor.update_parameters(
        job_name=_job_name(work),
        time=minutes,
        signal_delay_s=WARNING_SECONDS,
        stderr_to_stdout=True,
        **_resources(settings),
        additional_parameters={k: v for k, v in options.items() if k != "time"},
    )
    worker = SlurmWorker(minutes * 60 - WARNING_SECONDS)

    def submit(count: int) -> None:
        try:
            with executor.batch():
                for _ in range(count):
                    executor.submit(worker, work)
        except submitit.core.utils.FailedJobError as error:
            reason = str(error).strip().splitlines()[-1].removeprefix("sbatch: error: ")
            raise UsageError(f"Slurm does not accept the job: {reason}") from None

    return submit


def _minutes(settings: Settings, options: Mapping[str, str]) -> int:
    """The time limit of a job; at least one run fits into it."""
    least = math.ceil((settings.hours * 3600 + WARNING_SECONDS) / 60) + 1
    if "time" not in options:
        return least + math.ceil(MARGIN_SECONDS / 60)
    if not options["time"].isdecimal() or int(options["time"]) < least:
        raise UsageError(
            f"--slurm time={options['time']}: a job needs at least {least} minutes for one run"
        )
    return int(options["time"])


def _resources(settings: Settings) -> dict[str, Any]:
    limits = settings.limits
    found: dict[str, Any] = {"cpus_per_task": math.ceil(limits.cpus or 1)}
    if limits.memory_bytes:
        found["mem"] = f"{math.ceil(limits.memory_bytes / (1 << 20))}M"
    if limits.gpus:
        found["gpus_per_node"] = limits.gpus
    return found


def _job_name(work: Work) -> str:
    return f"mlebench-{work.group.plan.group}"


def _jobs_in_queue(name: str) -> int:
    """How many jobs of a group wait or run."""
    chosen = ("--user", str(os.getuid()), "--name", name)
    answer = run_command("squeue", "--noheader", "--array", *chosen, "--format", "%A", seconds=60)
    if answer.returncode:
        raise SandboxError(f"Slurm does not answer: {last_line(answer.stderr)}")
    return len(answer.stdout.split())


def _requeue() -> None:
    """Ask Slurm to start this job again: runs are left, and none fits into its time."""
    if job := os.environ.get("SLURM_JOB_ID"):
        subprocess.run(["scontrol", "requeue", job], timeout=60)
