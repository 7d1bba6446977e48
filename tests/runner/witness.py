"""A witness of every start of an agent on any machine: did two workers ever have a run at once?

It takes the place of the model endpoint, which is open exactly while the sandbox is.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil

from mlebench.records.folders import RunFolder
from mlebench.records.run import ModelTotals, RunRecord

TICKS = os.sysconf("SC_CLK_TCK")
GATE_SECONDS = 300
ALL_SEEDS = 1 << 30
COPY_SAMPLE = "cp /home/data/sample_submission.csv /home/submission/submission.csv\n"
SLEEP = f"sleep {86_400 + os.getpid()}"
"""In the script of an agent: it goes on when the test wakes it."""


@dataclass(frozen=True)
class Witness:
    """Writes a line when a sandbox opens and when it closes; picklable."""

    folder: Path
    environment = {}  # noqa: RUF012 - part of the protocol

    @contextmanager
    def __call__(self, record: RunRecord, run: RunFolder, sockets: Path) -> Iterator[Witness]:
        others = [line for line in self._lines(record.run_id) if _is_at_work(line)]
        self._write(record, "start", others=others)
        try:
            yield self
        finally:
            self._write(record, "end")

    def is_broken(self) -> bool:
        return False

    def totals(self) -> ModelTotals:
        return ModelTotals()

    def close(self) -> ModelTotals:
        return ModelTotals()

    def all_lines(self) -> list[dict[str, Any]]:
        """Of all runs, by time."""
        found = [line for file in self.folder.glob("[!.]*") for line in _read(file)]
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


class Gate(Witness):
    """Holds runs before their agent starts, until the test lets their seed through."""

    @contextmanager
    def __call__(self, record: RunRecord, run: RunFolder, sockets: Path) -> Iterator[Gate]:
        with super().__call__(record, run, sockets):
            end = time.monotonic() + GATE_SECONDS
            while not self._is_allowed(record.seed):
                if time.monotonic() > end:
                    raise TimeoutError("the test did not open the gate")
                time.sleep(0.02)
            yield self

    def allow(self, seeds: int) -> None:
        """Let the first seeds through."""
        (self.folder / f".allowed-{seeds}").touch()

    def open(self) -> None:
        """Let all through."""
        self.allow(ALL_SEEDS)

    def is_open(self) -> bool:
        return self._is_allowed(ALL_SEEDS - 1)

    def open_for(self, workers: int) -> Callable[[], None]:
        """Opens it when so many workers are there; to be called again and again."""

        def look() -> None:
            if not self.is_open() and len(self.workers()) == workers:
                self.open()

        return look

    def workers(self) -> set[int]:
        """The living processes that have reached the gate."""
        return {line["pid"] for line in self.all_lines() if _is_at_work(line)}

    def _is_allowed(self, seed: int) -> bool:
        found = self.folder.glob(".allowed-*")
        return any(seed < int(file.name.removeprefix(".allowed-")) for file in found)


def asleep() -> list[psutil.Process]:
    """Agents of this test that sleep, in whichever process tree."""
    words = SLEEP.split()
    return [p for p in psutil.process_iter(["cmdline"]) if p.info["cmdline"] == words]


def wake() -> None:
    for process in asleep():
        process.kill()


def _read(file: Path) -> list[dict[str, Any]]:
    """All lines that are written completely."""
    text = file.read_text() if file.exists() else ""
    return [json.loads(line) for line in text.rpartition("\n")[0].splitlines()]


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
