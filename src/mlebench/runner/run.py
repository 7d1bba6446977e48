"""One run from its present state to its end: start, wait, collect, grade, record.

Every step is written to `run.json` before it begins, so that after any crash the next call does
exactly the missing steps. A graded run is not graded again.
"""

from __future__ import annotations

import errno
import logging
import signal
import time
import traceback
from collections.abc import Mapping
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from msgspec import structs

from mlebench.catalogue import LocatedCompetition
from mlebench.errors import BenchError, DataError, SandboxError
from mlebench.grading.grade import submission_limits
from mlebench.grading.pool import GradingResult, Submission
from mlebench.records.folders import GroupFolder, RunFolder
from mlebench.records.ledger import Grading, append_entry, read_ledger
from mlebench.records.manifest import walk_files
from mlebench.records.reasons import without_host_paths
from mlebench.records.report import CompetitionReport, read_report, write_report
from mlebench.records.run import (
    AgentStart,
    Blame,
    LimitUsage,
    LostAttempt,
    ModelTotals,
    RunRecord,
    read_run,
    write_run,
)
from mlebench.runner.continuing import Continuation, run_to_the_end
from mlebench.runner.endpoints import Endpoints
from mlebench.runner.folders import ballast, empty_folders, free_disk
from mlebench.runner.job import agent_parameters, make_instructions, make_job
from mlebench.runner.lease import Lease, leased
from mlebench.runner.limits import find_enforcement, not_enforced
from mlebench.runner.plan import PlannedGroup
from mlebench.runner.provenance import describe_run
from mlebench.runner.tools import WorkerTools
from mlebench.runner.workspace.answers import find_answers
from mlebench.runner.workspace.canaries import planted_canary
from mlebench.runner.workspace.collect import copy_submission
from mlebench.runner.workspace.neutral import leaves, public_view
from mlebench.runner.workspace.own_disk import own_disk
from mlebench.runner.workspace.snapshots import Snapshots
from mlebench.sandbox.base import Job, Outcome
from mlebench.sandbox.gpus import GpusBusyError, leased_gpus

MAX_ATTEMPTS = 3
BLAME: dict[str, Blame] = {
    "time": "timeout",
    "memory": "agent",
    "processes": "agent",
    "disk": "agent",
    "machine": "infrastructure",
}
KILLED = (-signal.SIGTERM, -signal.SIGKILL, 128 + signal.SIGTERM, 128 + signal.SIGKILL)
KILLED_SECONDS = 1.0
FULL = (errno.ENOSPC, errno.EDQUOT)

log = logging.getLogger(__name__)


class StaleAttemptError(BenchError):
    """Another worker has taken the run over; what this one did does not count."""


def execute_run(group: PlannedGroup, run_id: str, tools: WorkerTools) -> RunRecord | None:
    """Complete a run; None if another worker has it."""
    run = group.run(run_id)
    with leased(run) as lease:
        return Execution(group, run, tools, lease).complete() if lease else None


