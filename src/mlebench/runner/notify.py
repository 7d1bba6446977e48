"""Notify people about a group by a webhook or a command; the runs never wait for it."""

from __future__ import annotations

import json
import os
import queue
import shlex
import subprocess
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import msgspec

from mlebench.errors import BenchError, UsageError
from mlebench.gateway.budget import BudgetLog
from mlebench.gateway.settings import Budget
from mlebench.records.group import Launch
from mlebench.records.reasons import without_host_paths, without_keys
from mlebench.records.run import RunRecord
from mlebench.runner.outcomes import describe_outcomes, is_failure
from mlebench.runner.plan import PlannedGroup
from mlebench.runner.statuses import RunStatus, count_states
from mlebench.system.retrying import RetryPolicy, TransientError, retry, retry_after_seconds

SHARE = 0.8
MOST_FAILURES = 5
"""Failed runs that are reported one by one; the last message counts all of them."""

LOOK_SECONDS = 5.0
GRACE_SECONDS = 30.0
"""How long the end of a group may wait for its last message."""

COMMAND_SECONDS = 60.0
POLICY = RetryPolicy(
    tries=5,
    first_wait_seconds=0.5,
    longest_wait_seconds=10,
    deadline_seconds=60,
    timeout_seconds=10,
)
Message = dict[str, Any]


def check_notify(launch: Launch) -> None:
    """Raise UsageError for an address or a command that cannot work, before anything starts."""
    if launch.notify:
        parts = urlsplit(launch.notify)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise UsageError("--notify expects an address such as https://example.org/hook")
    if launch.notify_command is not None:
        try:
            words = shlex.split(launch.notify_command)
        except ValueError as error:
            raise UsageError(f"--notify-command cannot be read: {error}") from None
        if not words:
            raise UsageError("--notify-command is empty")


