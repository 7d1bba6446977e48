"""Episodes in warm sandboxes: actions, ends, rewards, logs, seeds."""

from __future__ import annotations

import asyncio
import os
import signal
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from mlebench.catalogue import Catalogue
from mlebench.errors import UsageError
from mlebench.gym import (
    Episode,
    EpisodeLimits,
    GymTask,
    Info,
    Read,
    Restart,
    Run,
    Submit,
    Validate,
    Write,
    find_task,
)
from mlebench.gym.files import PathRefused
from mlebench.records.episode import read_episode
from mlebench.records.ledger import read_ledger
from tests.gym.conftest import LIMITS, SAMPLE, Ground

PERFECT = """
import pandas as pd
rows = pd.read_csv("/home/data/sample_submission.csv")
train = pd.read_csv("/home/data/train.csv")
test = pd.read_csv("/home/data/test.csv")
from sklearn.linear_model import LogisticRegression
columns = [name for name in test.columns if name != "id"]
mean, spread = train[columns].mean(), train[columns].std()
model = LogisticRegression(max_iter=300).fit((train[columns] - mean) / spread, train["cultivar"])
found = pd.DataFrame(model.predict_proba((test[columns] - mean) / spread), columns=model.classes_)
found.insert(0, "id", test["id"])
found.to_csv("/home/submission/submission.csv", index=False)
"""


def test_a_whole_episode(warm: Ground, task: GymTask) -> None:
    results = warm.play(
        task,
        Info("data"),
        Read("/home/data/train.csv", 0, 20),
        Run(code="print(6 * 7)"),
        Run(command="echo $((6 * 7)); exit 3"),
        Write("/home/code/note.txt", "größer\n"),
        Read("/home/code/note.txt"),
        Validate(),
        Run(code=SAMPLE),
        Validate(),
        Submit(),
        reward="human_rank",
    )
    texts = [result.observation.text for result in results]
    assert "/home/data/train.csv" in texts[0]
    assert texts[1].startswith("id,") or texts[1].startswith("alcohol")
    assert texts[2] == "42\n"
    assert texts[3] == "42\n[exit code 3]"
    assert texts[5] == "größer\n"
    statuses = [result.observation.status for result in results]
    assert statuses == "ok ok ok failed ok ok refused ok ok submitted".split()
    assert [result.observation.step for result in results] == list(range(1, 11))
    assert [result.observation.validation for result in results[-2:]] == ["valid", "valid"]
    assert [result.terminated for result in results] == [False] * 9 + [True]
    assert not any(result.truncated for result in results)
    assert [result.reward for result in results[:-1]] == [0.0] * 9
    assert 0 <= results[-1].reward <= 1
    assert results[-1].info == {"end": "submitted", "blame": None, "reward": "human_rank@1"}


LIVING = """
import os, pathlib
def state(pid):
    try: return pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError: return "X"
others = [p for p in os.listdir("/proc") if p.isdigit() and p not in ("1", str(os.getpid()))]
print([pid for pid in others if state(pid) not in "ZX"])
"""
"""Other processes than the first one, which may be about to collect dead ones, and itself."""


def test_files_stay_and_processes_do_not(warm: Ground, task: GymTask) -> None:
    left, kept, living, _, gone = warm.play(
        task,
        Run(
            code="import os, subprocess, sys\nopen('/home/agent/x', 'w').write('kept')\n"
            "subprocess.Popen(['sleep', '1000'], start_new_session=True)\n"
            "if os.fork() == 0:\n    os.setsid()\n    __import__('time').sleep(1000)"
        ),
        Run(command="cat x"),
        Run(code=LIVING),
        Restart(),
        Read("x"),
    )
    assert left.observation.status == "ok"
    assert kept.observation.text == "kept"
    assert living.observation.text == "[]\n"
    assert gone.observation.status == "refused"


def test_programs_have_no_privileges(warm: Ground, task: GymTask) -> None:
    (result,) = warm.play(task, Run(command="cat /proc/self/status; id -u; ls /home; env"))
    facts = dict(
        line.split(":\t", 1) for line in result.observation.text.splitlines() if ":\t" in line
    )
    for name in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"):
        assert int(facts[name], 16) == 0, name
    assert facts["NoNewPrivs"] == "1"
    assert facts["Seccomp"] == "2"
    assert "\n1000\n" in result.observation.text


