"""Texts about a task that the action `info` returns; made of public facts only."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

from mlebench.catalogue import LocatedCompetition
from mlebench.gym.limits import EpisodeLimits
from mlebench.gym.observation import clip

MAX_FILES = 200
INSTRUCTIONS = """You work on a machine-learning competition in a sandbox, step by step.

- /home/data contains the data (read-only). Start with the actions info and read.
- Write predictions to /home/submission/submission.csv, in the format of {sample}.
- Programs run in /home/agent and may write to /home/agent, /home/code, /home/logs and /tmp. Each
  run is a new process; files stay, background processes are ended.
- Actions: info(topic), run(code or command, seconds), write(path, text), read(path, start, count),
  validate(), submit(). validate says whether the format is right. submit hands the file in and
  ends the episode.
- You have {steps} steps, {seconds:g} seconds ({clock} clock), {run_seconds:g} seconds for a run,
  {memory} of memory and {disk} for files. There is no network.
- Do not look for the answers and do not copy solutions of others.
"""
TOPICS = ("overview", "description", "data", "sample_submission", "limits", "history")
DOJO_TOPICS = {
    "data_structure": "data",
    "data_path": "data",
    "output_path": "overview",
    "all": "description",
}
"""Topics of MLE-Dojo's `request_info` that have another name here."""


def task_text(topic: str, competition: LocatedCompetition, limits: EpisodeLimits) -> str | None:
    """The text of a topic; None if there is no such topic."""
    topic = DOJO_TOPICS.get(topic, topic)
    if topic in ("overview", "limits"):
        return _instructions(competition, limits)
    if topic == "description":
        return competition.description
    if topic == "data":
        return list_files(competition.public_dir)
    if topic == "sample_submission":
        return _head(competition.sample_submission)
    return None


def _instructions(competition: LocatedCompetition, limits: EpisodeLimits) -> str:
    sample = Path(competition.definition.sample_submission).name
    return f"# {competition.definition.title}\n\n" + INSTRUCTIONS.format(
        sample=f"/home/data/{sample}",
        steps=limits.steps,
        seconds=limits.seconds,
        run_seconds=limits.run_seconds,
        clock=limits.clock,
        memory=f"{limits.memory_bytes / 1e9:.3g} GB",
        disk=f"{limits.disk_bytes / 1e9:.3g} GB",
    )


@cache
def list_files(public: Path) -> str:
    """The public files with their sizes, in the order of their names; long lists are cut."""
    lines: list[str] = []
    total = 0
    for folder, folders, files in os.walk(public):
        folders.sort()
        for name in sorted(files):
            total += 1
            if len(lines) < MAX_FILES:
                path = Path(folder, name)
                size = path.stat().st_size
                lines.append(f"/home/data/{path.relative_to(public)}  {size:,} bytes")
    if total > len(lines):
        lines.append(f"… and {total - len(lines):,} more files")
    return "\n".join(lines)


@cache
def _head(file: Path, size: int = 2000) -> str:
    with file.open("rb") as stream:
        return clip(stream.read(size))