@dataclass(frozen=True)
class Execution:
    """A run that this worker has the lease of; each step takes its record and returns the next."""

    group: PlannedGroup
    run: RunFolder
    tools: WorkerTools
    lease: Lease

    def complete(self) -> RunRecord | None:
        """Do all steps; an error in one of them is the end of this run, and of no other."""
        try:
            record = self.recover(read_run(self.run.state))
            while not record.is_final:
                record = self.step(record)
        except StaleAttemptError:
            return None
        except Exception as error:
            log.debug("run %s was given up", self.run.path.name, exc_info=True)
            return self._give_up(error)
        return record

    def _give_up(self, error: Exception) -> RunRecord | None:
        """Record what stopped the harness, if the record can still be written."""
        if isinstance(error, OSError) and error.errno in FULL:
            return None  # `resume` continues from this state
        reason = str(error)
        if not isinstance(error, BenchError):
            reason = f"internal error: {type(error).__name__}: {error}"
            self._log("".join(traceback.format_exception(error)))
            log.error("internal error in a run; its traceback: %s", self.run.harness_log)
        changes = {"state": "failed", "blame": "infrastructure", "reason": reason}
        with suppress(DataError, StaleAttemptError, OSError):
            return self._advance(read_run(self.run.state), ended_at=_now(), **changes)
        return None

    def recover(self, record: RunRecord) -> RunRecord:
        """After a crash of the harness: end what it left and plan another attempt."""
        if record.state not in ("starting", "running"):
            return record
        if record.leftovers:
            self.tools.sandbox.end_leftovers(record.leftovers)
        is_same = record.leftovers.get("harness") == self.tools.harness
        who = "a worker of the harness" if is_same else "the harness"
        kind = "machine" if is_same else "harness"
        return self._another_attempt(record, f"{who} ended while the agent ran", kind)

    def step(self, record: RunRecord) -> RunRecord:
        """Do what comes next in this state."""
        if is_cancelled(self.group):
            return self._advance(record, state="cancelled", ended_at=_now(), reason="cancelled")
        competition = self.tools.work.catalogue.get_competition(record.competition_id)
        if record.state == "planned":
            return self._run_agent(record, competition)
        if record.state == "collecting":
            limit = submission_limits(competition).max_bytes
            sealed = copy_submission(self.run, self.run.sealed_submission, limit)
            return self._advance(record, state="grading", submission=sealed)
        return self._grade(record)

    def _advance(self, record: RunRecord, **changes: Any) -> RunRecord:
        """Write the next state of the run, unless another worker has taken it."""
        self._require_current()
        if reason := changes.get("reason"):
            changes["reason"] = self._without_paths(reason)
        record = structs.replace(record, **changes)
        # A power cut before the submission is sealed costs the attempt in any case.
        write_run(record, self.run.state, syncs_folder=record.is_final or record.state == "grading")
        return record

    def _require_current(self) -> None:
        fence = read_run(self.run.state).fence
        if self.lease.is_lost or fence != self.lease.token:
            raise StaleAttemptError(f"{self.run.path.name} was taken over with token {fence}")

    def _without_paths(self, reason: str) -> str:
        """The reason without paths, for all readers; the full text is in a log of the host."""
        shown = without_host_paths(reason)
        if shown != reason:
            self._log(reason)
        return shown

    def _log(self, text: str) -> None:
        with suppress(OSError), self.run.harness_log.open("a", encoding="utf-8") as stream:
            print(_now(), text.rstrip(), file=stream)

    def _run_agent(self, record: RunRecord, competition: LocatedCompetition) -> RunRecord:
        """Wait for GPUs, start the agent in its sandbox and wait for its end."""

        def goes_on(waits_for: str) -> bool:
            nonlocal record
            if record.reason != waits_for:
                record = self._advance(record, reason=waits_for)
            return not is_cancelled(self.group)

        try:
            with leased_gpus(self.group.plan.settings.limits.gpus, goes_on=goes_on) as gpus:
                return self._attempt(record, competition, tuple(gpu.index for gpu in gpus))
        except GpusBusyError:
            return record  # it was cancelled while it waited
        except SandboxError as error:
            return self._another_attempt(record, str(error))

    def _attempt(
        self, record: RunRecord, competition: LocatedCompetition, gpus: tuple[int, ...]
    ) -> RunRecord:
        """One start of the agent, from empty folders."""
        record = self._advance(
            record,
            state="starting",
            attempt=record.attempt + 1,
            started_at=_now(),
            reason=None,
            leftovers={"harness": self.tools.harness},
            provenance=describe_run(competition.folder),
        )
        try:
            empty_folders(self.run, record.attempt)
            outcome, starts, model, validations = self._in_sandbox(record, competition, gpus)
        except (SandboxError, OSError) as error:
            if isinstance(error, OSError) and read_run(self.run.state).state == "running":
                raise  # an error after the agent's start is no reason to start it again
            return self._another_attempt(record, str(error))
        if outcome.ended_by == "exit" and outcome.exit_code in KILLED:
            _wait_for_own_end()  # or else the agent is to blame
        if outcome.ended_by == "machine":
            return self._another_attempt(record, outcome.reason)
        if model and model.outage and outcome.ended_by != "cancelled":
            return self._another_attempt(record, model.outage)
        sandbox = self.tools.sandbox
        is_freed = outcome.ended_by == "disk" and free_disk(self.run)
        return self._advance(
            record,
            state="cancelled" if outcome.ended_by == "cancelled" else "collecting",
            ended_at=_now(),
            seconds=round(outcome.seconds, 3),
            blame=_blame(outcome, model),
            reason=outcome.reason + ("; its other files were removed" if is_freed else ""),
            usage={
                name: LimitUsage(used.granted, used.used, used.enforced)
                for name, used in outcome.usage.items()
            },
            sandbox={
                "name": sandbox.name,
                "isolation": sandbox.isolation,
                "answers": self._where_answers_are(competition),
                **outcome.facts,
            },
            validations=validations,
            model=model,
            starts=starts,
        )

    def _in_sandbox(
        self, record: RunRecord, competition: LocatedCompetition, gpus: tuple[int, ...]
    ) -> tuple[Outcome, tuple[AgentStart, ...], ModelTotals | None, int]:
        plan, tools, run = self.group.plan, self.tools, self.run
        public = public_view(competition, plan.settings.obfuscation_level, run)
        with (
            ballast(run),
            Endpoints(
                record,
                run,
                competition=competition,
                open_model=tools.work.open_model,
                forks=tools.grading.server,
            ) as endpoints,
            self._place() as place,
            planted_canary(run, competition),
            Snapshots(run, place),
        ):
            job = make_job(plan, tools, public=public, endpoints=endpoints, place=place, gpus=gpus)

            def started(facts: Mapping[str, Any]) -> None:
                leftovers = {**record.leftovers, **facts}
                self._advance(record, state="running", leftovers=leftovers)

            def is_over() -> bool:
                return self.lease.is_lost or is_cancelled(self.group) or endpoints.is_broken()

            def run_job(job: Job) -> Outcome:
                return tools.sandbox.run(job, on_start=started, is_cancelled=is_over)

            continuation = Continuation(
                is_wanted=agent_parameters(plan, tools).get("continue") is True,
                totals=endpoints.model_totals,
                is_over=is_over,
                instructions=lambda job: make_instructions(plan, job.limits),
            )
            outcome, starts = run_to_the_end(job, run_job, continuation)
            self._require_current()
            return outcome, starts, endpoints.close_model(), endpoints.validations

    def _place(self) -> AbstractContextManager[RunFolder]:
        """Where the agent's folders are while it runs."""
        settings = self.group.plan.settings
        if settings.require_limits:
            found = find_enforcement(settings)
            if missing := not_enforced(settings, found):
                raise SandboxError(f"the kernel does not enforce {', '.join(missing)} here")
            if settings.limits.disk_bytes:
                return own_disk(self.run, settings.limits.disk_bytes)
        return leaves(self.run, is_obfuscated=settings.is_obfuscated)

    def _where_answers_are(self, competition: LocatedCompetition) -> str:
        """`absent`, `inside` or `readable`, looked up when the agent has ended."""
        if self.tools.sandbox.isolation == "none":
            return "readable"
        files = walk_files(self.tools.work.agent.mounted)
        return "inside" if find_answers(files, competition) else "absent"

    def _another_attempt(self, record: RunRecord, reason: str, kind: str = "machine") -> RunRecord:
        """Keep why this attempt does not count; start again from empty folders, or give up."""
        reason = self._without_paths(reason)
        lost = LostAttempt(record.attempt, kind, reason, record.started_at)
        attempts = (*record.attempts, lost)
        last = attempts[-MAX_ATTEMPTS:]
        if len(last) == MAX_ATTEMPTS and all(one.kind == "machine" for one in last):
            return self._advance(
                record,
                state="failed",
                blame="infrastructure",
                reason=f"{reason} ({MAX_ATTEMPTS} times in a row)",
                ended_at=_now(),
                leftovers={},
                attempts=attempts,
            )
        return self._advance(record, state="planned", leftovers={}, attempts=attempts)

    def _grade(self, record: RunRecord) -> RunRecord:
        """Grade the sealed copy once, outside the sandbox; after a crash the ledger counts."""
        if self._is_graded(record):
            report = read_report(self.run.report)
        else:
            result = self._ask_grader(record)
            if result.error or result.report is None:
                reason = f"not graded: {result.error}"
                return self._advance(record, state="failed", blame="infrastructure", reason=reason)
            report = result.report
            if problem := record.submission.problem:
                report = replace(report, reason=problem, submission_exists=True)
            self._require_current()
            write_report(report, self.run.report)
            entry = _ledger_entry(record, report)
            append_entry(self.group.ledger, entry, check=self._require_current)
        return self._advance(record, state="finished", score=report.score, medal=report.medal)

    def _ask_grader(self, record: RunRecord) -> GradingResult:
        sealed = Submission(record.competition_id, self.run.sealed_submission, self.run.renaming)
        result = self.tools.grading.grade(sealed)
        if result.error is None:
            return result
        _wait_for_own_end()
        return self.tools.grading.grade(sealed)

    def _is_graded(self, record: RunRecord) -> bool:
        """Whether this attempt is in the ledger; its report is written before."""
        if not self.run.report.exists():
            return False
        gradings = read_ledger(self.group.ledger).gradings_of(record.run_id)
        return any(grading.attempt == record.attempt for grading in gradings)


def _blame(outcome: Outcome, model: ModelTotals | None) -> Blame | None:
    if model and model.budget_spent:
        return "budget"
    if outcome.ended_by == "exit":
        return "agent" if outcome.exit_code else None
    return BLAME.get(outcome.ended_by)


def _ledger_entry(record: RunRecord, report: CompetitionReport) -> Grading:
    return Grading(
        run_id=record.run_id,
        competition_id=record.competition_id,
        attempt=record.attempt,
        score=report.score,
        valid=report.valid_submission,
        submission_sha256=report.submission_sha256,
    )


def is_cancelled(group: GroupFolder) -> bool:
    """Whether the group was cancelled."""
    return (group.path / "cancelled").exists()


def _wait_for_own_end() -> None:
    """Called when a child process was killed: a scheduler that ends a job kills all processes, so
    this one may be next, and should not record what happened as something else.
    """
    time.sleep(KILLED_SECONDS)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
