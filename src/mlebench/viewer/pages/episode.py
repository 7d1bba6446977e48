"""Pages of episodes: `/e` lists the logs in `<runs>/episodes`, `/e/NAME` shows one of them.

They are plain HTML without a script. What a policy wrote is escaped, and control characters are
shown as such.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from mlebench.http import HttpReply
from mlebench.records.episode import EpisodeRecord, StepEntry, decode_episode
from mlebench.results.page.rendering import render
from mlebench.viewer.answers import COMMON, PAGE_POLICY
from mlebench.viewer.places import Absent, read_bytes
from mlebench.viewer.text import clean

FOLDER = "episodes"
SUFFIX = ".jsonl"
TEMPLATES = Path(__file__).parents[1] / "templates"
MAX_BYTES = 64 << 20
MAX_LISTED = 1000
MAX_STEPS = 2000


def episode_reply(root: Path, names: list[str]) -> HttpReply:
    """The answer to `/e` and to `/e/NAME`."""
    match names:
        case [] | [""]:
            page = list_page(root)
        case [name]:
            page = episode_page(read_log(root, name), name)
        case _:
            raise Absent("there is no such address")
    headers = COMMON | {"Content-Security-Policy": PAGE_POLICY}
    return HttpReply(
        200, headers=headers, body=page.encode(), content_type="text/html; charset=utf-8"
    )


def list_page(root: Path) -> str:
    """All logs, by name; writers name the newest last."""
    folder = root / FOLDER
    found = sorted(folder.glob(f"*{SUFFIX}")) if folder.is_dir() else []
    logs = [file.name.removesuffix(SUFFIX) for file in found if file.name != "ledger.jsonl"]
    return render("episodes.html", {"logs": logs[-MAX_LISTED:], "total": len(logs)}, TEMPLATES)


def read_log(root: Path, name: str) -> EpisodeRecord:
    """A log; raises Absent if the file does not exist, DataError if it is something else."""
    if "/" in name or "\0" in name:
        raise Absent("there is no such episode")
    return decode_episode(read_bytes(root, (FOLDER, name + SUFFIX), MAX_BYTES), name[:200])


def episode_page(record: EpisodeRecord, name: str) -> str:
    """One episode as HTML."""
    reset, end = record.reset, record.end
    facts = {
        "competition": reset.competition_id,
        "revision": reset.revision,
        "split": reset.split,
        "reward": reset.reward,
        "seed": reset.seed,
        "sandbox": reset.sandbox,
        "started": reset.time,
        "ended by": end.reason if end else "it is still running, or its process was killed",
        "blame": (end.blame if end else None) or "nobody",
        "total reward": f"{end.total_reward:.3f}" if end else "unknown",
        "seconds": f"{end.seconds:.1f}" if end else "unknown",
    }
    context = {
        "name": clean(name),
        "facts": {key: clean(str(value)) for key, value in facts.items()},
        "text": clean(reset.text),
        "steps": [_shown(step) for step in record.steps[:MAX_STEPS]],
        "left_out": max(0, len(record.steps) - MAX_STEPS),
    }
    return render("episode.html", context, TEMPLATES)


def _shown(step: StepEntry) -> dict[str, Any]:
    action = dict(step.action)
    kind = str(action.pop("kind", "?"))
    long = str(action.pop("code", None) or action.pop("command", None) or action.pop("text", ""))
    given = {key: value for key, value in action.items() if value not in (None, False)}
    return {
        "number": step.step,
        "kind": clean(kind),
        "arguments": clean(json.dumps(given, ensure_ascii=False)) if given else "",
        "code": clean(long),
        "status": clean(step.status),
        "validation": clean(step.validation),
        "reward": f"{step.reward:.3f}",
        "seconds": f"{step.seconds:.2f}",
        "text": clean(step.text),
    }
