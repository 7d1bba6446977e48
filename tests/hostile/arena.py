"""An arena for one hostile agent: it runs through the whole harness, and then the invariant holds.

The invariant: nothing an agent does produces blame `infrastructure`, a second attempt, a process or
a file that survives, or exit code 0 for a group that did not finish.
"""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psutil

from mlebench.agents.base import AgentPackage, load_agent
from mlebench.catalogue import Catalogue
from mlebench.records.folders import GroupFolder
from mlebench.records.run import RunRecord
from mlebench.runner.group import RunRequest, start_group
from mlebench.runner.plan import PlannedGroup, open_group
from mlebench.runner.run import execute_run
from mlebench.runner.statuses import read_records, read_runs, unfinished
from mlebench.runner.tools import Work, open_tools
from mlebench.sandbox.base import Sandbox
from mlebench.sandbox.bubblewrap import uid_for
from mlebench.sandbox.procfs import start_time
from tests.processes import alive

COMPETITION = "spaceship-titanic"
SAMPLE = 'cp "$DATA/sample_submission.csv" "$SUBMISSION/submission.csv"\n'
"""What a shell agent writes to leave a valid submission."""

HEAD = """
R="${MLEBENCH_ROOT:-}/home"
export DATA="$R/data" SUBMISSION="$R/submission" CODE="$R/code" LOGS="$R/logs" AGENT="$R/agent"
"""
OWN_NAMES = {"run.json", "lease", "submission", "logs", "code", "agent", "host"}
GROUP_NAMES = {
    "agent",
    "metadata.json",
    "ledger.jsonl",
    "budget.jsonl",
    "cancelled",
    "weights.json",
}
LIMITS = ("cpus", "memory_bytes", "processes", "disk_bytes", "shm_bytes", "gpus")


@dataclass
class Arena:
    """One sandbox, one folder, prepared rehearsal data."""

    sandbox: Sandbox
    place: Path
    catalogue: Catalogue
    mark: str = field(default_factory=lambda: f"hostile-{uuid.uuid4().hex}")
    """In the command line of every process that an agent leaves behind."""

    def agent(self, script: str, name: str = "hostile") -> AgentPackage:
        """An agent whose start command is a shell script; $MARK is to be put into daemons."""
        folder = self.place / "agents" / name
        folder.mkdir(parents=True)
        (folder / "agent.toml").write_text(f'name = "{name}"\nversion = "1"\n')
        text = f"MARK={self.mark}\n{HEAD}{textwrap.dedent(script)}"
        (folder / "start.sh").write_text(text)
        return load_agent(folder)

    def python(self, code: str, name: str = "hostile") -> AgentPackage:
        """An agent that is a piece of Python; `HOME_FOLDERS` has `data`, `submission` and so on."""
        head = (
            "import os\n"
            "HOME_FOLDERS = {n: os.environ[n.upper()]"
            " for n in ('data', 'submission', 'code', 'logs', 'agent')}\n"
            f"MARK = {self.mark!r}\n"
        )
        agent = self.agent('exec python3 "$(dirname "$0")/agent.py"\n', name)
        (agent.folder / "agent.py").write_text(head + textwrap.dedent(code))
        return agent

    def plan(
        self, agent: AgentPackage, *, seeds: int = 1, seconds: float = 20, **changes: Any
    ) -> tuple[PlannedGroup, Work]:
        """Plan a group; limits of `GrantedLimits` and fields of `RunRequest` by their names."""
        limits = {name: changes.pop(name) for name in LIMITS if name in changes}
        request = RunRequest(
            sandbox=self.sandbox.name,
            seeds=seeds,
            profile="small",
            hours=seconds / 3600,
            container=limits,
            **changes,
        )
        return start_group(self.catalogue, agent, [COMPETITION], request, self.place / "runs")

    def fight(self, agent: AgentPackage, **changes: Any) -> Fight:
        """Run all seeds in this process, one after the other."""
        group, work = self.plan(agent, **changes)
        return self.work(group, work)

    def work(self, group: PlannedGroup, work: Work) -> Fight:
        """Work on a group that is planned."""
        with open_tools(work) as tools:
            for run_id in unfinished(group):
                execute_run(group, run_id, tools)
        return Fight(self, group, read_records(group))

    def command(self, *words: str, timeout: float = 120) -> subprocess.CompletedProcess[str]:
        """`mlebench` as a user calls it, in its own process; runs below this place."""
        return subprocess.run(
            [sys.executable, "-m", "mlebench", *words],
            env=os.environ
            | {
                "MLEBENCH_DATA_DIR": str(self.catalogue.get_data_dir()),
                "MLEBENCH_RUNS_DIR": str(self.place / "runs"),
            },
            cwd=self.place,
            capture_output=True,
            text=True,
            timeout=timeout,
        )

    def groups(self) -> list[PlannedGroup]:
        """The groups below this place."""
        return [open_group(GroupFolder(path)) for path in sorted((self.place / "runs").iterdir())]


@dataclass
class Fight:
    """A group after all its runs."""

    arena: Arena
    group: PlannedGroup
    records: Sequence[RunRecord]

    @property
    def record(self) -> RunRecord:
        (record,) = self.records
        return record

    def used(self, limit: str) -> float:
        return self.record.usage[limit].used or 0

    def log(self) -> str:
        return self.group.run(self.record.run_id).agent_log.read_text(errors="replace")

    def assert_invariant(self, exit_code: int | None = None) -> None:
        """What holds for every agent, whatever it did."""
        assert_invariant(self.group, mark=self.arena.mark, exit_code=exit_code)


def assert_invariant(group: PlannedGroup, *, mark: str, exit_code: int | None = None) -> None:
    """Every run is over, started once, and neither blames the machine nor leaves anything.

    Args:
        mark: in the command line of what the agent may have left running.
        exit_code: of the command, where there was one.
    """
    runs = list(read_runs(group))
    for run in runs:
        record = run.record
        assert record is not None, run.problem
        assert record.state == "finished", f"{record.state}: {record.reason}"
        assert record.blame != "infrastructure", record.reason
        assert record.attempt == 1, f"{record.attempt} attempts: {record.attempts}"
        assert not record.attempts, record.attempts
        names = {entry.name for entry in os.scandir(group.run(record.run_id).path)}
        assert names <= OWN_NAMES, f"left in the run's folder: {names - OWN_NAMES}"
        for limit, usage in record.usage.items():
            assert usage.enforced in ("kernel", "polled", "not"), (limit, usage)
    names = {entry.name for entry in os.scandir(group.path)}
    known = GROUP_NAMES | {run.planned.run_id for run in runs}
    assert names <= known, f"left in the group's folder: {names - known}"
    assert not alive(mark), f"processes outlived the run: {alive(mark)}"
    if os.geteuid() == 0:
        own = {uid_for(run.planned.run_id) for run in runs}
        left = [p.pid for p in psutil.process_iter(["uids"]) if p.info["uids"].real in own]
        left = [pid for pid in left if start_time(pid) is not None]
        assert not left, f"processes of the run's user outlived the run: {left}"
    finished = all(run.is_final for run in runs)
    assert finished or exit_code != 0
