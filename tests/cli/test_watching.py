"""What a person at a terminal sees of a group, and what Ctrl-C does to it."""

from __future__ import annotations

import json
import re
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from mlebench.catalogue import Catalogue
from mlebench.records.folders import GroupFolder
from mlebench.runner.plan import open_group
from mlebench.runner.statuses import count_states, read_runs
from tests.cli.terminal import Terminal
from tests.command import mlebench

MLEBENCH = (sys.executable, "-m", "mlebench")
SLOW_AGENT = """
cp /home/data/sample_submission.csv /home/submission/submission.csv
bash /home/validate_submission.sh /home/submission/submission.csv
printf 'epoch 17 of 100 \\033[31mred\\n'
sleep 120
"""


@pytest.fixture
def open_terminal(tmp_path: Path) -> Iterator[Callable[..., Terminal]]:
    opened: list[Terminal] = []

    def start(*words: str, **environment: str) -> Terminal:
        opened.append(Terminal([*MLEBENCH, *words], tmp_path, environment))
        return opened[-1]

    yield start
    for terminal in opened:
        terminal.close()


def write_agent(folder: Path, script: str) -> Path:
    folder.mkdir(parents=True)
    (folder / "agent.toml").write_text('name = "slow"\nversion = "1"\n')
    (folder / "start.sh").write_text(script)
    return folder


def group_in(folder: Path) -> GroupFolder:
    (file,) = folder.glob("runs/*/metadata.json")
    return GroupFolder(file.parent)


def states_in(folder: Path) -> dict[str, int]:
    return dict(count_states(read_runs(open_group(group_in(folder)))))


def run_words(agent: Path, data_dir: Path, seeds: int) -> list[str]:
    words = f"run --agent {agent} -c spaceship-titanic --seeds {seeds} -j 2 --data-dir {data_dir}"
    return [*words.split(), "--sandbox", sandbox_here(), "--profile", "small"]


def sandbox_here() -> str:
    from mlebench.sandbox.registry import get_sandbox

    return "bubblewrap" if get_sandbox("bubblewrap").availability().works else "process"


def continuation(screen: str) -> list[str]:
    """The command that is printed for going on."""
    flat = screen.replace("\r\n", "")
    found = re.findall(r"continue: .*?(resume \S*_run-group_\w+)", flat)
    assert found, screen
    return shlex.split(found[-1])


@pytest.mark.timing
def test_live_display_then_ctrl_c_then_resume(
    data_dir: Path, tmp_path: Path, open_terminal: Callable[..., Terminal]
) -> None:
    agent = write_agent(tmp_path / "slow", SLOW_AGENT)
    terminal = open_terminal(*run_words(agent, data_dir, seeds=3))
    shown_when_running = re.compile(r"spaceship-titanic +s[01] +running +\d+ s / \d.*epoch 17.*")
    terminal.read_until(shown_when_running.search)
    shown = shown_when_running.findall(terminal.screen)[-1]
    assert "valid at" in shown
    assert r"\x1b[31m" in shown, "escape sequences of an agent are spelled out"
    assert re.search(r"0 of 3 runs +at most .* left", terminal.screen)

    terminal.press_ctrl_c()
    assert terminal.wait() == 130
    assert "Traceback" not in terminal.screen
    rows = terminal.rows()
    assert not [row for row in rows if "epoch 17" in row or row.startswith("━")], rows
    (stopping,) = (row for row in rows if "stopping: no more runs" in row)
    assert stopping.startswith("stopping:"), "a line of its own above the display"
    assert "0 of 3 runs ended" in terminal.screen
    assert states_in(tmp_path) == {"cancelled": 3}

    # The agent's folder is changed and gone: the group has its own copy, and its options.
    words = continuation(terminal.screen)
    group = group_in(tmp_path)
    copied = group.path / "agent" / "start.sh"
    assert copied.read_text() == SLOW_AGENT
    (agent / "start.sh").write_text("exit 1")
    again = open_terminal(*words)
    again.read_until(lambda screen: "epoch 17 of 100" in screen)
    again.press_ctrl_c()
    assert again.wait() == 130


@pytest.mark.timing
def test_two_presses_end_it_at_once_and_nothing_survives(
    data_dir: Path, tmp_path: Path, open_terminal: Callable[..., Terminal]
) -> None:
    stubborn = "trap '' INT TERM; echo here; while true; do sleep 1; done"
    agent = write_agent(tmp_path / "slow", stubborn)
    terminal = open_terminal(*run_words(agent, data_dir, seeds=2))
    terminal.read_until(lambda screen: "here" in screen)
    watched = mlebench("status", cwd=tmp_path)
    assert "running" in watched.stdout
    terminal.press_ctrl_c()
    terminal.press_ctrl_c()
    start = time.monotonic()
    assert terminal.wait() == 130
    assert time.monotonic() - start < 30
    assert "Traceback" not in terminal.screen
    assert continuation(terminal.screen)
    seen = mlebench("status", "--json", cwd=tmp_path)
    states = json.loads(seen.stdout)["states"]
    assert sum(states.values()) == 2
    assert set(states) <= {"stopped", "cancelled", "planned"}, "nothing is said to be running"
    assert re.search("next: .*mlebench resume", mlebench("status", cwd=tmp_path).stderr)


def test_pipes_get_plain_lines_and_the_first_failure_speaks(data_dir: Path, tmp_path: Path) -> None:
    agent = write_agent(
        tmp_path / "broken", "sleep 0.5; python3 -c 'import no_such_module_anywhere'"
    )
    done = mlebench(*run_words(agent, data_dir, seeds=12), cwd=tmp_path)
    assert done.returncode == 1, done.stderr
    assert "\x1b" not in done.stderr
    assert "No module named 'no_such_module_anywhere'" in done.stderr
    assert done.stderr.count("the first failure is") == 1
    assert "failed in the same way" in done.stderr
    assert "--keep-going" in done.stderr
    states = states_in(tmp_path)
    assert states["finished"] >= 3
    assert states["cancelled"] >= 1