class Notifier:
    """Sends messages from a thread of its own: at failures, at 80 % of a budget and at the end.

    Args:
        on_problem: called with a sentence if a message could not be delivered.
    """

    def __init__(
        self,
        group: PlannedGroup,
        *,
        policy: RetryPolicy = POLICY,
        on_problem: Callable[[str], None] = lambda text: None,
    ) -> None:
        self._group = group
        self._launch = group.plan.launch
        self._policy = policy
        self._on_problem = on_problem
        self._told: set[str] = set()
        self._next_look = 0.0
        self._queue: queue.Queue[Message | None] = queue.Queue()
        self._thread = threading.Thread(target=self._send_all, daemon=True)
        self.is_active = bool(self._launch.notify or self._launch.notify_command)

    def __enter__(self) -> Notifier:
        if self.is_active:
            self._thread.start()
        return self

    def __exit__(self, *exception: object) -> None:
        if self.is_active:
            self._queue.put(None)
            self._thread.join(GRACE_SECONDS)

    def look(self, runs: Sequence[RunStatus]) -> None:
        """Send what has happened since the last look; cheap, and at most every few seconds."""
        if not self.is_active or time.monotonic() < self._next_look:
            return
        self._next_look = time.monotonic() + LOOK_SECONDS
        for run in runs:
            if run.record and run.record.is_final and is_failure(run.record):
                self._tell_failure(run.record)
        self._look_at_budget(runs)

    def finish(self, runs: Sequence[RunStatus]) -> None:
        """Send the last message: finished, or stopped before all runs had ended."""
        if not self.is_active:
            return
        self._next_look = 0.0
        self.look(runs)
        records = [run.record for run in runs if run.record]
        is_over = all(run.is_final for run in runs)
        ended = sum(record.is_final for record in records)
        text = f"{ended} of {len(runs)} runs ended: {describe_outcomes(records)}"
        self._put("finished" if is_over else "stopped", text, runs)

    def _tell_failure(self, record: RunRecord) -> None:
        failures = sum(name.startswith("failure ") for name in self._told)
        name = f"failure {record.run_id} {record.attempt}"
        if failures >= MOST_FAILURES or name in self._told:
            return
        self._told.add(name)
        reason = without_keys(without_host_paths(record.reason or "no reason is known"))
        where = f"{record.competition_id}, seed {record.seed}"
        facts = {"competition_id": record.competition_id, "seed": record.seed, "reason": reason}
        text = f"{where} failed ({record.blame or 'unknown'}): {reason}"
        self._put("failure", text, (), run=facts | {"blame": record.blame})

    def _look_at_budget(self, runs: Sequence[RunStatus]) -> None:
        limits = self._group.plan.settings.budget.get("group_budget") or {}
        path = self._group.budget
        if not any(limits.values()) or not path.exists():
            return
        budget = msgspec.convert(limits, Budget)
        log = BudgetLog(path, budget)
        try:
            spent = log.spent()
        finally:
            log.close()
        used = {"tokens": spent.tokens, "cost": spent.dollars, "calls": spent.calls}
        for name, amount in used.items():
            limit = getattr(budget, name)
            if limit and amount >= SHARE * limit and f"budget {name}" not in self._told:
                self._told.add(f"budget {name}")
                facts = {"kind": name, "spent": amount, "limit": limit}
                text = f"{amount / limit:.0%} of the budget in {name} is spent or reserved"
                self._put("budget", text, runs, budget=facts)

    def _put(self, event: str, text: str, runs: Sequence[RunStatus], **facts: Any) -> None:
        plan = self._group.plan
        message = {
            "schema": 1,
            "event": event,
            "group": plan.group,
            "agent": without_keys(plan.agent_label),
            "time": datetime.now(UTC).isoformat(timespec="seconds"),
            "text": f"{plan.group}: {text}",
            **facts,
        }
        if runs:
            message["states"] = dict(count_states(runs))
        self._queue.put(message)

    def _send_all(self) -> None:
        for message in iter(self._queue.get, None):
            data = json.dumps(message).encode() + b"\n"
            if self._launch.notify:
                self._try(partial(retry, partial(self._post, data), self._policy))
            if self._launch.notify_command:
                self._try(partial(self._run, data))

    def _try(self, send: Callable[[], None]) -> None:
        # The address may contain a secret, so no message names it.
        try:
            send()
        except (BenchError, OSError, ValueError, subprocess.SubprocessError) as error:
            self._on_problem(f"a notification was not delivered: {_reason(error)}")

    def _post(self, data: bytes) -> None:
        headers = {"Content-Type": "application/json", "User-Agent": "mlebench"}
        request = urllib.request.Request(str(self._launch.notify), data, headers, method="POST")
        try:
            with urllib.request.urlopen(request, timeout=self._policy.timeout_seconds) as answer:
                answer.read(1024)
        except urllib.error.HTTPError as error:
            with error:
                reason = f"the server answers {error.code}"
                if error.code == 429 or error.code >= 500:
                    asked = retry_after_seconds(dict(error.headers))
                    raise TransientError(reason, retry_after=asked, status=error.code) from None
                raise UsageError(reason) from None
        except OSError as error:
            raise TransientError(f"the server cannot be reached: {_reason(error)}") from None

    def _run(self, data: bytes) -> None:
        secret = self._group.plan.settings.gateway.get("api_key_env")
        environment = {name: value for name, value in os.environ.items() if name != secret}
        done = subprocess.run(
            shlex.split(str(self._launch.notify_command)),
            input=data,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=COMMAND_SECONDS,
            env=environment,
            cwd=Path.home(),
        )
        if done.returncode:
            raise UsageError(f"the command ended with exit code {done.returncode}")


def _reason(error: BaseException) -> str:
    if isinstance(error, subprocess.TimeoutExpired):
        return f"no end within {error.timeout:g} s"
    reason = getattr(error, "reason", error)
    return without_keys(str(getattr(reason, "strerror", None) or reason))[:200]