def test_limits_end_runs_and_not_episodes(warm: Ground, task: GymTask) -> None:
    results = warm.play(
        task,
        Run(code="while True: pass", seconds=0.5),
        # Where the kernel has no limit of memory, it is measured now and then.
        Run(code="import time\nx = bytearray(b'x') * (900 << 20)\ntime.sleep(1000)"),
        Run(code="open('/home/agent/big', 'wb').write(bytes(80 << 20))"),
        Run(
            code="import os, time\nn = 0\n"
            "try:\n    while True:\n        if os.fork() == 0: time.sleep(30)\n        n += 1\n"
            "except OSError: print(n)"
        ),
        Run(code="print('alive')"),
    )
    statuses = [result.observation.status for result in results]
    assert statuses == ["timeout", "memory", "failed", "ok", "ok"]
    assert int(results[3].observation.text) < LIMITS.processes
    assert results[4].observation.text == "alive\n"
    assert not any(result.terminated or result.truncated for result in results)


def test_long_output_is_cut(warm: Ground, task: GymTask) -> None:
    code = "print('A' * 9); print('x' * 3_000_000); print('Z' * 9)"
    (result,) = warm.play(task, Run(code=code))
    text = result.observation.text
    assert len(text.encode()) <= 16_000
    assert text.startswith("A" * 9)
    assert text.rstrip().endswith("Z" * 9)


def test_steps_and_time_truncate(warm: Ground, task: GymTask) -> None:
    few = EpisodeLimits(**{**vars(LIMITS), "steps": 2})
    first, last = warm.play(task, Info(), Info(), limits=few)
    assert (first.terminated, first.truncated) == (False, False)
    assert (last.terminated, last.truncated, last.info["end"]) == (False, True, "steps")
    short = EpisodeLimits(**{**vars(LIMITS), "seconds": 3, "clock": "virtual"})
    results = warm.play(task, *[Run(code="pass")] * 3, limits=short)
    assert [result.observation.seconds_left for result in results] == ["most", "half", "none"]
    assert [result.truncated for result in results] == [False, False, True]
    assert results[-1].info["end"] == "time"


def test_an_ended_episode_takes_no_action(warm: Ground, task: GymTask) -> None:
    with pytest.raises(UsageError, match="call reset"):
        warm.play(task, Submit(), Info())


def test_dense_rewards_sum_to_the_final_one(warm: Ground, task: GymTask) -> None:
    actions = [Run(code=SAMPLE), Run(code=PERFECT), Run(code="pass"), Submit()]
    dense = warm.play(task, *actions, reward="improvement")
    sparse = warm.play(task, *actions, reward="normalised")
    assert [result.reward for result in sparse[:3]] == [0.0] * 3
    assert dense[0].reward == 0.0  # the sample is where the scale begins
    assert dense[1].reward > 0.5
    assert dense[2].reward == dense[3].reward == 0.0
    assert sum(result.reward for result in dense) == pytest.approx(sparse[3].reward)
    (trial,) = warm.play(
        task, {"kind": "validate_code", "code": PERFECT}, reward="improvement+valid"
    )
    assert trial.reward == 0.0


def test_invalid_submissions_are_worth_nothing(warm: Ground, task: GymTask) -> None:
    for text in ("", "id,nonsense\n1,2\n", "x" * 100_000):
        write = Write("/home/submission/submission.csv", text)
        results = warm.play(task, write, Validate(), Submit(), reward="human_rank+valid")
        assert [result.reward for result in results] == [0.0] * 3
        assert results[1].observation.validation == "invalid"
        assert results[2].terminated
    (nothing,) = warm.play(task, Submit())
    assert (nothing.reward, nothing.terminated) == (0.0, True)


def test_links_are_not_followed(warm: Ground, task: GymTask) -> None:
    code = (
        "import os\nos.symlink('/etc/passwd', '/home/agent/link')\nos.mkfifo('/home/agent/pipe')\n"
        "os.symlink('/etc', '/home/agent/folder')\n"
        "os.symlink('/home/data/sample_submission.csv', '/home/submission/submission.csv')"
    )
    results = warm.play(
        task,
        Run(code=code),
        Read("link"),
        Read("pipe"),
        Read("folder/passwd"),
        Write("link", "x"),
        Write("folder/x", "x"),
        Write("/home/data/x", "x"),
        Validate(),
        Submit(),
    )
    assert [result.observation.status for result in results[1:8]] == ["refused"] * 7
    assert results[-1].reward == 0.0


def test_the_same_seed_and_actions_give_the_same_results(warm: Ground, task: GymTask) -> None:
    code = (
        "import random, numpy, os\nprint(random.random(), numpy.random.rand(2), os.getpid(),"
        " {'a', 'b', 'c'}, object())"
    )
    actions = [
        Info(),
        Run(code=code),
        Run(code=SAMPLE),
        Run(command="ls -d /proc/[0-9]*"),
        Submit(),
    ]
    first = warm.play(task, *actions, seed=7)
    for _ in range(4):
        assert warm.play(task, *actions, seed=7) == first
    assert warm.play(task, *actions, seed=8)[1] != first[1]


