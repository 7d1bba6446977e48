"""A witness of every start of an agent on any machine: did two workers ever have a run at once?

It takes the place of the model endpoint, which is open exactly while the sandbox is.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil

from mlebench.records.folders import RunFolder
from mlebench.records.run import ModelTotals, RunRecord

TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True)
class _NoModel:
    """The model endpoint of a run that calls no model; picklable."""

    folder: Path
    environment = {}  # noqa: RUF012 - part of the protocol

    def is_broken(self) -> bool:
        return False

    def totals(self) -> ModelTotals:
        return ModelTotals()

    def close(self) -> ModelTotals:
        return ModelTotals()


class Gate(_NoModel):
    """Holds every run before its agent starts until the test opens it."""

    @contextmanager
    def __call__(self, record: RunRecord, run: RunFolder, sockets: Path) -> Iterator[Gate]:
        (self.folder / "reached").touch()
        end = time.monotonic() + 120
        while not self.is_open() and time.monotonic() < end:
            time.sleep(0.05)
        yield self

    def is_reached(self) -> bool:
        return (self.folder / "reached").exists()

    def is_open(self) -> bool:
        return (self.folder / "open").exists()

    def open(self) -> None:
        (self.folder / "open").touch()


class Witness(_NoModel):
    """Writes a line when a sandbox opens and when it closes."""

    @contextmanager
    def __call__(self, record: RunRecord, run: RunFolder, sockets: Path) -> Iterator[Witness]:
        others = [line for line in self._lines(record.run_id) if _is_at_work(line)]
        self._write(record, "start", others=others)
        try:
            yield self
        finally:
            self._write(record, "end")

    def all_lines(self) -> list[dict[str, Any]]:
        """Of all runs, by time."""
        found = [line for file in self.folder.iterdir() for line in _read(file)]
        return sorted(found, key=lambda line: line["time"])

    def _lines(self, run_id: str) -> list[dict[str, Any]]:
        """Starts of a run that have no end."""
        lines = _read(self.folder / run_id)
        ended = {line["attempt"] for line in lines if line["event"] == "end"}
        return [line for line in lines if line["attempt"] not in ended]

    def _write(self, record: RunRecord, event: str, **facts: Any) -> None:
        process = psutil.Process()
        facts |= {
            "run": record.run_id,
            "attempt": record.attempt,
            "event": event,
            "pid": process.pid,
            "born": process.create_time(),
            "time": time.time(),
            "cpu": _processor_seconds(),
            "gpus": _leased_gpus(),
        }
        with (self.folder / record.run_id).open("a") as stream:
            stream.write(json.dumps(facts) + "\n")


def _read(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []


def _is_at_work(line: dict[str, Any]) -> bool:
    """Whether the worker that wrote a line lives."""
    try:
        process = psutil.Process(line["pid"])
        is_same = abs(process.create_time() - line["born"]) < 1
        return is_same and process.status() != psutil.STATUS_ZOMBIE
    except psutil.Error:
        return False


def _processor_seconds() -> float:
    """Of this worker, its children that live and those that ended."""
    ticks = 0.0
    own = Path(f"/proc/{os.getpid()}")
    children = [pid for file in own.glob("task/*/children") for pid in file.read_text().split()]
    for pid in (own.name, *children):
        try:
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        ticks += sum(map(int, fields[11:15]))
    return ticks / TICKS


def _leased_gpus() -> list[str]:
    """GPUs whose lock file this worker has open."""
    found = [link.readlink() for link in Path("/proc/self/fd").iterdir() if link.exists()]
    return sorted(f.stem for f in found if f.parent.name.startswith("mlebench-gpus-"))


def run_at_once(lines: list[dict[str, Any]]) -> list[str]:
    """Runs that were started while an earlier worker still had them."""
    return [line["run"] for line in lines if line.get("others")]


def overheads(lines: list[dict[str, Any]]) -> tuple[list[float], list[float]]:
    """Between two runs of a worker: seconds on the clock and of processor time."""
    last: dict[tuple[int, float], dict[str, Any]] = {}
    clock, processor = [], []
    for line in lines:
        key = (line["pid"], line["born"])
        before = last.get(key)
        if before and line["event"] == "start" and before["event"] == "end":
            clock.append(line["time"] - before["time"])
            processor.append(line["cpu"] - before["cpu"])
        last[key] = line
    return clock, processor


def shared_gpus(lines: list[dict[str, Any]]) -> list[str]:
    """GPUs that two runs had at once."""
    holders: dict[str, str] = {}
    found = []
    for line in lines:
        for gpu in line["gpus"]:
            if line["event"] == "start" and holders.setdefault(gpu, line["run"]) != line["run"]:
                found.append(gpu)
            if line["event"] == "end" and holders.get(gpu) == line["run"]:
                del holders[gpu]
    return found