@pytest.mark.long
def test_keep_going_starts_all(data_dir: Path, tmp_path: Path) -> None:
    agent = write_agent(tmp_path / "broken", "exit 7")
    done = mlebench(*run_words(agent, data_dir, seeds=5), "--keep-going", cwd=tmp_path)
    assert done.returncode == 1
    assert "5 failed (agent)" in done.stderr
    assert states_in(tmp_path) == {"finished": 5}


@pytest.mark.parametrize(
    ("script", "word"),
    [("true", "no submission"), ("echo nonsense > /home/submission/submission.csv", "invalid")],
)
def test_nothing_valid_is_exit_3(script: str, word: str, data_dir: Path, tmp_path: Path) -> None:
    agent = write_agent(tmp_path / "useless", script)
    done = mlebench(*run_words(agent, data_dir, seeds=1), cwd=tmp_path)
    assert done.returncode == 3, done.stderr
    assert f"1 {word}" in done.stderr


@pytest.mark.long
def test_an_agent_may_be_in_the_folder_of_its_runs(data_dir: Path, tmp_path: Path) -> None:
    copy = "cp /home/data/sample_submission.csv /home/submission/submission.csv"
    agent = write_agent(tmp_path / "agent", copy)
    words = run_words(Path(), data_dir, seeds=1)
    for _ in range(2):
        done = mlebench(*words, cwd=agent)
        assert done.returncode == 0, done.stderr
    digests = {
        json.loads(f.read_text())["agent_digest"] for f in agent.glob("runs/*/metadata.json")
    }
    assert len(digests) == 1, "earlier runs are not part of the agent"


@pytest.mark.timing
def test_ctrl_c_while_preparing(tmp_path: Path, open_terminal: Callable[..., Terminal]) -> None:
    words = ["prepare", "--all", "--rehearsal", "--data-dir", "data", "-j", "2"]
    terminal = open_terminal(*words)
    terminal.read_until(lambda screen: screen.count("ok  ") >= 2)
    terminal.press_ctrl_c()
    start = time.monotonic()
    assert terminal.wait() == 130
    assert time.monotonic() - start < 30
    rows = terminal.rows()
    assert sum(row.startswith("ok    ") for row in rows) >= 2
    assert not [row for row in rows if "━" in row], "the bars are gone, and on no other line"
    flat = terminal.screen.replace("\r\n", " ")
    assert "competitions done and kept" in flat
    assert "prepare --all --rehearsal --data-dir data -j 2" in flat
    assert "Traceback" not in flat
    prepared = list(tmp_path.glob("data/*/prepared/manifest.json"))
    assert len(prepared) >= 2
    catalogue = Catalogue(tmp_path / "data")
    for file in prepared:
        assert catalogue.get_competition(file.parents[1].name).public_dir.is_dir()


@pytest.mark.long
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_validation_server_in_the_background_ends_by_a_signal(
    number: signal.Signals, data_dir: Path
) -> None:
    words = ["serve", "-c", "spaceship-titanic", "--port", "0", "--data-dir", str(data_dir)]
    process = subprocess.Popen(
        [*MLEBENCH, *words],
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN),
    )
    try:
        words = "validating spaceship-titanic, revision v1, on"
        assert process.stderr and words in process.stderr.readline()
        time.sleep(0.5)
        process.send_signal(number)
        assert process.wait(30) == 0
        assert "Traceback" not in process.stderr.read()
    finally:
        process.kill()
        process.wait()
        if process.stderr:
            process.stderr.close()


def test_synthetic_data_is_marked_wherever_numbers_are(data_dir: Path, tmp_path: Path) -> None:
    copy = "cp /home/data/sample_submission.csv /home/submission/submission.csv"
    agent = write_agent(tmp_path / "agent", copy)
    done = mlebench(*run_words(agent, data_dir, seeds=1), "--name", "mine", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "REHEARSAL: the data is synthetic" in done.stderr
    assert "1 run of mine" in done.stderr
    assert "rehearsal" in mlebench("status", cwd=tmp_path).stderr
    assert "\trehearsal\t" in mlebench("runs", cwd=tmp_path).stdout
    listed = mlebench("list", "--prepared", "--data-dir", str(data_dir), cwd=tmp_path)
    assert listed.stdout.count("\trehearsal") == 2
    report = mlebench("report", "last", cwd=tmp_path)
    assert "REHEARSAL: 1 of 1 attempts" in report.stderr


def test_a_paid_model_on_synthetic_data_needs_a_yes(
    data_dir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-never-used")
    agent = write_agent(tmp_path / "agent", "true")
    words = [*run_words(agent, data_dir, seeds=1), "--model", "gpt-4.1", "--plan-only"]
    refused = mlebench(*words, cwd=tmp_path)
    assert refused.returncode == 1
    assert "all data is synthetic" in refused.stderr
    assert not (tmp_path / "runs").exists()
    assert mlebench(*words, "--yes", cwd=tmp_path).returncode == 0


def test_hints_work_as_they_are_printed(data_dir: Path, tmp_path: Path) -> None:
    done = mlebench("prepare", "-c", "starter-wine", "--data-dir", "data", cwd=tmp_path)
    hint = re.search(r"next: (.*)", done.stderr)
    assert hint, done.stderr
    again = subprocess.run(shlex.split(hint[1]), cwd=tmp_path, capture_output=True, text=True)
    assert again.returncode == 0, again.stderr
