"""Notifications: what is told when, retried, redacted, and never in the way of the runs."""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Iterator
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

from mlebench.errors import UsageError
from mlebench.gateway.budget import BudgetLog
from mlebench.gateway.prices import Amount
from mlebench.gateway.settings import Budget
from mlebench.records.group import Launch
from mlebench.records.run import write_run
from mlebench.runner import notify
from mlebench.runner.notify import Notifier, check_notify
from mlebench.runner.plan import PlannedGroup, open_group
from mlebench.runner.statuses import read_runs
from mlebench.system.retrying import RetryPolicy
from tests.command import mlebench
from tests.results.made_runs import make_group
from tests.waiting import wait_for

QUICK = RetryPolicy(tries=3, first_wait_seconds=0.01, longest_wait_seconds=0.02, timeout_seconds=30)
KEY = "sk-proj-abcdefghijklmnop1234"
BUDGETS = {"group_budget": {"cost": 10.0, "calls": None, "tokens": None}}


class Hook(ThreadingHTTPServer):
    """Keeps every body; answers with the planned statuses, then with 200."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), HookHandler)
        self.statuses: list[int] = []
        self.bodies: list[dict[str, Any]] = []
        self.may_answer = threading.Event()
        self.may_answer.set()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/hook/secret-token"


class HookHandler(BaseHTTPRequestHandler):
    server: Hook

    def do_POST(self) -> None:
        data = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.may_answer.wait(60)
        status = self.server.statuses.pop(0) if self.server.statuses else 200
        if status == 200:
            self.server.bodies.append(json.loads(data))
        self.send_response(status)
        self.end_headers()

    def log_message(self, format: str, *words: object) -> None:
        """Print nothing."""


@pytest.fixture
def hook(monkeypatch: pytest.MonkeyPatch) -> Iterator[Hook]:
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    with Hook() as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
        thread.start()
        yield server
        server.shutdown()


def planned(folder: Path, outcomes: list[str], **launch: str) -> PlannedGroup:
    ids = ["spaceship-titanic", "leaf-classification", "AI4Code"]
    seeds = -(-len(outcomes) // len(ids))
    settings = {"budget": BUDGETS, "gateway": {"api_key_env": "THE_KEY"}}
    made = make_group(
        folder, "aide", ids, seeds=seeds, outcomes=outcomes, slim=True, settings=settings
    )
    group = open_group(made)
    return replace(group, plan=structs.replace(group.plan, launch=Launch(**launch)))


def work(group: PlannedGroup, **more: Any) -> list[str]:
    """Look once and finish; returns the problems."""
    problems: list[str] = []
    with Notifier(group, policy=QUICK, on_problem=problems.append, **more) as notifier:
        notifier.look(list(read_runs(group)))
        notifier.finish(list(read_runs(group)))
    return problems


def test_failures_a_budget_and_the_end_are_told(hook: Hook, tmp_path: Path) -> None:
    group = planned(tmp_path, ["gold", "failed", "below"], notify=hook.url)
    log = BudgetLog(group.budget, Budget())
    log.reserve("run", Budget(), Amount(nano_dollars=8_100_000_000))
    log.close()
    (failed,) = [r.record for r in read_runs(group) if r.record and r.record.state == "failed"]
    reason = f"{tmp_path}/secret/place broke: {KEY}"
    write_run(structs.replace(failed, reason=reason), group.run(failed.run_id).state)
    assert work(group) == []
    assert [body["event"] for body in hook.bodies] == ["failure", "budget", "finished"]
    failure, budget, end = hook.bodies
    assert failure["run"]["competition_id"] == "leaf-classification"
    assert "broke" in failure["text"]
    assert budget["budget"] == {"kind": "cost", "spent": 8.1, "limit": 10.0}
    assert end["text"].startswith(f"{group.plan.group}: 3 of 3 runs ended: 1 medals")
    assert end["states"] == {"finished": 2, "failed": 1}
    for secret in (KEY, str(tmp_path), "THE_KEY", "secret-token"):
        assert secret not in json.dumps(hook.bodies)


def test_below_eighty_percent_nothing_is_told_and_only_few_failures(
    hook: Hook, tmp_path: Path
) -> None:
    group = planned(tmp_path, ["failed"] * 9, notify=hook.url)
    log = BudgetLog(group.budget, Budget())
    log.reserve("run", Budget(), Amount(nano_dollars=7_900_000_000))
    log.close()
    work(group)
    events = [body["event"] for body in hook.bodies]
    assert events == ["failure"] * notify.MOST_FAILURES + ["finished"]


def test_a_group_that_was_stopped_says_so(hook: Hook, tmp_path: Path) -> None:
    work(planned(tmp_path, ["gold", "planned", "planned"], notify=hook.url))
    assert [body["event"] for body in hook.bodies] == ["stopped"]
    assert "1 of 3 runs ended" in hook.bodies[0]["text"]


def test_a_failing_server_is_tried_again(hook: Hook, tmp_path: Path) -> None:
    hook.statuses = [503, 429]
    group = planned(tmp_path, ["gold"], notify=hook.url)
    assert work(group) == []
    assert len(hook.bodies) == 1


@pytest.mark.parametrize(
    ("statuses", "message"), [([404], "answers 404"), ([500] * 9, "answers 500; gave up after 3")]
)
def test_a_message_that_is_not_delivered_is_one_sentence_without_the_address(
    hook: Hook, tmp_path: Path, statuses: list[int], message: str
) -> None:
    hook.statuses = statuses
    (problem,) = work(planned(tmp_path, ["gold"], notify=hook.url))
    assert problem.startswith("a notification was not delivered: the server ")
    assert message in problem and "secret-token" not in problem


def test_nobody_answers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    (problem,) = work(planned(tmp_path, ["gold"], notify="http://127.0.0.1:9/"))
    assert "the server cannot be reached" in problem


def test_a_slow_server_does_not_hold_the_runs_up(
    hook: Hook, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hook.may_answer.clear()
    monkeypatch.setattr(notify, "GRACE_SECONDS", 0.2)
    group = planned(tmp_path, ["failed", "failed", "failed"], notify=hook.url)
    runs = list(read_runs(group))
    with Notifier(group, policy=QUICK) as notifier:
        notifier.look(runs)
        notifier.finish(runs)
    assert hook.bodies == []  # The end was reached although nothing was answered yet.
    hook.may_answer.set()
    wait_for(lambda: hook.bodies, 60)


def test_a_command_gets_the_json_and_not_the_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("THE_KEY", KEY)
    out = tmp_path / "told.txt"
    program = tmp_path / "tell.py"
    program.write_text(
        f"import os, sys; open({str(out)!r}, 'a').write(sys.stdin.read() + "
        "os.environ.get('THE_KEY', 'no key') + '\\n')"
    )
    group = planned(tmp_path, ["gold"], notify_command=f"{sys.executable} {program}")
    assert work(group) == []
    assert '"event": "finished"' in out.read_text() and "no key" in out.read_text()
    broken = planned(tmp_path / "b", ["gold"], notify_command=f"{sys.executable} -c 'exit(3)'")
    assert work(broken) == ["a notification was not delivered: the command ended with exit code 3"]
    missing = planned(tmp_path / "c", ["gold"], notify_command="/none/such-program")
    assert "not delivered: No such file" in work(missing)[0]


@pytest.mark.parametrize(
    "launch",
    [
        {"notify": "ftp://x/"},
        {"notify": "nonsense"},
        {"notify_command": "'"},
        {"notify_command": ""},
    ],
)
def test_what_cannot_work_is_refused_before_the_start(launch: dict[str, str]) -> None:
    with pytest.raises(UsageError, match="--notify"):
        check_notify(Launch(**launch))


def test_the_plan_keeps_the_options_for_resume(
    hook: Hook, data_dir: Path, tmp_path: Path, sandbox: str
) -> None:
    words = ["--agent", "dummy", "-c", "spaceship-titanic", "--sandbox", sandbox]
    words += ["--data-dir", str(data_dir), "--notify", hook.url]
    places = ["--runs-dir", tmp_path / "runs"]
    done = mlebench("run", *words, "--plan-only", *places)
    assert done.returncode == 0 and hook.bodies == []
    done = mlebench("resume", *places)
    assert done.returncode == 0, done.stderr
    assert [body["event"] for body in hook.bodies] == ["finished"]
