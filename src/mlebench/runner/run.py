"""One run from where it stands to its end: start, wait, collect, grade, record.

Every step is written to `run.json` before it begins, so that after any crash the next call does
exactly the missing steps. A graded run is not graded again.
"""

from __future__ import annotations

import fcntl
import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import asdict, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from mlebench.catalogue import LocatedCompetition
from mlebench.errors import SandboxError
from mlebench.grading.batch import Line
from mlebench.grading.grade import submission_limits
from mlebench.records import ledger
from mlebench.records.folders import GroupFolder, RunFolder
from mlebench.records.runs import Blame, GroupRecord, RunRecord, read_run, write_record
from mlebench.runner.collect import seal_submission
from mlebench.runner.endpoints import Endpoints
from mlebench.runner.job import make_job
from mlebench.runner.neutral import leaves
from mlebench.runner.plan import make_run_folders, open_group
from mlebench.runner.provenance import describe_data, describe_machine
from mlebench.runner.snapshots import Snapshots
from mlebench.runner.tools import Tools
from mlebench.sandbox.base import Outcome

MAX_ATTEMPTS = 3
FINAL = ("finished", "failed", "cancelled")
BLAME: dict[str, Blame] = {
    "time": "timeout",
    "memory": "agent",
    "processes": "agent",
    "disk": "agent",
    "machine": "infrastructure",
}


def execute_run(group: GroupFolder, run_id: str, tools: Tools) -> RunRecord | None:
    """Bring a run to its end; nothing when another worker has it."""
    run = group.run(run_id)
    with leased(run) as is_ours:
        if not is_ours:
            return None
        plan = open_group(group)
        record = recover(read_run(run.state), run, tools)
        while record.state not in FINAL:
            record = _step(record, run, plan, group, tools)
        return record


@contextmanager
def leased(run: RunFolder) -> Iterator[bool]:
    """An exclusive lock on the run, freed by the kernel when its holder dies."""
    with run.lease.open("a") as stream:
        try:
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield False
            return
        yield True


def recover(record: RunRecord, run: RunFolder, tools: Tools) -> RunRecord:
    """After a crash of the harness: end what it left and plan another attempt."""
    if record.state not in ("starting", "running"):
        return record
    if record.leftovers:
        tools.sandbox.end_leftovers(record.leftovers)
    return _another_attempt(record, run, "the harness ended while the agent ran", kind="harness")


def _step(
    record: RunRecord, run: RunFolder, plan: GroupRecord, group: GroupFolder, tools: Tools
) -> RunRecord:
    if is_cancelled(group):
        return advance(record, run, state="cancelled", ended_at=_now(), reason="cancelled")
    if record.state == "planned":
        return _run_agent(record, run, plan, group, tools)
    competition = tools.catalogue.get_competition(record.competition_id)
    if record.state == "collecting":
        return _collect(record, run, competition)
    return _grade(record, run, group, tools)


def _run_agent(
    record: RunRecord, run: RunFolder, plan: GroupRecord, group: GroupFolder, tools: Tools
) -> RunRecord:
    """Start the agent in its sandbox and wait for its end."""
    competition = tools.catalogue.get_competition(record.competition_id)
    record = advance(
        record,
        run,
        state="starting",
        attempt=record.attempt + 1,
        started_at=_now(),
        provenance=describe_machine() | describe_data(competition.folder),
    )
    try:
        outcome, model, validations = _in_sandbox(record, run, plan, competition, group, tools)
    except (SandboxError, OSError) as error:
        return _another_attempt(read_run(run.state), run, str(error))
    record = read_run(run.state)
    if outcome.ended_by == "machine":
        return _another_attempt(record, run, outcome.reason)
    if model.get("outage") and outcome.ended_by != "cancelled":
        return _another_attempt(record, run, model["outage"])
    return advance(
        record,
        run,
        state="cancelled" if outcome.ended_by == "cancelled" else "collecting",
        ended_at=_now(),
        seconds=round(outcome.seconds, 3),
        blame=_blame(outcome, model),
        reason=outcome.reason,
        usage={name: asdict(used) for name, used in outcome.usage.items()},
        sandbox={"name": tools.sandbox.name, "isolation": tools.sandbox.isolation}
        | dict(outcome.facts),
        leftovers={},
        validations=validations,
        model=model,
    )


