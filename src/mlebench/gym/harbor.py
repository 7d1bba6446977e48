"""Tasks for harbor: one folder per competition, scored against its hold-out.

<DIR>/<competition>/
  instruction.md            what to do
  task.toml                 limits
  environment/Dockerfile    an image with the public data in /home/data
  environment/data/         the public part of the hold-out
  solution/solve.sh         hands in the sample submission, for harbor's agent `oracle`;
                            not where the sample is not public
  tests/test.sh             grades, and writes /logs/verifier/reward.txt
  tests/data/               the answers of the hold-out; harbor uploads `tests` after the agent
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import tomli_w

from mlebench.catalogue import Catalogue, LocatedCompetition
from mlebench.errors import BenchError, UsageError
from mlebench.gym.files import SUBMISSION
from mlebench.gym.grader import RewardJudge
from mlebench.gym.holdout import HoldoutFolder, ensure_holdout, locate_holdout
from mlebench.gym.limits import EpisodeLimits
from mlebench.gym.rewards import VALID_REWARD, parse_reward
from mlebench.gym.tasks import at_revision, find_task
from mlebench.gym.texts import task_text

REWARD_FILE = "/logs/verifier/reward.txt"
DOCKERFILE = """FROM python:3.11-slim
RUN pip install --no-cache-dir mlebench pandas scikit-learn pillow
COPY data /home/data
RUN mkdir -p /home/submission /home/agent /home/code /home/logs
WORKDIR /home/agent
"""
TEST = """#!/bin/sh
# Grades the submission; harbor reads the reward from the file.
mkdir -p /logs/verifier
python3 -m mlebench.gym.harbor {competition} /tests/data {submission} {reward} > {file}
"""
SOLUTION = f"""#!/bin/sh
# Any valid submission: shows that the task works.
cp /home/data/{{sample}} {SUBMISSION}
"""
NOTE = """
Here you have a shell instead of these actions: write the file with any program. The work is handed
in when you stop.
"""


def export_harbor(
    catalogue: Catalogue,
    ids: list[str],
    folder: Path,
    *,
    reward: str = "human_rank",
    seconds: float = 3600.0,
) -> list[Path]:
    """Write a task for each competition; folders that exist are refused.

    Raises:
        UsageError: a competition has no hold-out, or a folder exists.
    """
    parse_reward(reward)
    found = [at_revision(catalogue).get_competition(competition_id) for competition_id in ids]
    for competition in found:
        if (folder / competition.id).exists():
            raise UsageError(f"{folder / competition.id} exists already")
        ensure_holdout(competition)
    return [_write(competition, folder, reward, seconds) for competition in found]


def _write(competition: LocatedCompetition, folder: Path, reward: str, seconds: float) -> Path:
    hold_out, task = locate_holdout(competition), folder / competition.id
    shutil.copytree(hold_out.public_dir, task / "environment" / "data")
    (task / "environment" / "Dockerfile").write_text(DOCKERFILE, "utf-8")
    overview = task_text("overview", hold_out, EpisodeLimits(seconds=seconds)) or ""
    text = f"{overview}{NOTE}\n{hold_out.description}"
    (task / "instruction.md").write_text(text, "utf-8")
    facts = {
        "version": "1.0",
        "metadata": {"competition": competition.id, "reward": reward, "split": "train"},
        "agent": {"timeout_sec": seconds},
        "verifier": {"timeout_sec": 600.0},
        "environment": {"build_timeout_sec": 1800.0, "cpus": 1, "memory_mb": 4096},
    }
    (task / "task.toml").write_text(tomli_w.dumps(facts), "utf-8")
    folder_of_sample, _, sample = hold_out.definition.sample_submission.partition("/")
    if folder_of_sample == "public":
        _write_script(task / "solution" / "solve.sh", SOLUTION.format(sample=sample))
    _write_tests(hold_out, task / "tests", reward)
    return task


def _write_script(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    path.chmod(0o755)


def _write_tests(hold_out: LocatedCompetition, tests: Path, reward: str) -> None:
    place = HoldoutFolder(tests / "data", hold_out.id, hold_out.revision)
    shutil.copytree(hold_out.private_dir, place.private)
    for name in (hold_out.definition.sample_submission, "manifest.json", "files.jsonl"):
        target = place.prepared / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(hold_out.folder.prepared / name, target)
    text = TEST.format(
        competition=hold_out.id, submission=SUBMISSION, reward=reward, file=REWARD_FILE
    )
    _write_script(tests / "test.sh", text)


def reward_of(competition_id: str, data_dir: Path, submission: Path, name: str) -> float:
    """The reward of a file; 0 if it is missing or not valid."""
    reward = parse_reward(name)
    task = find_task(competition_id, catalogue=Catalogue(data_dir))
    if not submission.is_file():
        return 0.0
    reply = RewardJudge(task).judge(submission.read_bytes(), {"reward": reward.graded_as})
    shaped = VALID_REWARD if reward.has_valid and reply["is_valid"] else 0.0
    return float(reply["value"]) + shaped


def main(competition_id: str, data_dir: str, submission: str, reward: str) -> int:
    """Print the reward; returns the exit code."""
    try:
        value = reward_of(competition_id, Path(data_dir), Path(submission), reward)
    except BenchError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    sys.stdout.write(f"{value}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
