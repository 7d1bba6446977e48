"""Runs with a model, from sandbox to grade: key, budget, blame, replay, the commands."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from mlebench.agents.base import AgentPackage, load_agent
from mlebench.catalogue import Catalogue
from mlebench.gateway.settings import Budget, GatewaySettings
from mlebench.records.folders import GroupFolder
from mlebench.records.run import RunRecord
from mlebench.runner.group import RunRequest, start_group, work_on
from mlebench.runner.statuses import read_records
from tests.command import mlebench
from tests.gateway import provider as behave
from tests.gateway.conftest import KEY
from tests.gateway.provider import Provider
from tests.sandbox.conftest import require_sandbox

ASK = """
import json, os, shutil, urllib.error, urllib.request
from pathlib import Path

shutil.copy("/home/data/sample_submission.csv", "/home/submission/submission.csv")
log = Path("/home/logs/seen.txt").open("a")
for file in Path("/proc").glob("[0-9]*/*"):
    if file.name in ("environ", "cmdline"):
        try:
            log.write(file.read_bytes().decode("utf-8", "replace") + "\\n")
        except OSError:
            pass
body = {
    "model": os.environ["MLEBENCH_MODEL"],
    "messages": [{"role": "user", "content": "hello"}],
}
request = urllib.request.Request(
    os.environ["OPENAI_BASE_URL"] + "/chat/completions",
    json.dumps(body).encode(),
    {"Authorization": "Bearer " + os.environ["OPENAI_API_KEY"]},
)
for _ in range(CALLS):
    try:
        with urllib.request.urlopen(request) as reply:
            log.write(reply.read().decode() + "\\n")
    except urllib.error.HTTPError as error:
        log.write(error.read().decode() + "\\n")
