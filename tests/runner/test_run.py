"""Runs from plan to report: honest agents, failing agents, cheating agents."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from mlebench.agents.base import AgentPackage
from mlebench.catalogue import Catalogue
from mlebench.errors import UsageError
from mlebench.grading.pool import GradingResult, Submission
from mlebench.records.ledger import read_ledger
from mlebench.records.run import RunRecord, read_run
from mlebench.runner.executors.local import run_local
from mlebench.runner.group import cancel_group, find_group, reopen_group, submission_lines
from mlebench.runner.plan import PlannedGroup, open_group
from mlebench.runner.run import execute_run
from mlebench.runner.statuses import read_records, read_runs, unfinished
from mlebench.runner.tools import Work, open_tools
from tests.runner.conftest import Start
from tests.runner.test_resume import finished_once
from tests.runner.witness import COPY_SAMPLE

Writer = Callable[..., AgentPackage]


def run_all(group: PlannedGroup, work: Work) -> list[RunRecord]:
    """In this process, one after the other."""
    with open_tools(work) as tools:
        for run_id in unfinished(group):
            execute_run(group, run_id, tools)
    return read_records(group)


@pytest.fixture
def bubblewrap(sandbox: str) -> None:
    if sandbox != "bubblewrap":
        pytest.skip("bubblewrap does not work here, and the process sandbox has no /home/data")


pytestmark = pytest.mark.usefixtures("bubblewrap")


def test_an_honest_run_is_graded_once_and_recorded(start: Start, write_agent: Writer) -> None:
    group, work = start(write_agent(COPY_SAMPLE + "echo hello; echo note > /home/logs/note.txt\n"))
    (run,) = run_all(group, work)
    assert (run.state, run.blame, run.attempt) == ("finished", None, 1)
    folder = group.run(run.run_id)
    report = json.loads(folder.report.read_text())
    assert report["score"] == run.score
    assert report["is_rehearsal"]
    assert "hello" in folder.agent_log.read_text()
    assert (folder.logs / "note.txt").read_text() == "note\n"
    (entry,) = read_ledger(group.ledger).entries
    assert entry.submission_sha256 == run.submission.sha256
    assert run.provenance.manifest_sha256
    assert run.usage["wall_seconds"].granted == 600
    assert run_all(group, work)[0] == run
    assert read_ledger(group.ledger).entries == (entry,)


def test_a_grader_that_is_killed_is_replaced(start: Start, write_agent: Writer) -> None:
    """Ray ends a node's processes one by one; the grader may go before its worker."""
    group, work = start(write_agent(COPY_SAMPLE))
    with open_tools(work) as tools:
        server, grade = tools.grading.server, tools.grading.grade

        def kill_and_grade(submission: Submission) -> GradingResult:
            if server._process and not killed:
                killed.append(server._process.pid)
                os.kill(server._process.pid, signal.SIGKILL)
            return grade(submission)

        killed: list[int] = []
        tools.grading.grade = kill_and_grade  # type: ignore[method-assign]
        (run_id,) = unfinished(group)
        execute_run(group, run_id, tools)
    assert killed
    finished_once(group, 1)


def test_seeds_and_the_jsonl_for_grade(start: Start, write_agent: Writer) -> None:
    group, work = start(write_agent(COPY_SAMPLE + "echo $MLEBENCH_SEED > /home/code/seed\n"), 2)
    runs = run_all(group, work)
    assert [(group.run(r.run_id).code / "seed").read_text() for r in runs] == ["0\n", "1\n"]
    lines = [json.loads(line) for line in submission_lines([group])]
    assert [line["competition_id"] for line in lines] == ["spaceship-titanic"] * 2
    assert all(Path(line["submission_path"]).is_file() for line in lines)


def test_an_agent_that_leaves_nothing_is_graded_as_such(start: Start, write_agent: Writer) -> None:
    group, work = start(write_agent("exit 3\n"))
    (run,) = run_all(group, work)
    assert (run.state, run.blame, run.score) == ("finished", "agent", None)
    assert run.submission.exists is False


def test_reasons_name_no_path_of_the_host(
    start: Start, write_agent: Writer, caplog: pytest.LogCaptureFixture
) -> None:
    group, work = start(write_agent(COPY_SAMPLE))
    group.ledger.unlink(missing_ok=True)
    group.ledger.mkdir()
    (run,) = run_all(group, work)
    assert (run.state, run.blame) == ("failed", "infrastructure")
    assert run.reason and "'…/ledger.jsonl'" in run.reason
    assert str(group.path) not in group.run(run.run_id).state.read_text()
    logged = group.run(run.run_id).harness_log.read_text()
    assert "Traceback" in logged
    assert f"'{group.ledger}'" in logged
    shown = [entry.getMessage() for entry in caplog.records if entry.levelname == "ERROR"]
    assert len(shown) == 1 and "Traceback" not in shown[0]


