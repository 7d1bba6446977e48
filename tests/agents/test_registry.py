"""Finding agents: a command line as an agent."""

from __future__ import annotations

from pathlib import Path

from mlebench.agents.commands import command_agent


def test_a_command_needs_no_files_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    command = "cp {data}/sample_submission.csv {submission}"
    agent = command_agent(command, tmp_path / "empty", tmp_path / "cache")
    assert agent.command[-1].endswith(
        "cp /home/data/sample_submission.csv /home/submission/submission.csv"
    )
