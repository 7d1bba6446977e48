"""Read what a run did over time: model calls, commands, resources, changes of its submission."""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from datetime import datetime
from itertools import pairwise
from pathlib import Path
from typing import Any

from mlebench.errors import InvalidSubmissionError
from mlebench.grading.files import read_regular_file
from mlebench.records.activity import VALIDATIONS, ResourceSample, ValidationCall, read_samples
from mlebench.records.folders import RunFolder
from mlebench.records.run import RunRecord
from mlebench.records.trajectory import read_heads
from mlebench.results.plots.hours import Activity, Flag, Span

MAX_LINES_BYTES = 64 << 20
MAX_TREE_BYTES = 32 << 20
FAILED = ("failed", "aborted")
MEASURED = {
    "memory": "memory_bytes",
    "disk": "disk_bytes",
    "GPU": "gpu_percent",
    "GPU memory": "gpu_memory_bytes",
    "GPU power": "gpu_watts",
}
PROGRAM_END = re.compile(
    r"\[(?:exit code (?P<code>-?\d+)|stopped after [\d.]+ s); took (?P<took>[\d.]+) s\]\s*$"
)


def read_activity(folder: RunFolder, record: RunRecord) -> Activity:
    """Everything that the files of a run record, for `hours_plot`."""
    spans = {
        "model calls": read_calls(folder.trajectory, record.started_at),
        "commands": read_executions(folder),
    }
    curves = _resource_curves(_samples(folder, record))
    flags = [Flag(float(file.stem), "changed") for file in find_copies(folder)]
    flags += [
        Flag(float(call.elapsed), "valid" if call.valid else "invalid", (call.reason or "")[:200])
        for call in read_validations(folder.validations)
    ]
    ends = [second for points in curves.values() for second, _ in points[-1:]]
    ends += [flag.seconds for flag in flags]
    seconds = record.seconds or max(ends, default=0.0)
    if len(record.starts) > 1:
        # The agent's own time excludes the waits between two starts.
        ends += [call.start + call.seconds for call in spans["model calls"]]
        seconds = max([seconds, *ends])
    return Activity(
        seconds=seconds,
        spans={name: found for name, found in spans.items() if found},
        curves={name: points for name, points in curves.items() if points},
        flags=sorted(flags, key=lambda flag: flag.seconds),
    )


def read_calls(trajectory: Path, started_at: str | None) -> list[Span]:
    """The model calls, from the first fields of each record of the trajectory."""
    start = _seconds(started_at)
    calls: list[Span] = []
    for call in read_heads(trajectory):
        took, end = _number(call.seconds), _seconds(call.time)
        begin = max(0.0, end - took - start) if start and end else 0.0
        calls.append(Span(begin, took, call.outcome in FAILED, len(calls)))
    return calls


def read_spending_over_time(
    folder: RunFolder, record: RunRecord
) -> Callable[[float], dict[str, Any]]:
    """A function from seconds to the cost, tokens and CPU hours used by then; None if unknown."""
    start = _seconds(record.started_at)
    calls = [(0.0, 0.0, 0)]
    for call in read_heads(folder.trajectory):
        if call.booked_tokens is not None:
            second = max(0.0, _seconds(call.time) - start)
            _, cost, tokens = calls[-1]
            calls.append((second, cost + _number(call.cost), tokens + call.booked_tokens))
    cpu = [
        (float(sample.seconds), float(sample.cpu_seconds))
        for sample in _samples(folder, record)
        if sample.cpu_seconds is not None
    ]

    def used(seconds: float) -> dict[str, Any]:
        place = bisect_right(calls, seconds, key=lambda call: call[0]) - 1
        _, cost, tokens = calls[max(0, place)]
        here = bisect_right(cpu, seconds, key=lambda point: point[0]) - 1
        return {
            "cost": cost if len(calls) > 1 else None,
            "tokens": tokens if len(calls) > 1 else None,
            "cpu_hours": cpu[max(0, here)][1] / 3600 if cpu else None,
        }

    return used


def read_executions(folder: RunFolder) -> list[Span]:
    """The commands that an agent recorded: in `tree.json`, or in the steps of `react`.

    The agent writes both files: they may contain anything, and no score depends on them.
    """
    tree = next(iter(_agents_json(folder.logs / "tree.json", is_lines=False)), {})
    if isinstance(tree.get("nodes"), list):
        return [
            Span(_number(n.get("created_at")), _number(n.get("seconds")), bool(n.get("problem")))
            for n in tree["nodes"]
            if isinstance(n, dict)
        ]
    found: list[Span] = []
    for step in _agents_json(folder.logs / "steps.jsonl", is_lines=True):
        messages = step.get("messages")
        for message in messages if isinstance(messages, list) else ():
            if ended := _program_end(message):
                took = _number(ended["took"])
                start = max(0.0, _number(step.get("seconds")) - took)
                found.append(Span(start, took, ended["code"] != "0"))
    return found


def _program_end(message: Any) -> re.Match[str] | None:
    if not isinstance(message, dict) or message.get("role") != "tool":
        return None
    return PROGRAM_END.search(str(message.get("content"))[-200:])


def _agents_json(path: Path, *, is_lines: bool) -> Iterator[dict[str, Any]]:
    """The objects of a file that an agent wrote; whatever is damaged is skipped."""
    try:
        data = read_regular_file(path, MAX_TREE_BYTES)
    except InvalidSubmissionError:
        return
    for text in data.splitlines() if is_lines else [data]:
        with suppress(ValueError, RecursionError):
            if isinstance(found := json.loads(text), dict):
                yield found


def _number(value: Any) -> float:
    """The value as a number from 0 to 1e12; else 0."""
    try:
        found = float(value)
    except (TypeError, ValueError, OverflowError):
        return 0.0
    return found if 0 <= found < 1e12 else 0.0


def find_copies(folder: RunFolder) -> list[Path]:
    """The copies of the submission, which are named by the second, in chronological order."""
    try:
        files = [f for f in folder.snapshots.iterdir() if f.suffix == ".csv" and f.stem.isdigit()]
    except OSError:
        return []
    return sorted(files, key=lambda file: int(file.stem))


def read_validations(path: Path) -> list[ValidationCall]:
    """Every call of the validation server."""
    return list(VALIDATIONS.decode(_start_of(path)))


def _samples(folder: RunFolder, record: RunRecord) -> list[ResourceSample]:
    start = _seconds(record.started_at)
    begins = [max(0.0, _seconds(one.started_at) - start) for one in record.starts]
    return list(read_samples(_start_of(folder.resources), begins if len(begins) > 1 else ()))


def _resource_curves(samples: Sequence[ResourceSample]) -> dict[str, list[tuple[float, float]]]:
    """CPUs from the increase of CPU seconds; the others as they were measured."""

    def curve(field: str) -> list[tuple[float, float]]:
        values = [(float(sample.seconds), getattr(sample, field)) for sample in samples]
        return [(second, float(value)) for second, value in values if value is not None]

    cpus = [
        (second, max(0.0, (used - used_before) / (second - before)))
        for (before, used_before), (second, used) in pairwise(curve("cpu_seconds"))
        if second > before
    ]
    return {"CPUs": cpus} | {name: curve(field) for name, field in MEASURED.items()}


def _start_of(path: Path) -> bytes:
    """The first `MAX_LINES_BYTES` of a file of ours; empty if there is none."""
    try:
        with path.open("rb") as stream:
            return stream.read(MAX_LINES_BYTES)
    except OSError:
        return b""


def _seconds(moment: str | None) -> float:
    try:
        return datetime.fromisoformat(moment or "").timestamp()
    except ValueError:
        return 0.0