def test_h08_a13_forged_results_do_not_count(start: Start, write_agent: Writer) -> None:
    script = (
        "for f in report.json run.json grading_report.json reward.txt; do for d in submission logs"
        ' code agent; do echo \'{"score": 1.0, "gold_medal": true, "state": "finished"}\' >'
        " /home/$d/$f; done; done\n"
        'echo \'{"score": 0.999, "medal": "gold"}\'\n'
        "echo x > /home/submission/submission.csv\n"
    )
    group, work = start(write_agent(script))
    (run,) = run_all(group, work)
    assert (run.score, run.medal) == (None, None)
    report = json.loads(group.run(run.run_id).report.read_text())
    assert not report["valid_submission"]


def test_h01_a_link_as_submission_is_refused(
    start: Start, write_agent: Writer, prepared: Catalogue
) -> None:
    answers = prepared.get_competition("spaceship-titanic").answers
    group, work = start(write_agent(f"ln -s {answers} /home/submission/submission.csv\n"))
    (run,) = run_all(group, work)
    report = json.loads(group.run(run.run_id).report.read_text())
    assert run.score is None
    assert "symbolic link" in report["reason"]


def test_a_run_past_its_time_is_ended_and_what_it_left_counts(
    start: Start, write_agent: Writer
) -> None:
    group, work = start(write_agent(COPY_SAMPLE + "trap '' TERM; sleep 600\n"), hours=5 / 3600)
    (run,) = run_all(group, work)
    assert (run.state, run.blame) == ("finished", "timeout")
    assert run.score is not None
    assert run.seconds is not None
    assert run.seconds < 120


def test_r06_faked_machine_faults_are_the_agents_own(start: Start, write_agent: Writer) -> None:
    group, work = start(write_agent("echo 'CUDA error: device lost'; kill -9 $$\n"))
    (run,) = run_all(group, work)
    assert (run.attempt, run.blame) == (1, "agent")


def test_validation_inside_is_counted_and_the_last_valid_file_is_kept(
    start: Start, write_agent: Writer
) -> None:
    script = (
        COPY_SAMPLE
        + "bash /home/validate_submission.sh /home/submission/submission.csv\n"
        + "echo broken > /home/submission/submission.csv\n"
        + "bash /home/validate_submission.sh /home/submission/submission.csv\n"
    )
    group, work = start(write_agent(script))
    (run,) = run_all(group, work)
    folder = group.run(run.run_id)
    assert run.validations == 2
    calls = [json.loads(line) for line in folder.validations.read_text().splitlines()]
    assert [call["valid"] for call in calls] == [True, False]
    sample = folder.last_valid.read_bytes()
    assert sample.startswith(b"PassengerId,Transported")
    assert "Submission is valid." in folder.agent_log.read_text()


def test_cancelled_runs_end_and_resume_takes_them_up_again(
    start: Start, write_agent: Writer
) -> None:
    group, work = start(write_agent(COPY_SAMPLE), seeds=2)
    cancel_group(group)
    assert {run.state for run in run_all(group, work)} == {"cancelled"}
    reopen_group(group)
    assert {run.state for run in run_all(group, work)} == {"finished"}


def test_r07_a_changed_plan_or_agent_is_refused(start: Start, write_agent: Writer) -> None:
    agent = write_agent(COPY_SAMPLE)
    group, work = start(agent)
    (agent.folder / "start.sh").write_text("echo other\n")
    with open_tools(work) as tools:
        text = (tools.work.agent.folder / "start.sh").read_text()
        assert text == COPY_SAMPLE, "the agent as it was when the group was planned"
    (work.agent.folder / "start.sh").write_text("echo other\n")
    with pytest.raises(UsageError, match="files changed"), open_tools(work):
        pass
    plan = json.loads(group.metadata.read_text())
    plan["settings"]["hours"] = 99
    group.metadata.write_text(json.dumps(plan))
    with pytest.raises(UsageError, match="was changed"):
        open_group(group)


def test_f04_a_damaged_run_does_not_stop_the_others(start: Start, write_agent: Writer) -> None:
    group, work = start(write_agent(COPY_SAMPLE), seeds=2)
    broken, whole = (run.run_id for run in group.plan.runs)
    group.run(broken).state.write_text('{"state": ')
    run_local(work, jobs=1)
    assert read_run(group.run(whole).state).state == "finished"
    damaged, _ = read_runs(group)
    assert (damaged.planned.run_id, damaged.state, damaged.record) == (broken, "damaged", None)
    assert "run.json is damaged" in str(damaged.problem)


def test_obfuscated_runs_do_not_tell_the_competition(start: Start, write_agent: Writer) -> None:
    group, work = start(write_agent("env; cat /proc/self/mountinfo\n"), obfuscation="L1")
    (run,) = run_all(group, work)
    seen = group.run(run.run_id).agent_log.read_text()
    assert "COMPETITION_ID=competition" in seen
    assert "spaceship" not in seen


def test_groups_are_found_by_name_and_last(start: Start, write_agent: Writer) -> None:
    group, _ = start(write_agent(COPY_SAMPLE))
    runs_dir = group.path.parent
    assert find_group("last", runs_dir).path == group.path
    assert find_group(group.path.name, runs_dir).path == group.path
    with pytest.raises(UsageError, match="the newest are"):
        find_group("nope", runs_dir)