def _in_sandbox(
    record: RunRecord,
    run: RunFolder,
    plan: GroupRecord,
    competition: LocatedCompetition,
    group: GroupFolder,
    tools: Tools,
) -> tuple[Outcome, dict[str, Any], int]:
    wanted = int(plan.settings.limits.get("gpus") or 0)
    gpus = tools.lease_gpus(wanted) if tools.lease_gpus and wanted else nullcontext(())
    with (
        gpus as leased_to_us,
        Endpoints(run, competition, tools.open_model) as endpoints,
        leaves(run, is_obfuscated=plan.settings.is_obfuscated) as place,
        Snapshots(run, place, tools.snapshot_seconds),
    ):
        gpu_indices = tuple(gpu.index for gpu in leased_to_us)
        job = make_job(
            record,
            run,
            plan,
            competition,
            tools,
            endpoints=endpoints,
            place=place,
            gpus=gpu_indices,
        )

        def started(facts: Any) -> None:
            advance(read_run(run.state), run, state="running", leftovers=dict(facts))

        def is_over() -> bool:
            return is_cancelled(group) or endpoints.is_broken()

        outcome = tools.sandbox.run(job, on_start=started, is_cancelled=is_over)
        return outcome, endpoints.close_model(), endpoints.validations


def _blame(outcome: Outcome, model: dict[str, Any]) -> Blame | None:
    if model.get("budget_spent"):
        return "budget"
    if outcome.ended_by == "exit":
        return "agent" if outcome.exit_code else None
    return BLAME.get(outcome.ended_by)


def _another_attempt(
    record: RunRecord, run: RunFolder, reason: str, kind: str = "machine"
) -> RunRecord:
    """Keep why this attempt does not count; start anew from empty folders, or give up."""
    lost = {
        "attempt": record.attempt,
        "started_at": record.started_at,
        "kind": kind,
        "reason": reason,
    }
    attempts = (*record.attempts, lost)
    if all(a["kind"] == "machine" for a in attempts[-MAX_ATTEMPTS:]) and (
        len(attempts) >= MAX_ATTEMPTS
    ):
        return advance(
            record,
            run,
            state="failed",
            blame="infrastructure",
            reason=f"{reason} ({MAX_ATTEMPTS} times in a row)",
            ended_at=_now(),
            leftovers={},
            attempts=attempts,
        )
    for folder in (run.submission, run.logs, run.code, run.agent, run.host):
        remove_tree(folder)
    make_run_folders(run)
    return advance(record, run, state="planned", leftovers={}, attempts=attempts)


def _collect(record: RunRecord, run: RunFolder, competition: LocatedCompetition) -> RunRecord:
    sealed = seal_submission(run, submission_limits(competition).max_bytes)
    return advance(record, run, state="grading", submission=asdict(sealed))


def _grade(record: RunRecord, run: RunFolder, group: GroupFolder, tools: Tools) -> RunRecord:
    """Grade once, outside the sandbox, from the sealed copy; after a crash the ledger counts."""
    done = [
        line
        for line in ledger.gradings_of(group.ledger, record.run_id)
        if line["attempt"] == record.attempt
    ]
    if not done:
        line = Line(1, record.competition_id, str(run.sealed_submission))
        (result,) = tools.grading.grade([line])
        if result.report is None:
            return advance(
                record,
                run,
                state="failed",
                blame="infrastructure",
                reason=f"not graded: {result.error}",
            )
        report = result.report.to_dict()
        if problem := record.submission.get("problem"):
            report |= {"reason": problem, "submission_exists": True}
        write_json(report, run.report)
        done = [ledger.append(group.ledger, _ledger_entry(record, report))]
    report = json.loads(run.report.read_text("utf-8"))
    medal = next((m for m in ("gold", "silver", "bronze") if report[f"{m}_medal"]), None)
    return advance(record, run, state="finished", score=report["score"], medal=medal)


def _ledger_entry(record: RunRecord, report: dict[str, Any]) -> dict[str, Any]:
    return {
        "run_id": record.run_id,
        "competition_id": record.competition_id,
        "attempt": record.attempt,
        "score": report["score"],
        "valid": report["valid_submission"],
        "submission_sha256": report["submission_sha256"],
    }


def advance(record: RunRecord, run: RunFolder, **changes: Any) -> RunRecord:
    """Write the next state of a run."""
    record = replace(record, **changes)
    write_record(record, run.state)
    return record


def is_cancelled(group: GroupFolder) -> bool:
    """Whether somebody asked for the group's end."""
    return (group.path / "cancelled").exists()


def write_json(data: dict[str, Any], path: Path) -> None:
    """A JSON file, whole or not at all."""
    part = path.with_name(f".{path.name}.part")
    with part.open("w", encoding="utf-8") as stream:
        json.dump(data, stream, indent=1, allow_nan=False)
        stream.flush()
        os.fsync(stream.fileno())
    part.rename(path)


def remove_tree(folder: Path) -> None:
    """Delete a tree that an agent left, without following links."""
    shutil.rmtree(folder, ignore_errors=True)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
