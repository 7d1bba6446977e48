"""Logs of episodes in other formats: chat messages for fine-tuning, and MLE-Dojo's history."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from mlebench.errors import UsageError
from mlebench.gym.adapters.text import ACTION_HELP
from mlebench.records.episode import EpisodeRecord, StepEntry, read_episode
from mlebench.system.files import write_atomically

DOJO_NAMES = {
    "info": "request_info",
    "read": "request_info",
    "run": "execute_code",
    "restart": "reset",
}
"""MLE-Dojo's names of actions; actions that it does not have keep our names."""


def chat_messages(record: EpisodeRecord) -> dict[str, Any]:
    """One row of a data set for fine-tuning: `messages`, and what is known about the episode.

    Actions are the assistant's turns, written as the adapters read them.
    """
    first = {"role": "user", "content": f"{record.reset.text}\n\n{ACTION_HELP}"}
    messages = [first]
    for step in record.steps:
        action = json.dumps(step.action, ensure_ascii=False, sort_keys=True)
        messages.append({"role": "assistant", "content": action})
        messages.append({"role": "user", "content": step.text})
    if record.steps and (record.steps[-1].terminated or record.steps[-1].truncated):
        messages.pop()  # nothing answers the last observation
    end = record.end
    return {
        "messages": messages,
        "episode": record.reset.episode,
        "competition": record.reset.competition_id,
        "revision": record.reset.revision,
        "split": record.reset.split,
        "reward_name": record.reset.reward,
        "reward": None if end is None or end.blame == "infrastructure" else end.total_reward,
        "end": end.reason if end else None,
        "blame": end.blame if end else None,
    }


def dojo_history(record: EpisodeRecord) -> dict[str, Any]:
    """The content of MLE-Dojo's `history.json`.

    Scores stay unknown: a log contains rewards only. Times are seconds since the reset.
    """
    best = max(record.steps, key=lambda step: step.reward, default=None)
    return {
        "competition": record.reset.competition_id,
        "created_at": record.reset.time,
        "actions": [_dojo_action(step) for step in record.steps],
        "total_reward": sum(step.reward for step in record.steps),
        "best_code": _code(best) if best is not None and best.reward > 0 else None,
        "best_raw_score": None,
        "best_position_score": None,
        "step_count": len(record.steps),
    }


def _dojo_action(step: StepEntry) -> dict[str, Any]:
    kind = str(step.action.get("kind"))
    if kind == "run" and step.action.get("is_trial"):
        name = "validate_code"
    else:
        name = DOJO_NAMES.get(kind, kind)
    return {
        "step": step.step,
        "action": name,
        "timestamp": step.elapsed,
        "result": {"status": step.status, "reward": step.reward, "action": step.action},
        "feedback": step.text,
    }


def _code(step: StepEntry) -> str | None:
    code = step.action.get("code")
    return code if isinstance(code, str) else None


def list_logs(place: Path) -> list[Path]:
    """The logs of episodes in a folder, sorted by name; a file is a list of one."""
    if place.is_file():
        return [place]
    if not place.is_dir():
        raise UsageError(f"{place} does not exist")
    # The ledger of an evaluation is in the same folder.
    return sorted(file for file in place.glob("*.jsonl") if file.name != "ledger.jsonl")


def export_chat(logs: Path, target: Path, *, min_reward: float | None = None) -> tuple[int, int]:
    """Write episodes as chat messages; returns how many were written and left out."""
    rows = [chat_messages(read_episode(log)) for log in list_logs(logs)]
    kept = [
        row
        for row in rows
        if row["reward"] is not None and (min_reward is None or row["reward"] >= min_reward)
    ]
    lines = (json.dumps(row, ensure_ascii=False) + "\n" for row in kept)
    write_atomically(target, "".join(lines))
    return len(kept), len(rows) - len(kept)


def export_dojo(log: Path, target: Path) -> int:
    """Write an episode as MLE-Dojo's history; returns the number of its steps."""
    record = read_episode(log)
    write_atomically(target, json.dumps(dojo_history(record), indent=2, ensure_ascii=False))
    return len(record.steps)
