"""Logs of episodes as chat messages and as MLE-Dojo's history."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from mlebench.cli.commands.export import command
from mlebench.gym.adapters import action_of_text
from mlebench.gym.exports import chat_messages, dojo_history
from mlebench.records.episode import EndEntry, EpisodeWriter, ResetEntry, StepEntry, read_episode

RUN = {"kind": "run", "code": "print('é')"}


def write_log(path: Path, *, reward: float, blame: str | None = None) -> Path:
    log = EpisodeWriter(path)
    log.write(ResetEntry(path.stem, "starter-wine", "v1.1", "train", "medal@1", 3, text="Do it."))
    log.write(StepEntry(1, RUN, "é\n", "ok", 0.0, elapsed=1.5))
    trial = {"kind": "run", "code": "1", "is_trial": True}
    log.write(StepEntry(2, trial, "", "ok", 0.0, elapsed=2.0))
    ends = {"terminated": blame is None, "truncated": blame is not None}
    log.write(StepEntry(3, {"kind": "submit"}, "valid", "submitted", reward, elapsed=2.5, **ends))
    reason = "submitted" if blame is None else "lost"
    log.write(EndEntry(reason, 3, reward, blame=blame))  # type: ignore[arg-type]
    log.close()
    return path


def test_chat_messages_can_be_played_again(tmp_path: Path) -> None:
    row = chat_messages(read_episode(write_log(tmp_path / "a.jsonl", reward=1.0)))
    roles = [message["role"] for message in row["messages"]]
    assert roles == ["user", "assistant", "user", "assistant", "user", "assistant"]
    assert row["messages"][0]["content"].startswith("Do it.")
    assert row["messages"][2]["content"] == "é\n"
    taken = [action_of_text(m["content"]) for m in row["messages"] if m["role"] == "assistant"]
    assert taken[0] == RUN and taken[-1] == {"kind": "submit"}
    assert row["reward"] == 1.0 and row["competition"] == "starter-wine"


def test_lost_episodes_are_left_out(tmp_path: Path) -> None:
    logs = tmp_path / "logs"
    write_log(logs / "good.jsonl", reward=1.0)
    write_log(logs / "poor.jsonl", reward=0.1)
    write_log(logs / "lost.jsonl", reward=0.0, blame="infrastructure")
    (logs / "ledger.jsonl").write_text("{}\n")
    out = tmp_path / "out.jsonl"
    done = CliRunner().invoke(
        command, ["chat", str(logs), str(out), "--min-reward", "0.5", "--json"]
    )
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["left_out"] == 2
    rows = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
    assert [row["episode"] for row in rows] == ["good"]


def test_dojo_history(tmp_path: Path) -> None:
    """The fields of MLE-Dojo's `history.json`, and its names of the actions."""
    history = dojo_history(read_episode(write_log(tmp_path / "a.jsonl", reward=0.0)))
    assert set(history) == {
        *("competition", "actions", "total_reward", "best_code", "best_raw_score"),
        *("best_position_score", "step_count", "created_at"),
    }
    names = [action["action"] for action in history["actions"]]
    assert names == ["execute_code", "validate_code", "submit"]
    assert set(history["actions"][0]) == {"step", "action", "timestamp", "result", "feedback"}
    assert history["best_code"] is None


def test_a_missing_log_is_a_usage_error(tmp_path: Path) -> None:
    from mlebench.errors import BenchError

    done = CliRunner().invoke(command, ["chat", str(tmp_path / "no"), str(tmp_path / "out")])
    assert isinstance(done.exception, BenchError)
    assert "does not exist" in str(done.exception)


@pytest.mark.parametrize("name", ["chat", "dojo", "harbor"])
def test_commands_have_examples(name: str) -> None:
    done = CliRunner().invoke(command, [name, "--help"])
    assert done.exit_code == 0 and f"mlebench export {name}" in done.output