"""
Run = Callable[..., tuple[GroupFolder, list[RunRecord]]]


@pytest.fixture
def asker(tmp_path: Path) -> AgentPackage:
    folder = tmp_path / "asker"
    folder.mkdir()
    (folder / "ask.py").write_text(ASK.replace("CALLS", "3"))
    (folder / "agent.toml").write_text(
        'name = "asker"\nversion = "1"\nneeds_model = true\n'
        'command = ["python3", "/opt/agent/ask.py"]\n'
    )
    return load_agent(folder)


@pytest.fixture
def run_group(
    prepared: Catalogue,
    tmp_path: Path,
    provider: Provider,
    asker: AgentPackage,
    monkeypatch: pytest.MonkeyPatch,
) -> Run:
    require_sandbox("bubblewrap")

    def run(seeds: int = 1, jobs: int = 1, **changes: Any) -> tuple[GroupFolder, list[RunRecord]]:
        monkeypatch.setenv("MY_KEY", KEY)
        facts = {"model": "stand-in", "base_url": provider.url, "attempts": 2}
        gateway = asdict(GatewaySettings(**(facts | changes))) | {"api_key_env": "MY_KEY"}
        request = RunRequest(sandbox="bubblewrap", seeds=seeds, profile="small", gateway=gateway)
        ids = ["spaceship-titanic"]
        group, work = start_group(prepared, asker, ids, request, tmp_path / "runs")
        work_on(work, jobs=jobs)
        if "replay" not in changes:
            assert "MY_KEY" not in os.environ
        runs = read_records(group)
        assert len(runs) == seeds
        return group, runs

    return run


def everything(folder: Path) -> str:
    files = [file for file in folder.rglob("*") if file.is_file()]
    return "\n".join(file.read_text("utf-8", "replace") for file in files)


def test_a_run_with_a_model(run_group: Run, provider: Provider) -> None:
    provider.default = behave.echo
    group, (run,) = run_group()
    assert (run.state, run.blame) == ("finished", None)
    assert (run.model.calls, run.model.input_tokens) == (3, 300)
    text = everything(group.path)
    assert "[removed]" in text
    for trace in (KEY, KEY[8:16], KEY[-8:]):
        assert trace not in text
    throw_away = (group.path / run.run_id / "logs" / "seen.txt").read_text()
    assert "OPENAI_API_KEY=mlebench-" in throw_away
    sent = {dict(seen["headers"])["Authorization"] for seen in provider.seen}
    assert sent == {f"Bearer {KEY}"}


def test_two_runs_share_a_budget(run_group: Run, provider: Provider) -> None:
    _, runs = run_group(seeds=2, jobs=2, group_budget=Budget(calls=4))
    assert len(provider.seen) == 4
    assert sum(run.model.calls for run in runs) == 4
    assert "budget" in {run.blame for run in runs}
    assert {run.state for run in runs} == {"finished"}


def test_a_provider_that_refuses_the_key_is_nobodys_result(
    run_group: Run, provider: Provider
) -> None:
    provider.default = behave.status(401)
    _, (run,) = run_group()
    assert (run.state, run.blame) == ("failed", "infrastructure")
    assert "the model provider failed: key" in (run.reason or "")
    assert run.score is None


def test_a_replay_needs_neither_key_nor_provider(run_group: Run, provider: Provider) -> None:
    group, _ = run_group()
    asked = provider.contacts
    _, (run,) = run_group(base_url="", replay=str(group.path))
    assert (run.state, run.model.answered, run.model.is_replay) == ("finished", 3, True)
    assert provider.contacts == asked


def test_mistakes_of_the_user_are_one_line(
    asker: AgentPackage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    words = ("run", "--agent", str(asker.folder), "-c", "spaceship-titanic")
    done = mlebench(*words)
    assert done.returncode == 2
    assert "needs a model: --model NAME" in done.stderr
    done = mlebench(*words, "--model", "new-model", "--max-cost", "5")
    assert done.returncode == 1
    assert "price of new-model is unknown" in done.stderr
    done = mlebench("gateway", "--model", "gpt-4.1", "--folder", str(tmp_path / "g"))
    assert done.returncode == 1
    assert "OPENAI_API_KEY is empty" in done.stderr


def test_the_gateway_on_its_own(provider: Provider, tmp_path: Path) -> None:
    import httpx

    words = ["--model", "stand-in", "--base-url", provider.url, "--port", "0", "--json"]
    process = subprocess.Popen(
        [sys.executable, "-m", "mlebench", "gateway", *words, "--folder", str(tmp_path / "g")],
        env={"PATH": os.environ["PATH"], "OPENAI_API_KEY": KEY},
        stdout=subprocess.PIPE,
        text=True,
        # As a shell starts a background job.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN),
    )
    try:
        assert process.stdout
        facts = json.loads(process.stdout.readline())
        assert facts["schema"] == 1
        body = {"model": "stand-in", "messages": [{"role": "user", "content": "hello"}]}
        headers = {"Authorization": f"Bearer {facts['api_key']}"}
        url = f"{facts['base_url']}/chat/completions"
        with httpx.Client(trust_env=False) as client:
            assert client.post(url, json=body, headers=headers).status_code == 200
            assert client.post(url, json=body).status_code == 401
    finally:
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 0
        if process.stdout:
            process.stdout.close()
    lines = (tmp_path / "g" / "trajectory.jsonl").read_text().splitlines()
    kinds = [json.loads(line)["kind"] for line in lines]
    assert kinds == ["open", "start", "exchange", "refused", "close"]
    assert json.loads(lines[3])["status"] == 401
    assert KEY not in everything(tmp_path / "g")


def test_a_machine_far_from_the_harness_has_a_gateway_of_its_own(
    provider: Provider, tmp_path: Path
) -> None:
    """As on a node of a cluster: the key is in the node's environment, the budget log is shared."""
    code = (
        "import sys, tempfile\n"
        "from pathlib import Path\n"
        "from mlebench.gateway.settings import Budget, GatewaySettings\n"
        "from mlebench.runner.model import GatewayClient\n"
        "from mlebench.records.folders import RunFolder\n"
        "from mlebench.records.run import RunRecord\n"
        "record = RunRecord('r', 'g', 'spaceship-titanic', 'asker', 0, 'running')\n"
        "folder = Path(sys.argv[2])\n"
        "settings = GatewaySettings(model='stand-in', base_url=sys.argv[1])\n"
        "endpoint = GatewayClient(Path('/far/c.sock'), settings, folder / 'b.jsonl', 'MY_KEY')\n"
        "for name in ('a', 'b'):\n"
        "    with endpoint(record, RunFolder(folder), Path(tempfile.mkdtemp())) as opened:\n"
        "        print(opened.close().calls)\n"
    )
    (tmp_path / "host").mkdir()
    for key, expected in ((KEY, "0 0"), ("", "")):
        done = subprocess.run(
            [sys.executable, "-c", code, "https://provider.invalid/v1", str(tmp_path)],
            env={"PATH": os.environ["PATH"], "MY_KEY": key},
            capture_output=True,
            text=True,
        )
        assert done.stdout.split() == expected.split(), done.stderr
    assert "no model gateway on this machine: the variable MY_KEY is empty" in done.stderr
