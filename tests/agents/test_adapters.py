"""What can be tried of the adapters without the programs that they adapt to."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from mlebench.agents.registry import find_agent, list_agents
from mlebench.errors import UsageError

RUNNER = """
import pathlib, sys
words = dict(zip(sys.argv[1::2], sys.argv[2::2]))
problem = pathlib.Path("MLAgentBench/benchmarks") / words["--task"] / "scripts/research_problem.txt"
assert "description.txt" in problem.read_text()
assert pathlib.Path("openai_api_key.txt").read_text() == ":throw-away"
sample = problem.parent.parent / "env/data/sample_submission.csv"
work = pathlib.Path(words["--work-dir"]) / words["--task"]
work.mkdir(parents=True)
(work / "submission.csv").write_text(sample.read_text() + words["--llm-name"])
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for name in ("data", "submission", "logs", "code", "agent"):
        (tmp_path / "home" / name).mkdir(parents=True)
    (tmp_path / "home" / "data" / "description.md").write_text("# Task\nPredict.\n")
    (tmp_path / "home" / "data" / "sample_submission.csv").write_text("id,y\n1,0\n")
    return tmp_path


def variables(root: Path, **more: str) -> dict[str, str]:
    return {
        "PATH": os.environ["PATH"],
        "PYTHON": sys.executable,
        "MLEBENCH_ROOT": str(root),
        "MLEBENCH_MODEL": 'odd"name',
        "MLEBENCH_SECONDS": "60",
        "OPENAI_BASE_URL": "http://localhost:5001/v1",
        "OPENAI_API_KEY": "throw-away",
        **more,
    }


@pytest.mark.parametrize("name", sorted(list_agents()))
def test_every_agent_can_be_read_and_is_described(name: str) -> None:
    agent = find_agent(name)
    assert agent.name == name
    assert agent.description
    if agent.needs_model:
        assert (agent.folder / "README.md").read_text().startswith(f"# {name}\n")


def test_mlab_gets_a_task_and_its_submission_is_kept(root: Path) -> None:
    program = root / "MLAgentBench" / "MLAgentBench"
    (program / "benchmarks").mkdir(parents=True)
    (program / "runner.py").write_text(RUNNER)
    start = find_agent("mlab").folder / "start.sh"
    environment = variables(root, MLAB_HOME=str(program.parent))
    done = subprocess.run(["bash", start], env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    kept = (root / "home" / "submission" / "submission.csv").read_text()
    assert kept == 'id,y\n1,0\nodd"name'


def test_only_our_own_agents_share_the_folder_above(tmp_path: Path) -> None:
    """A user's agent must not show the sandbox other files next to its folder."""
    assert find_agent("tree").mounted == find_agent("react").mounted
    assert find_agent("tree").digest() != find_agent("react").digest()
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "agent.toml").write_text("shares_parent = true\n")
    with pytest.raises(UsageError, match="shares_parent, which only agents of mlebench"):
        find_agent(str(tmp_path / "mine"))