def test_the_log_has_everything(warm: Ground, task: GymTask, tmp_path: Path) -> None:
    warm.play(task, Info(), Run(code=SAMPLE), Submit(), logs=tmp_path, reward="medal", seed=3)
    warm.play(task, Info(), logs=tmp_path)
    records = [read_episode(path) for path in tmp_path.iterdir()]
    record = next(record for record in records if record.end and record.end.reason == "submitted")
    assert record.reset.competition_id == task.id
    assert (record.reset.reward, record.reset.seed, record.reset.split) == ("medal@1", 3, "train")
    assert [step.action["kind"] for step in record.steps] == ["info", "run", "submit"]
    assert record.steps[1].seconds > 0
    assert record.end is not None
    assert record.end.steps == 3
    assert record.end.total_reward == record.steps[2].reward
    assert {record.end.reason for record in records if record.end} == {"submitted", "closed"}


def test_an_evaluation_must_be_asked_for_and_leaves_an_entry(
    warm: Ground, wines: Catalogue, evaluation: GymTask, tmp_path: Path
) -> None:
    with pytest.raises(UsageError, match="evaluate=True"):
        find_task("starter-wine", catalogue=wines, split="test")
    with pytest.raises(UsageError, match="ledger"):
        Episode(evaluation, services=warm.services)
    options: dict[str, Any] = {"reward": "improvement+valid", "logs": tmp_path}
    results = warm.play(evaluation, Run(code=SAMPLE), Validate(), Submit(), **options)
    assert [result.reward for result in results[:2]] == [0.0, 0.0]  # nothing before the end
    ledger = read_ledger(tmp_path / "ledger.jsonl")
    assert not ledger.problems
    (entry,) = ledger.entries
    assert entry.valid
    # Uniform probabilities over three classes: a log loss of ln 3.
    assert entry.score == pytest.approx(1.09861, abs=1e-5)


def test_training_does_not_see_the_test_part(
    warm: Ground, task: GymTask, evaluation: GymTask
) -> None:
    read = Run(command="cat /home/data/test.csv")
    trained, tested = (warm.play(each, read)[0].observation.text for each in (task, evaluation))
    rows = set(tested.splitlines()[1:])
    assert rows
    assert not rows & set(trained.splitlines())


async def _lose(episode: Episode, pid: int) -> Any:
    await episode.reset()
    box = episode._workspace._box  # type: ignore[union-attr]
    children = {"init": box.init, "monitor": _parent(box.init)}
    code = "import time\nopen('started', 'w').close()\ntime.sleep(1000)"
    running = asyncio.create_task(episode.step(Run(code=code)))
    while True:
        with suppress(PathRefused):
            episode._workspace.read("started", 0, 1)  # type: ignore[union-attr]
            break
        await asyncio.sleep(0.01)
    os.kill(children["monitor"], pid)
    return await running


def _parent(pid: int) -> int:
    return int(Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()[1])


def test_a_lost_sandbox_truncates_without_a_reward(warm: Ground, task: GymTask) -> None:
    episode = warm.episode(task)
    result = warm.run(_lose(episode, signal.SIGKILL))
    assert result.reward is None
    assert (result.terminated, result.truncated) == (False, True)
    assert result.info["blame"] == "infrastructure"
    assert result.observation.status == "lost"
    warm.run(episode.close())
    (alive,) = warm.play(task, Run(code="print('other episodes go on')"))
    assert alive.observation.status == "ok"


def test_a_program_that_ends_its_sandbox_is_to_blame(warm: Ground, task: GymTask) -> None:
    """With ptrace a program can end the first process, which has its uid."""
    code = """
import ctypes, os, signal, time
libc = ctypes.CDLL(None, use_errno=True)
ATTACH, KILL = 16, 8
if libc.ptrace(ATTACH, 1, 0, 0) == 0:
    os.waitpid(1, 0x40000000)
    libc.ptrace(KILL, 1, 0, 0)
print(os.strerror(ctypes.get_errno()))
time.sleep(1)
"""
    (result,) = warm.play(task, Run(code=code))
    assert result.info["blame"] in ("policy", None)
    assert result.reward == 0.0


def test_the_plain_workspace_does_the_same(plain: Ground, task: GymTask) -> None:
    results = plain.play(
        task,
        Run(code="print(6 * 7)"),
        Run(code=SAMPLE),
        Read("/home/submission/submission.csv", 0, 3),
        Write("/home/code/x", "y"),
        Read("/home/code/x"),
        Validate(),
        Submit(),
    )
    assert [result.observation.status for result in results] == ["ok"] * 6 + ["submitted"]
    assert results[0].observation.text == "42\n"
    assert results[2].observation.text.startswith("id,")
    assert results[4].observation.text == "y"
